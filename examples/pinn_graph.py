"""The heat equation u_t = 0.1 u_xx by a physics-informed network in TensorFlow 1: tf.gradients of tf.gradients."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.enable_resource_variables()


class PhysicsInformedNN:
    def __init__(self, x0, u0, xb, points, layers):
        self.rng = np.random.RandomState(3)
        self.weights, self.biases = self.initialize_NN(layers)
        self.x_tf = tf.placeholder(tf.float32, shape=[None, 1])
        self.t_tf = tf.placeholder(tf.float32, shape=[None, 1])
        u_start = self.net_u(tf.constant(x0, tf.float32), tf.zeros_like(tf.constant(x0, tf.float32)))
        u_ends = self.net_u(tf.constant(xb[:, 0:1], tf.float32), tf.constant(xb[:, 1:2], tf.float32))
        f = self.net_f(self.x_tf, self.t_tf)
        self.loss_u = tf.reduce_mean(tf.square(u_start - u0)) + tf.reduce_mean(tf.square(u_ends))
        self.loss_f = tf.reduce_mean(tf.square(f))
        self.loss = self.loss_u + self.loss_f
        self.u_pred = self.net_u(self.x_tf, self.t_tf)
        self.train_op = tf.train.AdamOptimizer(0.005).minimize(self.loss)
        self.points = points
        self.sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        self.sess.run(tf.global_variables_initializer())

    def initialize_NN(self, layers):
        weights, biases = [], []
        for n_in, n_out in zip(layers[:-1], layers[1:]):
            stddev = np.sqrt(2.0 / (n_in + n_out))
            weights.append(tf.Variable(self.rng.normal(0, stddev, (n_in, n_out)), dtype=tf.float32))
            biases.append(tf.Variable(tf.zeros([1, n_out], dtype=tf.float32), dtype=tf.float32))
        return weights, biases

    def net_u(self, x, t):
        H = tf.concat([x, 2.0 * t - 1.0], 1)
        for W, b in zip(self.weights[:-1], self.biases[:-1]):
            H = tf.tanh(tf.add(tf.matmul(H, W), b))
        return tf.add(tf.matmul(H, self.weights[-1]), self.biases[-1])

    def net_f(self, x, t):
        u = self.net_u(x, t)
        u_t = tf.gradients(u, t)[0]
        u_x = tf.gradients(u, x)[0]
        u_xx = tf.gradients(u_x, x)[0]
        return u_t - 0.1 * u_xx

    def train(self, steps):
        feed = {self.x_tf: self.points[:, 0:1], self.t_tf: self.points[:, 1:2]}
        for it in range(steps):
            self.sess.run(self.train_op, feed)
            if it % 50 == 0:
                loss, loss_u, loss_f = self.sess.run([self.loss, self.loss_u, self.loss_f], feed)
                print('It: %d, Loss: %.5f, data %.5f, physics %.5f' % (it, loss, loss_u, loss_f))

    def predict(self, x, t):
        return self.sess.run(self.u_pred, {self.x_tf: x, self.t_tf: t})


rng = np.random.RandomState(5)
x0 = np.linspace(-1, 1, 21)[:, None]
u0 = (np.cos(0.5 * np.pi * x0)).astype(np.float32)
times = np.linspace(0, 1, 10)[:, None]
xb = np.vstack([np.hstack([s * np.ones_like(times), times]) for s in (-1.0, 1.0)])
points = np.hstack([rng.uniform(-1, 1, (100, 1)), rng.uniform(0, 1, (100, 1))])

model = PhysicsInformedNN(x0, u0, xb, points, [2, 16, 16, 1])
model.train(201)
u = model.predict(x0, np.full_like(x0, 0.5))
exact = np.exp(-0.1 * (0.5 * np.pi) ** 2 * 0.5) * np.cos(0.5 * np.pi * x0)
print('error at t = 0.5: %.4f' % (np.linalg.norm(u - exact) / np.linalg.norm(exact)))
