"""`make keras` goes on where it was broken off, and after a test that its process ended in."""

import os
import subprocess
import sys
from pathlib import Path

from tests import keras_suite

ROOT = Path(__file__).parents[1]
TESTS = """
import os
def test_before(): pass
def test_that_ends_the_process(): os._exit(3)
def test_after(): pass
"""
PROGRAM = """
import sys
from pathlib import Path
from tests import keras_suite
keras_suite.find_source = lambda: Path(sys.argv[1])
keras_suite.run_files("pullback", Path(sys.argv[2]), 60, [["some_test.py"]])
"""


def test_a_run_goes_on(tmp_path: Path) -> None:
    source, kept = tmp_path / "keras" / "src", tmp_path / "kept"
    source.mkdir(parents=True)
    kept.mkdir()
    (source / "some_test.py").write_text(TESTS)

    def run() -> int:
        path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
        environment = {**os.environ, "PYTHONPATH": path, "KERAS_BACKEND": "tensorflow"}
        command = [sys.executable, "-c", PROGRAM, str(source), str(kept)]
        return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, check=False).returncode

    def outcomes() -> dict[str, str]:
        found = keras_suite.read_tests(kept / "some_test.partial") or keras_suite.read_results(kept, "some_test.py") or {}
        assert all(name.startswith("some_test.py::") for name in found)
        return {name.partition("::")[2]: test["outcome"] for name, test in found.items()}

    assert run() == 3
    assert outcomes() == {"test_before": "passed", "test_that_ends_the_process": "begun"}
    assert run() == 3  # as when the whole was broken off: the test is begun again
    keras_suite.fail_unfinished(kept, ["some_test.py"], "the process ended with 3")
    assert outcomes() == {"test_before": "passed", "test_that_ends_the_process": "failed"}
    assert run() == 0
    assert outcomes() == {"test_before": "passed", "test_that_ends_the_process": "failed", "test_after": "passed"}
    assert keras_suite.find_missing(kept, {"some_test.py": []}) == []
