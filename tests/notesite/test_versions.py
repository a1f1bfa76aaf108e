"""The versions that are installed are those that pyproject.toml pins."""

import tomllib
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
UV_BRINGS = {"pip", "setuptools", "wheel", "uv"}


def pinned():
    requirements = [Requirement(line) for line in PROJECT["tool"]["uv"]["constraint-dependencies"]]
    return {
        canonicalize_name(requirement.name): requirement
        for requirement in requirements
        if requirement.marker is None or requirement.marker.evaluate()
    }


def installed():
    return {canonicalize_name(found.name): found.version for found in distributions()}


def test_every_pin_is_one_exact_version():
    for requirement in pinned().values():
        assert str(requirement.specifier).startswith("=="), requirement


def test_what_is_installed_is_what_is_pinned():
    pins = pinned()
    wrong = {
        name: version
        for name, version in installed().items()
        if name not in UV_BRINGS
        and (name not in pins or not pins[name].specifier.contains(version, prereleases=True))
    }
    assert wrong == {}


def test_every_dependency_is_pinned():
    lines = [
        *PROJECT["project"]["dependencies"],
        *(line for group in PROJECT["project"]["optional-dependencies"].values() for line in group),
        *PROJECT["dependency-groups"]["dev"],
    ]
    names = {canonicalize_name(Requirement(line).name) for line in lines}
    assert names <= set(pinned())
