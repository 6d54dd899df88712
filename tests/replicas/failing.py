"""One replica does what it should not while the others wait for it."""

import os
import sys
import threading
import time

import pullback as tf
import pullback.distribute as hvd
from pullback.ops.collective.buckets import all_reduce_together

if sys.argv[1] == "does not meet" and os.environ["OMPI_COMM_WORLD_RANK"] == "1":
    time.sleep(100)
hvd.all_reduce(1.0)
if sys.argv[1] == "late":
    hvd.set_timeout(1)
if hvd.rank() == 1:
    if sys.argv[1] == "late":
        time.sleep(6)
    elif sys.argv[1].startswith("raises"):
        raise ValueError("no such file: data.csv")
    elif sys.argv[1] == "killed":
        os.kill(os.getpid(), 9)
    elif sys.argv[1] == "killed in a sum":
        threading.Timer(0.1, lambda: os.kill(os.getpid(), 9)).start()
    elif sys.argv[1] == "leaves":
        sys.exit(0)
try:
    if sys.argv[1].endswith("sums go on"):
        all_reduce_together([tf.ones([3]), tf.ones([4])], bucket_bytes=1)
    while sys.argv[1].endswith("in a sum"):
        hvd.all_reduce(tf.ones([4_000_000]))
    tf.function(hvd.all_reduce, jit_compile=sys.argv[1] == "late")(tf.ones([3]))
except tf.errors.OpError as error:
    print("replica", hvd.rank(), "sees", type(error).__name__, error, flush=True)
    raise
