"""Writers of checkpoints that are killed at any moment: the last complete checkpoint restores, and nothing of them stays.

A child process saves without end and says before each save which number it writes.  It is killed, the folder is looked at, and the next
child goes on from there.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pullback as tf
from tests.against.report import Difference, Part, Progress

_WRITER = """
import sys
import pullback as tf

step, more = tf.Variable(0), [tf.Variable(tf.zeros([200])) for _ in range(3)]
manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=step, more=more), sys.argv[1], max_to_keep=2)
manager.restore_or_initialize()
print("ready", flush=True)
while True:
    step.assign_add(1)
    for v in more:
        v.assign(tf.fill([200], tf.cast(step, tf.float32)))
    manager.save()
    print(int(step), flush=True)
"""

SAVES = "saves that returned"
FAULTS = ("lost", "mixed", "unreadable", "left over")


def run(count: int = 1000) -> Part:
    """Kill `count` writers; what is found, and the goal that nothing is lost."""
    found = kill_writers(count)
    bad = {kind: number for kind, number in found.items() if kind in FAULTS and number}
    good = count - min(sum(bad.values()), count) if found[SAVES] else 0  # where nothing was saved, nothing could be lost
    part = Part("kills", dict(found), {"kills that lose nothing": (good, count, 1.0)})
    for kind, number in bad.items():
        part.add(Difference("CheckpointManager.save", kind, f"{number} times in {count} kills", number))
    return part


def kill_writers(count: int, seed: int = 0, longest: float = 0.05) -> dict[str, int]:
    """Kill `count` writers, one after another, in the same folder.

    Returns:
        How many were killed; how many of their saves had returned; how often the folder's latest checkpoint was lost (older than the last
        save that had returned), mixed (values of two saves) or unreadable; how many files were there at the end that no checkpoint of the
        folder's list is.

    Raises:
        RuntimeError: A writer ended by itself.
    """
    draw = random.Random(seed)
    found = dict.fromkeys(("killed", SAVES, *FAULTS), 0)
    progress = Progress("kills", count)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(count):
            saved = _kill_a_writer(folder, draw.uniform(0.0, longest))
            found["killed"] += 1
            found[SAVES] += len(saved)
            for fault in _faults(folder, saved[-1] if saved else None):
                found[fault] += 1
            progress.step()
        progress.end()
        found["left over"] = len(_left_over(folder))
    return found


def _kill_a_writer(folder: str, after: float) -> list[int]:
    """Kill a writer some time after it began to save; the numbers of the saves that returned."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", _WRITER, folder], stdout=subprocess.PIPE, text=True, env=environment) as writer:
        assert writer.stdout is not None
        if writer.stdout.readline() != "ready\n":
            raise RuntimeError("a writer failed before it began to save")
        time.sleep(after)
        writer.send_signal(signal.SIGKILL)
        saved = [int(line) for line in writer.stdout.read().split("\n")[:-1]]
    if writer.returncode != -signal.SIGKILL:
        raise RuntimeError(f"a writer ended by itself after {len(saved)} saves, with status {writer.returncode}")
    return saved


def _faults(folder: str, saved: int | None) -> list[str]:
    step, more = tf.Variable(0), [tf.Variable(tf.zeros([200])) for _ in range(3)]
    try:
        latest = tf.train.latest_checkpoint(folder)
        if latest is None:
            return [] if saved is None and tf.train.get_checkpoint_state(folder) is None else ["lost"]
        tf.train.Checkpoint(step=step, more=more).restore(latest).assert_existing_objects_matched().expect_partial()
    except tf.errors.OpError:
        return ["unreadable"]
    now = int(step)
    lost = saved is not None and now < saved
    mixed = any(v.numpy().min() != now or v.numpy().max() != now for v in more)
    return ["lost"] * lost + ["mixed"] * mixed


def _left_over(folder: str) -> list[str]:
    """After one more save that is left in peace: what is no checkpoint of the list."""
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=tf.Variable(0)), folder, max_to_keep=2)
    checkpoint = manager.checkpoint
    if manager.latest_checkpoint is not None:
        checkpoint.restore(manager.latest_checkpoint).expect_partial()
    kept = {Path(str(path)).name for path in (manager.save(), *manager.checkpoints)}
    return [name for name in os.listdir(folder) if name != "checkpoint" and name.removesuffix(".safetensors") not in kept]
