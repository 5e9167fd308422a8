"""Computer players that see a `View` and nothing else."""
