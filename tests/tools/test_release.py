"""What a release is made of: the same bytes twice, nothing missing, everything pinned and named."""

from __future__ import annotations

import io
import itertools
import json
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.hatch_build import COMPLETIONS
from tools.release import build
from tools.release.advisories import CLEAN, FOUND, UNANSWERED, judge
from tools.release.installs import VERSIONS
from tools.release.lock import LOCK, ROOT, lock_text, read_lock, to_run
from tools.release.sbom import bill


def test_build_twice__makes_the_same_bytes_with_all_that_belongs_into_a_wheel(
    tmp_path: Path,
) -> None:
    files = build.build_twice(tmp_path / "dist", tmp_path / "work")
    assert [file.suffix for file in files] == [".whl", ".gz"]


def test_build_twice__refuses_builds_that_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count()

    def by_the_clock(
        tree: Path, folder: Path, epoch: int, targets: Iterable[str], zone: str = "UTC"
    ) -> None:
        folder.mkdir(exist_ok=True)
        for target in targets:
            if target == "wheel":
                (folder / "p.whl").write_bytes(b"%d" % next(clock))
            else:
                with tarfile.open(folder / "p.tar.gz", "w") as archive:
                    archive.addfile(tarfile.TarInfo("p/empty"), io.BytesIO())

    monkeypatch.setattr(build, "build", by_the_clock)
    with pytest.raises(build.NotTheSameError, match=r"p\.whl is not the same"):
        build.build_twice(tmp_path / "dist", tmp_path / "work")


@pytest.mark.parametrize("lost", ["p/pt/p.mo", build.MANUAL, *COMPLETIONS.values()])
def test_missing_from__names_what_a_wheel_lacks(tmp_path: Path, lost: str) -> None:
    names = {"p/pt/p.po": "p/pt/p.po", "p/pt/p.mo": "p/pt/p.mo"}
    names |= {name: f"p-1.data/data/{name}" for name in (build.MANUAL, *COMPLETIONS.values())}
    for left_out in ((), (lost,)):
        with zipfile.ZipFile(tmp_path / "p.whl", "w") as archive:
            for name, place in names.items():
                if name not in left_out:
                    archive.writestr(place, "")
        assert build.missing_from(tmp_path / "p.whl") == list(left_out)


def test_lock__pins_by_hash_all_that_the_program_and_its_tests_need() -> None:
    lock = read_lock(LOCK.read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    for requirement in map(Requirement, wanted):
        pins = [item for item in lock if item.name == canonicalize_name(requirement.name)]
        assert pins
        assert all(requirement.specifier.contains(item.version) for item in pins)
    assert all(item.hashes for item in lock)


def test_lock__of_what_runs_leaves_out_what_only_tests_need() -> None:
    needed = to_run(read_lock(LOCK.read_text()))
    names = {item.name for item in needed}
    assert {"pyzmq", "rbcl", "barriers", "cffi", "wcwidth"} <= names
    assert not {"pytest", "hypothesis", "mypy", "babel", "hatchling"} & names
    again = read_lock(lock_text(needed))
    assert again == [replace(item, needs=()) for item in needed]


@pytest.mark.parametrize("version", VERSIONS)
def test_lock__has_what_runs_in_one_version_for_every_python(version: str) -> None:
    """Of a package that has other versions for older ones, too."""
    surroundings = {"python_version": version, "python_full_version": f"{version}.1"}
    chosen = [
        item.name
        for item in to_run(read_lock(LOCK.read_text()))
        if item.marker is None or Marker(item.marker).evaluate(surroundings)
    ]
    assert len(chosen) == len(set(chosen))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {canonicalize_name(Requirement(one).name) for one in project["dependencies"]} <= set(
        chosen
    )


def test_lock__refuses_a_line_without_a_version() -> None:
    with pytest.raises(ValueError, match="pyzmq>=27"):
        read_lock("pyzmq>=27\n")


def test_bill__names_every_package_with_its_hashes_and_what_needs_it() -> None:
    needed = to_run(read_lock(LOCK.read_text()))
    text = bill("1.2.3", needed, "2026-01-01T00:00:00Z")
    assert text == bill("1.2.3", needed, "2026-01-01T00:00:00Z")
    made = json.loads(text)
    references = {item["bom-ref"] for item in made["components"]}
    for item, pin in zip(made["components"], needed, strict=True):
        hashes = [one["content"] for one in item["externalReferences"][0]["hashes"]]
        assert (item["name"], item["version"], hashes) == (pin.name, pin.version, [*pin.hashes])
        assert item["licenses"]
    direct, *others = made["dependencies"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {one.rpartition("@")[0] for one in direct["dependsOn"]}
    assert len(names) == len(project["dependencies"])
    assert {one for item in (direct, *others) for one in item["dependsOn"]} == references


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"vulns": []}, CLEAN),
        ({"skip_reason": "not found"}, UNANSWERED),
        ({"vulns": [{"id": "X-1", "description": "bad", "fix_versions": ["2"]}]}, FOUND),
    ],
)
def test_advisories__silence_is_no_clean_answer(
    about: dict[str, object], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    fine: dict[str, object] = {"name": "b", "version": "1", "vulns": []}
    assert judge({"dependencies": [fine, {"name": "a", "version": "1", **about}]}) == code
    assert ("X-1" in capsys.readouterr().out) == (code == FOUND)
