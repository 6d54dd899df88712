"""Faults of the system, which every replica hears of, and behind which the program goes on."""

import os
import resource
import sys
from pathlib import Path

import pullback as tf
import pullback.distribute as hvd
from pullback.kernels.collective.world import world


def allow_files_of(size: int) -> None:
    """From now on this process writes no file of more bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def fill(folder: Path) -> None:
    try:
        with open(folder / "filler", "wb", buffering=0) as file:
            while True:
                file.write(bytes(1024))
    except OSError:
        return


def save_to_a_full_disk(folder: Path, kind: type[tf.errors.OpError], words: list[str]) -> None:
    """A save that fails is the same error on all, and loses nothing: the checkpoint before it, the numbers and the order stay."""
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        weight = tf.Variable(tf.fill([500], 1.0))
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(weight=weight), str(folder), max_to_keep=3)
    first = manager.save()
    weight.assign_add(tf.ones([500]))
    if hvd.rank() == 0:
        fill(folder) if kind is tf.errors.ResourceExhaustedError else allow_files_of(100)
    try:
        manager.save()
    except kind as error:
        missing = [word for word in [*words, "replica 0", "which writes for all", str(folder)] if word not in str(error)]
        assert not missing, f"{missing} not in {error}"
    else:
        raise AssertionError("saved to a full disk")
    assert hvd.all_reduce(1.0).numpy() == hvd.size()
    assert not list(folder.glob("*.part"))
    assert tf.train.latest_checkpoint(str(folder)) == first
    assert weight.numpy().tolist() == [2.0] * 500
    assert hvd.all_reduce(1.0).numpy() == hvd.size(), "all have looked before the next save begins"
    if hvd.rank() == 0:
        (folder / "filler").unlink(missing_ok=True)
        allow_files_of(resource.RLIM_INFINITY)
    last = manager.save()
    weight.assign(tf.zeros([500]))
    for path, wanted in ((first, 1.0), (last, 2.0)):
        manager.checkpoint.restore(path)
        assert weight.numpy().tolist() == [wanted] * 500


what, *arguments = sys.argv[1:]
if what == "full disk":
    save_to_a_full_disk(Path(arguments[0]), tf.errors.ResourceExhaustedError, ["No space left on device"])
elif what == "files that may not grow":
    save_to_a_full_disk(Path(arguments[0]), tf.errors.OutOfRangeError, ["File too large"])
elif what == "no room for common memory":
    if os.environ["OMPI_COMM_WORLD_RANK"] == "0":
        allow_files_of(100_000)  # of the 16 MB that two processes share
    hvd.init()
    allow_files_of(resource.RLIM_INFINITY)
elif what == "one may not have common memory":
    os.environ["PULLBACK_MPI_SHARED"] = str(int(os.environ["OMPI_COMM_WORLD_RANK"] == "0"))
if what.endswith("common memory"):
    assert hvd.all_reduce(tf.range(3.0)).numpy().tolist() == [0.0, hvd.size(), 2.0 * hvd.size()]
    channel = world().channel
    assert channel is not None
    assert channel.memory is None
assert not [name for name in os.listdir("/dev/shm") if name.startswith("pullback-") and str(os.getpid()) in name]
print("ok", hvd.rank())
