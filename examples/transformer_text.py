"""A transformer that classifies text: vectorized words, embeddings of tokens and places, attention with a mask, and its own training."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(5)
rng = np.random.default_rng(9)
good, bad, plain = "fine warm kind bright sweet".split(), "cold grey rude dull sour".split(), "the a tea day walk was and very".split()


def sentence(label):
    more, less = (good, bad) if label else (bad, good)
    words = [*rng.choice(plain, rng.integers(3, 8)), *rng.choice(more, 2), *rng.choice(less, 1)]
    return " ".join(rng.permutation(words))


labels = rng.integers(0, 2, 192)
texts = [sentence(label) for label in labels]
table = {word: number for number, word in enumerate(sorted(good + bad + plain), 1)}
ids = np.zeros((192, 10), "int32")
for row, text in zip(ids, texts):
    row[: len(text.split())] = [table[word] for word in text.split()]


class Places(layers.Layer):
    def __init__(self, words, size, length):
        super().__init__()
        self.words, self.places, self.length = layers.Embedding(words, size, mask_zero=True), layers.Embedding(length, size), length
        self.supports_masking = True

    def call(self, ids):
        return self.words(ids) + self.places(tf.range(self.length))

    def compute_mask(self, ids, mask=None):
        return self.words.compute_mask(ids)


inputs = keras.Input((10,), dtype="int32")
h = Places(len(table) + 1, 16, 10)(inputs)
seen = layers.MultiHeadAttention(2, 8)(h, h)
h = layers.LayerNormalization()(h + seen)
h = layers.LayerNormalization()(h + layers.Dense(16)(layers.Dense(32, activation="gelu")(h)))
h = layers.GlobalAveragePooling1D()(h)
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(h))
model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy", metrics=["accuracy"])
history = model.fit(ids[:144], labels[:144], epochs=8, batch_size=24, shuffle=False, verbose=0)
print("loss " + " ".join(f"{loss:.3f}" for loss in history.history["loss"][::2]))
loss, accuracy = model.evaluate(ids[144:], labels[144:], verbose=0)
print(f"{model.count_params()} parameters; on new sentences: loss {loss:.2f}, accuracy {accuracy:.2f}")
