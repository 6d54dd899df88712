"""Collectives, and `pullback run --mpi`: in one process, and in 2, 3 and 4."""

import os
import re
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import pullback as tf
from pullback.cli import launch
from pullback.cli.main import main
from pullback.kernels.collective import channel
from pullback.kernels.collective.arrays import _groups
from pullback.kernels.collective.channel import Header
from pullback.kernels.collective.summation import sum_of_tree, sums_of_branches, whole_branches
from pullback.kernels.collective.world import world
from pullback.ops.collective.buckets import all_reduce_together

from .replicas.kit import needs_mpi, needs_small_folder, run_replicas


@pytest.mark.skipif(not hasattr(os, "sched_yield"), reason="this system cannot give way without a pause")
def test_who_waits_for_less_than_a_millisecond_does_not_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's sleep of no time takes as long as two sums: who slept came later, so that the other one slept next."""
    now, slept = [0.0], []

    def clock() -> float:
        now[0] += 1e-5
        return now[0]

    monkeypatch.setattr(channel.time, "monotonic", clock)
    monkeypatch.setattr(channel.time, "sleep", slept.append)
    waiting = channel.Channel.__new__(channel.Channel)
    waiting.timeout, waiting._background_thread = 60.0, 0
    waiting._wait(lambda: now[0] > 9e-4, set, "here")
    assert not slept
    waiting._wait(lambda: len(slept) > 2, set, "here")
    assert slept[0] < slept[1] < slept[2]


def tree_sum(terms: list[np.float32]) -> np.float32:
    """What `summation` promises, said again: neighbours are added up, level by level."""
    while len(terms) > 1:
        terms = [sum(terms[i + 1 : i + 2], terms[i]) for i in range(0, len(terms), 2)]
    return terms[0]


@pytest.mark.parametrize("total", range(1, 20))
def test_sums_do_not_depend_on_how_terms_are_spread(total: int) -> None:
    terms = (np.random.default_rng(total).normal(size=(total, 3)) * 10.0 ** np.arange(3)).astype(np.float32)
    wanted = np.array([tree_sum(list(column)) for column in terms.T])
    for first in range(total + 1):
        for second in range(first, total + 1):
            sums = {}
            for start, end in ((0, first), (first, second), (second, total)):
                branches = whole_branches(start, end - start, total)
                sums |= dict(zip(branches, sums_of_branches(terms[start:end], start, total), strict=True))
            np.testing.assert_array_equal(sum_of_tree(sums, total, set()), wanted)


def test_few_sums_leave_a_process() -> None:
    assert len(whole_branches(333, 400, 1000)) <= 2 * 10


def test_sums_begin_as_soon_as_their_gradients_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world(), "overlaps", True)
    weights = [tf.Variable(tf.ones([3, 3])) for _ in range(3)]

    def step(x: tf.Tensor) -> list[tf.Tensor]:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.tanh(tf.tanh(x @ weights[0]) @ weights[1]) @ weights[2])
        return all_reduce_together(tape.gradient(y, weights), bucket_bytes=1)

    x = tf.ones([2, 3])
    known = [g.numpy() for g in step(x)]
    for f in (tf.function(step), tf.function(step, jit_compile=True)):
        for g, wanted in zip(f(x), known, strict=True):
            np.testing.assert_allclose(g, wanted, rtol=1e-6)
    computed = [" ".join(part.operations) for part in f.explain(x).parts]
    starts = [i for i, ops in enumerate(computed) if ops == "ReplicaAllReduceStart"]
    assert len(starts) == 3
    assert all(any("MatMul" in ops for ops in computed[a:b]) for a, b in pairwise(starts)), computed


def test_sums_at_the_end_of_a_step_are_one_call_and_join_nothing() -> None:
    weights = [tf.Variable(tf.ones([3, 3])), tf.Variable(tf.ones([3], tf.float64))]

    @tf.function(jit_compile=True)
    def step(x: tf.Tensor) -> list[tf.Tensor]:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.tanh(x @ weights[0]) * tf.cast(weights[1], tf.float32))
        return all_reduce_together(tape.gradient(y, weights))

    computed = [name for part in step.explain(tf.ones([2, 3])).parts for name in part.operations]
    assert computed.count("ReplicaAllReduceFinish") == 1
    assert not {"ConcatV2", "Split", "SplitV", "ReplicaAllReduceStart"} & set(computed)


def test_groups_of_arrays() -> None:
    sizes = [1, 60, 30, 200, 1, 100, 1]  # in lines of 64 bytes
    groups = _groups([np.zeros(64 * n, np.uint8) for n in sizes], 64 * 100)
    assert [[len(x) // 64 for x in group] for group in groups] == [[1, 60, 30], [200], [1], [100], [1]]


def test_headers_with_long_texts_differ_where_the_texts_do() -> None:
    one, other = (Header.unpack_bytes(Header(0, 1, 2, "float32 [1], " * 200 + last).pack_bytes()) for last in "ab")
    assert one.text != other.text
    assert one.text.startswith("float32 [1], float32")


def test_one_process_needs_no_mpi() -> None:
    found = run_replicas(0, "collectives.py")
    assert found.returncode == 0, found.stderr
    assert "ok 0" in found.stdout


@needs_mpi
def test_two_and_four_processes(request: pytest.FixtureRequest) -> None:
    """The program compares with NumPy; the bits of a sum of 37 rows are those of one process.  3 processes in `make test-all`."""
    bits = set()
    for replicas in (0, 2, 3, 4) if request.config.getoption("--every-row") else (0, 2, 4):
        found = run_replicas(replicas, "collectives.py")
        assert found.returncode == 0, found.stderr
        assert sorted(re.findall(r"ok (\d)", found.stdout)) == [str(rank) for rank in range(max(1, replicas))]
        bits |= set(re.findall(r"bits \d (\w+)", found.stdout))
    assert len(bits) == 1


@needs_mpi
@pytest.mark.parametrize("how", ["unwanted", "no room in /dev/shm"])
def test_processes_without_common_memory(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on several machines: Open MPI sends everything through sockets.  No sum goes on while the program computes."""
    before = () if how == "unwanted" else needs_small_folder(Path("/dev/shm"))
    monkeypatch.setenv("PULLBACK_MPI_OVERLAP", "0")
    monkeypatch.setenv("PULLBACK_MPI_SHARED", str(int(how != "unwanted")))
    monkeypatch.setenv("OMPI_MCA_pml", "ob1")
    monkeypatch.setenv("OMPI_MCA_btl", "tcp,self")
    found = run_replicas(2, "collectives.py", "no common memory", before=before)
    assert found.returncode == 0, found.stderr
    assert sorted(re.findall(r"ok (\d)", found.stdout)) == ["0", "1"]


@needs_mpi
@pytest.mark.parametrize("fault", ["full disk", "files that may not grow", "no room for common memory", "one may not have common memory"])
def test_a_fault_of_the_system_is_one_of_all_replicas(fault: str, tmp_path: Path) -> None:
    before = needs_small_folder(tmp_path) if fault == "full disk" else ()
    found = run_replicas(2, "faults.py", fault, str(tmp_path), before=before)
    assert found.returncode == 0, found.stderr
    assert sorted(re.findall(r"ok (\d)", found.stdout)) == ["0", "1"]


FAULTS = {
    "raises": ["replica 1 of 2", "failed with ValueError: no such file: data.csv", "replica 0 sees UnavailableError"],
    "leaves": ["sees UnavailableError replica 1 of 2", "has ended its program after all_reduce of float32 []"],
    "late": ["DeadlineExceededError replica 0 of 2", "has waited 1 s in all_reduce of float32 [3]", "for replica 1 of 2", "set_timeout"],
    "killed": ["rank 1", "signal 9"],
    "killed in a sum": ["rank 1", "signal 9"],
    "does not meet": ["replica 0 of 2", "has waited 2 s for the others to begin", "PULLBACK_MPI_TIMEOUT"],
    "raises while sums go on": ["replica 1 of 2", "failed with ValueError: no such file: data.csv", "replica 0 sees UnavailableError"],
}


@needs_mpi
@pytest.mark.parametrize("fault", FAULTS)
def test_no_replica_waits_for_one_that_is_gone(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "does not meet":
        monkeypatch.setenv("PULLBACK_MPI_TIMEOUT", "2")
    started = time.monotonic()
    found = run_replicas(2, "failing.py", fault)
    said = " ".join((found.stdout + found.stderr).split())
    assert found.returncode != 0
    assert [words for words in FAULTS[fault] if words not in said] == [], said
    assert time.monotonic() - started < 60  # the time limit is 120: nobody waited for it


@needs_mpi
def test_who_waits_for_whom_in_a_compiled_function() -> None:
    """Two of three replicas wait for the third."""
    found = run_replicas(3, "failing.py", "late")
    said = " ".join((found.stdout + found.stderr).split())
    sentence = r"DeadlineExceededError replica (\d) of 3 .* has waited 1 s in all_reduce of float32 \[3\] .*? for replica 1 of 3"
    late = re.search(sentence, said)
    assert late, said
    assert f"; replica {2 - int(late[1])} of 3" in said
    assert "waits too" in said


def run_python(program: str, **variables: str) -> str:
    """What a program of one process, started as if by MPI, says when it fails."""
    path = str(Path(tf.__file__).parents[1])
    found = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": path} | variables,
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert found.returncode != 0
    return found.stderr.splitlines()[-1]


def test_mpi4py_that_is_missing() -> None:
    program = "import sys; sys.modules['mpi4py'] = None; import pullback as tf; tf.distribute.MirroredStrategy()"
    said = run_python(program, OMPI_COMM_WORLD_SIZE="4")
    assert said.startswith("ModuleNotFoundError: this is one of 4 processes")
    assert "pip install pullback[mpi]" in said


@needs_mpi
def test_a_launcher_of_another_mpi() -> None:
    """Four programs that each believe to be alone would be worse than an error."""
    said = run_python("import pullback; pullback.distribute.size()", PMI_SIZE="4", **launch.environment({}, 1))
    assert said.startswith("RuntimeError: the launcher started 4 processes")
    assert "knows of 1" in said
    assert "pullback run --mpi" in said


def test_mpi_that_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(launch, "find_mpiexec", lambda: None)
    assert main(["run", "--mpi", "2", "program.py"]) == 2
    assert "pip install pullback[mpi]" in capsys.readouterr().err


def test_threads_are_shared_out() -> None:
    assert launch.environment({"PULLBACK_NUM_THREADS": "7"}, 2)["PULLBACK_NUM_THREADS"] == "7"
    assert launch.environment({}, 10_000)["PULLBACK_NUM_THREADS"] == "1"


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match='"SUM" or "MEAN"'):
        tf.distribute.all_reduce([1.0], "MAX")
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        tf.distribute.all_gather(tf.ones([2, 2]), axis=2)
    with pytest.raises(ValueError, match="positive"):
        tf.distribute.set_timeout(0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"there is no replica 1: there are 1"):
        tf.distribute.broadcast([1.0], root=1)
    with pytest.raises(ValueError, match="axis 0 is out of range"):
        tf.distribute.all_gather(1.0)
