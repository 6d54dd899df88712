"""Proximal policy optimization with a Gaussian policy in TensorFlow 1: tf.distributions.Normal, ratios of densities, a KL penalty.

One-step episodes: an action is good where it is near a linear function of the state. The draws come from NumPy.
"""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.enable_resource_variables()

rng = np.random.RandomState(12)
STATE, ACTION, BATCH = 3, 2, 64


def policy(name, state, trainable):
    with tf.variable_scope(name):
        start = np.random.RandomState(1)
        w1 = tf.get_variable('w1', initializer=start.normal(0, 0.5, (STATE, 16)).astype(np.float32), trainable=trainable)
        w2 = tf.get_variable('w2', initializer=start.normal(0, 0.3, (16, ACTION)).astype(np.float32), trainable=trainable)
        log_std = tf.get_variable('log_std', [ACTION], initializer=tf.zeros_initializer(), trainable=trainable)
        mean = tf.matmul(tf.tanh(tf.matmul(state, w1)), w2)
        dist = tf.distributions.Normal(loc=mean, scale=tf.exp(log_std))
    return dist, tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=name)


state = tf.placeholder(tf.float32, [None, STATE], 'state')
action = tf.placeholder(tf.float32, [None, ACTION], 'action')
advantage = tf.placeholder(tf.float32, [None, 1], 'advantage')

pi, pi_params = policy('pi', state, trainable=True)
old, old_params = policy('oldpi', state, trainable=False)
ratio = pi.prob(action) / old.prob(action)
surrogate = ratio * advantage
clipped = tf.clip_by_value(ratio, 0.8, 1.2) * advantage
kl = tf.reduce_mean(tf.distributions.kl_divergence(old, pi))
loss = -tf.reduce_mean(tf.minimum(surrogate, clipped)) + 0.1 * kl - 0.001 * tf.reduce_mean(pi.entropy())
train = tf.train.AdamOptimizer(0.02).minimize(loss)
update_old = [o.assign(p) for p, o in zip(pi_params, old_params)]
target = rng.normal(size=(STATE, ACTION))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for iteration in range(31):
        s = rng.normal(size=(BATCH, STATE))
        mean, std = sess.run([old.mean(), old.stddev()], {state: s})
        a = mean + std * rng.normal(size=mean.shape)
        reward = -((a - s @ target) ** 2).sum(1, keepdims=True)
        feed = {state: s, action: a, advantage: (reward - reward.mean()) / reward.std()}
        for _ in range(3):
            sess.run(train, feed)
        if iteration % 10 == 0:
            values = sess.run([loss, kl, tf.reduce_mean(pi.entropy()), tf.reduce_mean(pi.log_prob(action))], feed)
            print('iteration %d: reward %.4f' % (iteration, reward.mean()), 'loss %.5f kl %.5f entropy %.5f log p %.5f' % tuple(values))
        sess.run(update_old)
    print('probability of an action below the mean', sess.run(pi.cdf(pi.loc), {state: s}).ravel()[:2], pi.sample(5).shape)
