"""An image classifier by fit: a residual network as a functional model, callbacks, a validation split, and what it looks at."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(7)

# Bars in four directions, with noise.
rng = np.random.default_rng(0)
labels = rng.integers(0, 4, 480)
y, x = np.mgrid[0:12, 0:12]
waves = np.stack([np.sin(x), np.sin(y), np.sin(x + y), np.sin(x - y)])
images = (waves[labels] + 0.8 * rng.standard_normal((480, 12, 12))).astype("float32")[..., None]


def residual(h, filters):
    left = layers.Conv2D(filters, 3, padding="same", use_bias=False)(h)
    left = layers.ReLU()(layers.BatchNormalization()(left))
    left = layers.Conv2D(filters, 3, padding="same", use_bias=False)(left)
    return layers.ReLU()(layers.Add()([layers.Conv2D(filters, 1)(h), left]))


inputs = keras.Input((12, 12, 1))
h = residual(inputs, 8)
h = layers.MaxPooling2D()(h)
h = residual(h, 16)
h = layers.GlobalAveragePooling2D()(h)
h = layers.Dropout(0.2)(h)
model = keras.Model(inputs, layers.Dense(4)(h))

model.compile(
    optimizer=keras.optimizers.SGD(0.05, momentum=0.9),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
history = model.fit(
    images[:400], labels[:400], batch_size=40, epochs=4, validation_split=0.2, verbose=0,
    callbacks=[keras.callbacks.ReduceLROnPlateau(monitor="val_loss", patience=1), keras.callbacks.TerminateOnNaN()],
)
for epoch, (loss, val) in enumerate(zip(history.history["loss"], history.history["val_loss"])):
    print(f"epoch {epoch}: loss {loss:.3f}, validation {val:.3f}")

loss, accuracy = model.evaluate(images[400:], labels[400:], verbose=0)
print(f"{model.count_params()} parameters; on new images: loss {loss:.3f}, accuracy {accuracy:.2f}")

saliency = tf.Variable(images[400:401])
with tf.GradientTape() as tape:
    score = tf.reduce_max(model(saliency, training=False))
print("pixels by influence:", np.argsort(-np.abs(tape.gradient(score, saliency).numpy().ravel()))[:3])
