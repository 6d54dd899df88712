"""WGAN-GP on points of a ring: the critic's loss holds the norm of its own gradient, so training it needs a second derivative."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.enable_resource_variables()

BATCH, NOISE, HIDDEN, LAMBDA, CRITIC_ITERS = 64, 4, 32, 10.0, 3
rng = np.random.RandomState(11)


def linear(name, x, n_in, n_out):
    with tf.variable_scope(name):
        w = tf.get_variable('w', [n_in, n_out], initializer=tf.constant_initializer(start(name, (n_in, n_out))))
        b = tf.get_variable('b', [n_out], initializer=tf.zeros_initializer())
    return tf.nn.bias_add(tf.matmul(x, w), b)


def start(name, shape):
    seed = sum(ord(c) for c in name) + shape[0] + shape[1]
    return np.random.RandomState(seed).normal(0, 1 / np.sqrt(shape[0]), shape).astype(np.float32)


def generator(noise):
    with tf.variable_scope('Generator', reuse=tf.AUTO_REUSE):
        h = tf.nn.relu(linear('g1', noise, NOISE, HIDDEN))
        h = tf.nn.relu(linear('g2', h, HIDDEN, HIDDEN))
        return linear('g3', h, HIDDEN, 2)


def critic(x):
    with tf.variable_scope('Critic', reuse=tf.AUTO_REUSE):
        h = tf.nn.leaky_relu(linear('c1', x, 2, HIDDEN))
        h = tf.nn.leaky_relu(linear('c2', h, HIDDEN, HIDDEN))
        return tf.reshape(linear('c3', h, HIDDEN, 1), [-1])


real = tf.placeholder(tf.float32, [BATCH, 2], name='real')
noise = tf.placeholder(tf.float32, [BATCH, NOISE], name='noise')
alpha = tf.placeholder(tf.float32, [BATCH, 1], name='alpha')

fake = generator(noise)
critic_real, critic_fake = critic(real), critic(fake)
gen_cost = -tf.reduce_mean(critic_fake)
critic_cost = tf.reduce_mean(critic_fake) - tf.reduce_mean(critic_real)

interpolates = real + alpha * (fake - real)
gradients = tf.gradients(critic(interpolates), [interpolates])[0]
slopes = tf.sqrt(tf.reduce_sum(tf.square(gradients), reduction_indices=[1]))
slope_mean = tf.reduce_mean(slopes)
gradient_penalty = tf.reduce_mean((slopes - 1.) ** 2)
critic_cost += LAMBDA * gradient_penalty

gen_vars = [v for v in tf.trainable_variables() if v.name.startswith('Generator')]
critic_vars = [v for v in tf.trainable_variables() if v.name.startswith('Critic')]
gen_train = tf.train.AdamOptimizer(1e-3, beta1=0.5, beta2=0.9).minimize(gen_cost, var_list=gen_vars)
critic_train = tf.train.AdamOptimizer(1e-3, beta1=0.5, beta2=0.9).minimize(critic_cost, var_list=critic_vars)


def batch():
    angle = rng.uniform(0, 2 * np.pi, BATCH)
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) + 0.05 * rng.standard_normal((BATCH, 2))
    return {real: points, noise: rng.standard_normal((BATCH, NOISE)), alpha: rng.uniform(0, 1, (BATCH, 1))}


print('critic:', [v.name for v in critic_vars])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for iteration in range(61):
        for _ in range(CRITIC_ITERS):
            cost, penalty, slope, _ = session.run([critic_cost, gradient_penalty, slope_mean, critic_train], batch())
        gen, _ = session.run([gen_cost, gen_train], {noise: rng.standard_normal((BATCH, NOISE))})
        if iteration % 20 == 0:
            print('iteration %d: critic %.4f generator %.4f penalty %.4f slope %.4f' % (iteration, cost, gen, penalty, slope))
    samples = session.run(fake, {noise: rng.standard_normal((BATCH, NOISE))})
    print('mean radius of samples: %.4f' % np.linalg.norm(samples, axis=1).mean())
