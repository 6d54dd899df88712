"""Training of which a replica is killed in step 5, once: "behind" its checkpoint, or "between" the sum and the update.

It goes on from the last checkpoint.
"""

import os
import sys

import pullback as tf
import pullback.distribute as hvd

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    step, weight = tf.Variable(0), tf.Variable(0.0)
manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=step, weight=weight), sys.argv[1], max_to_keep=2)
manager.restore_or_initialize()
print("replica", hvd.rank(), "begins at", int(step), flush=True)


def die(place: str) -> None:
    if sys.argv[2] == place and int(step) == 5 - (place == "between") and hvd.rank() == 1 and os.environ["PULLBACK_RESTART"] == "0":
        os.kill(os.getpid(), 9)


while int(step) < 8:
    change = hvd.all_reduce(1.0)
    die("between")
    weight.assign_add(change)
    step.assign_add(1)
    manager.save()
    die("behind")
print("replica", hvd.rank(), "ends with", float(weight), flush=True)
