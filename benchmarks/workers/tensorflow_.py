"""TensorFlow: tapes, and graphs in TensorFlow 1's manner."""

import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")

import tensorflow as tf
from protocol import serve
from tf_programs import tasks

if __name__ == "__main__":
    serve(**tasks(tf, tf.compat.v1))
