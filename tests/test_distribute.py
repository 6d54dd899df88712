"""`tf.distribute` and Horovod's names over several processes: training, datasets, checkpoints, restarts, and the examples."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import pullback as tf

from .replicas.kit import HERE, needs_mpi, run_replicas

EXAMPLES = Path(__file__).parents[1] / "examples" / "distributed"


def test_a_process_alone_is_the_one_replica(tmp_path: Path) -> None:
    found = run_replicas(0, "strategies.py", str(tmp_path))
    assert found.returncode == 0, found.stderr


@needs_mpi
def test_strategies(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """In 2 processes, and in `make test-all` in 4."""
    for replicas in (2, 4) if request.config.getoption("--every-row") else (2,):
        folder = tmp_path / str(replicas)
        folder.mkdir()
        found = run_replicas(replicas, "strategies.py", str(folder))
        assert found.returncode == 0, found.stderr
        assert sorted(re.findall(r"ok (\d)", found.stdout)) == [str(rank) for rank in range(replicas)]


@needs_mpi
def test_the_bits_of_training_do_not_depend_on_the_number_of_processes(request: pytest.FixtureRequest) -> None:
    """The weights of 1, 2 and 4 processes are the same to the bit; of 3 too, and after 1,000 steps, in `make test-all`."""
    steps, several = ("1000", (0, 2, 3, 4)) if request.config.getoption("--every-row") else ("100", (0, 2, 4))
    bits = []
    for replicas in several:
        found = run_replicas(replicas, "training.py", steps)
        assert found.returncode == 0, found.stderr
        bits += re.findall(r"bits \d (\w+)", found.stdout)
    assert len(bits) == sum(max(1, replicas) for replicas in several)
    assert len(set(bits)) == 1


@needs_mpi
@pytest.mark.parametrize("place", ["behind", "between"])
def test_a_program_that_is_killed_goes_on_from_its_last_checkpoint(place: str, tmp_path: Path) -> None:
    """Where one dies between the sum and the update, the step counts for all of them or for none."""
    found = run_replicas(2, "restarted.py", str(tmp_path), place, restarts=1)
    assert found.returncode == 0, found.stderr
    assert "restart 1 of 1" in found.stderr
    begins = [int(step) for step in re.findall(r"begins at (\d)", found.stdout)]
    assert sorted(begins)[:2] == [0, 0]
    assert sorted(begins)[2:] in ([4, 4], [5, 5])  # the fifth may have been on its way
    assert re.findall(r"ends with ([\d.]+)", found.stdout) == ["16.0", "16.0"]


@needs_mpi
@pytest.mark.parametrize("name", [path.name for path in sorted(EXAMPLES.glob("*.py"))])
def test_the_examples_print_the_same_in_one_process_and_in_two(name: str) -> None:
    alone, together = (run_replicas(replicas, str(EXAMPLES / name)) for replicas in (0, 2))
    assert alone.returncode == 0, alone.stderr
    assert together.returncode == 0, together.stderr
    assert alone.stdout.strip()
    assert alone.stdout == together.stdout


@pytest.mark.parametrize("devices", [pytest.param((), marks=needs_mpi), ("CPU:0", "CPU:1")], ids=["processes", "devices"])
def test_fit_of_keras_learns_what_it_learns_on_tensorflow_with_two_devices(devices: tuple[str, ...]) -> None:
    found = run_replicas(0 if devices else 2, "keras_fit.py", *devices)
    assert found.returncode == 0, found.stderr
    wanted = json.loads((HERE.parent / "golden/data/replicas.json").read_text())["keras_fit"]
    learnt = json.loads(found.stdout.splitlines()[-1])
    assert learnt.keys() == wanted.keys()
    for name, values in wanted.items():
        np.testing.assert_allclose(learnt[name], values, rtol=1e-4, err_msg=name)


def test_a_batch_is_cut_in_blocks() -> None:
    x = tf.range(7.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        total, many = tf.distribute.sum_in_blocks(lambda part: (tf.reduce_sum(part**2), tf.ones([2])), x, block=3)
    assert total.numpy() == 91
    assert many.numpy().tolist() == [3, 3]
    assert tape.gradient(total, x).numpy().tolist() == [2.0 * i for i in range(7)]
    empty = tf.distribute.sum_in_blocks(tf.reduce_sum, tf.zeros([0]), block=3)
    assert empty.numpy() == 0
    with pytest.raises(ValueError, match="at least one row"):
        tf.distribute.sum_in_blocks(tf.reduce_sum, x, block=0)
    with pytest.raises(ValueError, match="one first axis of known length"):
        tf.distribute.sum_in_blocks(tf.reduce_sum, (x, tf.zeros([2])), block=3)


def test_the_programs_are_those_that_are_run() -> None:
    assert {path.name for path in HERE.glob("*.py")} == {
        "__init__.py", "kit.py", "collectives.py", "failing.py", "faults.py", "keras_fit.py", "restarted.py", "strategies.py",
        "training.py",
    }  # fmt: skip
