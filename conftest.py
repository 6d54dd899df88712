"""Every test begins as a program of TensorFlow 2 does: eagerly, with an empty default graph, no seed and nothing said yet.

Some tests go over to TensorFlow 1's ways, and a failing one may not come back.
"""

import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from tests import returned_types, sampling

import pullback
from pullback.api import tape
from pullback.api.default import reset_default_graph
from pullback.engine.background import wait_for_compiles
from pullback.engine.jit_policy import Settings
from pullback.engine.runtime.ahead import AHEAD
from pullback.interop.behavior import enable_v2_behavior
from pullback.ir.context import current
from pullback.ir.tracebacks import filtering
from pullback.kernels import parallel
from pullback.ops.random import seed as random_seed

#: What asks TensorFlow: `make golden` runs it, the tests read what it wrote.
collect_ignore_glob = ["tests/golden/make*.py", "tests/golden/*_program.py", "tests/typed/*.py", "tests/replicas/*.py"]
#: A page that is run in a copy of the project which has what it adds (tests/test_adding_an_op.py).
collect_ignore: list[str] = []
if not (Path(__file__).parent / "src" / "pullback" / "ops" / "nn" / "hardtanh.py").exists():
    collect_ignore.append("docs/adding-an-op.md")


def pytest_addoption(parser: pytest.Parser) -> None:
    sampling.add_option(parser)
    parser.addoption("--every-frame", action="store_true", help="show the library's frames in tracebacks")


def pytest_configure(config: pytest.Config) -> None:
    sampling.choose_seed()
    filtering.enabled = not config.getoption("--every-frame")


def pytest_report_header(config: pytest.Config) -> str:
    return sampling.describe(config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items[:], left_out = sampling.sample(config, items)
    config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """What a test file makes when it is imported is made eagerly, whatever was imported before."""
    enable_v2_behavior()
    return (yield)


@pytest.fixture(autouse=True)
def fresh_process() -> Iterator[None]:
    enable_v2_behavior()
    reset_default_graph()
    random_seed._eager = random_seed._Eager()
    tape._warned.update(dict.fromkeys(tape._warned, 0))
    jit, baseline = Settings.jit, Settings.baseline
    Settings.baseline = False  # what most calls of a program run is what is tested
    yield
    wait_for_compiles()  # what a test has compiled in the background is no part of the next one
    if (thread := AHEAD._thread) is not None:
        thread.join()
    Settings.jit, Settings.baseline = jit, baseline
    assert not current().recorders, "the test left a tape listening"


@pytest.fixture
def natively(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Functions are compiled at their first call, on as many threads as a test says."""
    monkeypatch.setattr(Settings, "jit", True)
    before = parallel.threads()
    yield
    parallel.set_threads(before)


@pytest.fixture(autouse=True)
def returns_what_it_says(request: pytest.FixtureRequest) -> Iterator[None]:
    """While the example of a docstring runs, public functions return what their annotations say."""
    if not isinstance(request.node, pytest.DoctestItem):
        yield
        return
    with returned_types.looking():
        yield


@pytest.fixture(autouse=True)
def examples_know_tf(request: pytest.FixtureRequest) -> None:
    """In the examples of docstrings `tf` is `pullback`, `tf1` its `compat.v1` and `xp` its array API; pages say it themselves."""
    if isinstance(request.node, pytest.DoctestItem) and request.node.path.suffix == ".py":
        assert request.node.dtest is not None
        request.node.dtest.globs |= {"tf": pullback, "tf1": pullback.compat.v1, "xp": sys.modules.get("pullback.array_api")}


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What tests compile is not kept in the user's cache, nor taken from it."""
    os.environ["PULLBACK_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
