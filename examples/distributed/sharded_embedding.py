"""A table of embeddings too large for one process: each replica holds some of its rows, and looks up those that any replica asks for.

    pullback run --mpi 4 examples/distributed/sharded_embedding.py

A lookup is three operations: all replicas tell each other which words they want, each takes the ones that it holds, and the sum of these
goes back to who asked.  Its gradient needs no line of code: it sends each row's slope to the replica that holds the row.
"""

import numpy as np
import tensorflow as tf

import pullback.distribute as hvd

WORDS, WIDTH, BATCH = 1000, 8, 64
numbers = np.random.default_rng(0)
table = numbers.normal(scale=0.1, size=(WORDS, WIDTH)).astype(np.float32)
scores = numbers.normal(size=WORDS).astype(np.float32)  # what the rows have to learn
first, last = (WORDS * (hvd.rank() + k) // hvd.size() for k in (0, 1))
rows = tf.Variable(table[first:last])  # this replica's part of the table
head = tf.Variable(np.full((WIDTH, 1), 0.5, np.float32))  # every replica has all of this


def look_up(words):
    wanted = hvd.all_gather(words)
    is_here = (wanted >= first) & (wanted < last)
    found = tf.gather(rows, tf.where(is_here, wanted - first, 0))
    return hvd.reduce_scatter(tf.where(is_here[:, None], found, 0.0), count=tf.size(words))


for step in range(40):
    batch = numbers.integers(WORDS, size=BATCH)  # the same draw on every replica, of which each takes its share
    words = tf.constant(batch[BATCH * hvd.rank() // hvd.size() : BATCH * (hvd.rank() + 1) // hvd.size()])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((look_up(words) @ head - tf.gather(scores, words)[:, None]) ** 2) / BATCH
    of_rows, of_head = tape.gradient(loss, [rows, head])
    rows.scatter_sub(of_rows) if isinstance(of_rows, tf.IndexedSlices) else rows.assign_sub(of_rows)
    head.assign_sub(0.1 * hvd.all_reduce(of_head))
    total = hvd.all_reduce(loss)
    if step % 10 == 9 and hvd.rank() == 0:
        print(f"step {step + 1}: loss {float(total):.4f}")
