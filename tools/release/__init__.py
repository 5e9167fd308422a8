"""Making a release: ``docs/release.md`` says how; ``make dist`` and ``make installs`` do it."""
