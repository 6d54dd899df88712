"""A variational autoencoder as Keras programs write it: a sampling layer, and a train_step of its own with the tape."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(11)

# Bumps on a ring: 24 numbers each, of which a place and a width are all there is to know.
rng = np.random.default_rng(1)
place, width = rng.uniform(0, 2 * np.pi, 512), rng.uniform(0.3, 0.8, 512)
angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
data = np.exp((np.cos(angles - place[:, None]) - 1) / width[:, None] ** 2).astype("float32")


class Sampling(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seed_generator = keras.random.SeedGenerator(1337)

    def call(self, inputs):
        mean, log_var = inputs
        epsilon = keras.random.normal(tf.shape(mean), seed=self.seed_generator)
        return mean + tf.exp(0.5 * log_var) * epsilon


encoder_inputs = keras.Input((24,))
h = layers.Dense(32, activation="tanh")(encoder_inputs)
z_mean, z_log_var = layers.Dense(2, name="z_mean")(h), layers.Dense(2, name="z_log_var")(h)
encoder = keras.Model(encoder_inputs, [z_mean, z_log_var, Sampling()([z_mean, z_log_var])], name="encoder")
decoder = keras.Sequential([keras.Input((2,)), layers.Dense(32, activation="tanh"), layers.Dense(24, activation="sigmoid")], name="decoder")


class VAE(keras.Model):
    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.decoder = encoder, decoder
        self.total, self.rebuilt, self.kl = (keras.metrics.Mean(name=name) for name in ("loss", "reconstruction", "kl"))

    @property
    def metrics(self):
        return [self.total, self.rebuilt, self.kl]

    def train_step(self, data):
        with tf.GradientTape() as tape:
            mean, log_var, z = self.encoder(data, training=True)
            losses = keras.losses.binary_crossentropy(data[..., None], self.decoder(z)[..., None])
            reconstruction = tf.reduce_mean(tf.reduce_sum(losses, axis=1))
            kl = tf.reduce_mean(tf.reduce_sum(-0.5 * (1 + log_var - tf.square(mean) - tf.exp(log_var)), axis=1))
            loss = reconstruction + 0.2 * kl
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_weights), self.trainable_weights))
        for metric, value in zip(self.metrics, (loss, reconstruction, kl)):
            metric.update_state(value)
        return {metric.name: metric.result() for metric in self.metrics}


vae = VAE(encoder, decoder)
vae.compile(optimizer=keras.optimizers.Adam(0.005))
history = vae.fit(data, epochs=5, batch_size=64, verbose=0).history
for name, values in history.items():
    print(name, " ".join(f"{value:.3f}" for value in values))

mean, _, _ = encoder.predict(data[:4], verbose=0)
print("means of four:", np.round(mean, 2).tolist())
print("decoded middle:", np.round(decoder(np.zeros((1, 2), "float32")).numpy()[0, ::6], 3).tolist())
