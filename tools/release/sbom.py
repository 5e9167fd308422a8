"""The bill of materials of a release, in CycloneDX 1.6: what it is made of, with hashes.

The same lock and the same version always make the same bytes: there is no clock and no chance.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from tools.release.lock import PROGRAM, Locked, requirements_of


def bill(version: str, packages: Sequence[Locked], built: str) -> str:
    """Return the bill of a version as JSON; ``built`` is a time as ISO 8601 has it."""
    root = _reference(PROGRAM, version)
    document: dict[str, Any] = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": built,
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": PROGRAM,
                "version": version,
                "purl": root,
                "licenses": [{"expression": "MIT"}],
            },
        },
        "components": [_component(item) for item in packages],
        "dependencies": [
            {"ref": root, "dependsOn": _references(packages, set(requirements_of(PROGRAM)))},
            *(
                {
                    "ref": _reference(item.name, item.version),
                    "dependsOn": _references(packages, set(item.needs)),
                }
                for item in packages
            ),
        ],
    }
    name = json.dumps(document, sort_keys=True)
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}"
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _component(item: Locked) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": _reference(item.name, item.version),
        "name": item.name,
        "version": item.version,
        "purl": _reference(item.name, item.version),
        "externalReferences": [
            {
                "type": "distribution",
                "url": f"https://pypi.org/project/{item.name}/{item.version}/",
                "hashes": [{"alg": "SHA-256", "content": digest} for digest in item.hashes],
            }
        ],
    }
    licence = _licence(item.name)
    if licence:
        component["licenses"] = [licence]
    return component


def _licence(name: str) -> dict[str, Any] | None:
    """Return the licence as the installed package states it, None where it does not."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    expression = _first(about, "License-Expression")
    if expression:
        return {"expression": expression}
    classifiers = about.get_all("Classifier") or []
    names = [line.split(" :: ")[-1] for line in classifiers if line.startswith("License :: ")]
    stated = _first(about, "License") or ""
    text = ", ".join(names) if names else stated.partition("\n")[0]
    return {"license": {"name": text}} if text else None


def _first(about: metadata.PackageMetadata, field: str) -> str:
    return next(iter(about.get_all(field) or []), "")


def _references(packages: Sequence[Locked], names: set[str]) -> list[str]:
    return [_reference(item.name, item.version) for item in packages if item.name in names]


def _reference(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"
