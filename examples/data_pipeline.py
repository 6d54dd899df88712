"""An input pipeline: records written to a file, read, parsed, augmented, shuffled, batched by length, and a model that learns from them."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tempfile

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
folder = tempfile.mkdtemp()
path = os.path.join(folder, "sequences.tfrecord")
with tf.io.TFRecordWriter(path) as writer:
    for _ in range(200):
        values = rng.standard_normal(rng.integers(3, 13)).astype("float32")
        features = {
            "values": tf.train.Feature(float_list=tf.train.FloatList(value=values)),
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(values.sum() > 0)])),
        }
        writer.write(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())


def parse(record):
    form = {"values": tf.io.VarLenFeature(tf.float32), "label": tf.io.FixedLenFeature([], tf.int64)}
    example = tf.io.parse_single_example(record, form)
    return tf.sparse.to_dense(example["values"]), tf.cast(example["label"], tf.float32)


data = (
    tf.data.TFRecordDataset(path)
    .map(parse, num_parallel_calls=2)
    .filter(lambda values, label: tf.size(values) > 3)
    .cache()
    .shuffle(64, seed=4)
    .map(lambda values, label: (values[::-1], label))
    .bucket_by_sequence_length(lambda values, label: tf.size(values), [6, 10], [16, 16, 16])
    .prefetch(2)
)
shapes = sorted({tuple(values.shape) for values, _ in data.take(30)}, reverse=True)
print(sum(1 for _ in data), "batches;", shapes[:3])

w = tf.Variable([0.1, 0.0], name="w")
optimizer = tf.keras.optimizers.SGD(0.3)


@tf.function(reduce_retracing=True)
def step(values, labels):
    with tf.GradientTape() as tape:
        logits = w[0] * tf.reduce_sum(values, 1) + w[1]
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss, tf.reduce_sum(tf.cast((logits > 0) == (labels > 0.5), tf.int32))


for epoch in range(3):
    losses, right, count = [], 0, 0
    for values, labels in data:
        loss, correct = step(values, labels)
        losses.append(float(loss))
        right, count = right + int(correct), count + len(labels)
    print(f"epoch {epoch}: loss {np.mean(losses):.3f}, {right} of {count} right, w {w.numpy().round(2)}")
