"""Deterministic policy gradient: an actor pushed by the critic's action gradient.

The actor's gradient is tf.gradients(action, parameters, -dQ/da): grad_ys carries the critic's opinion of each action, and
because tf.gradients sums over the batch, the result is divided by the batch size to make it the mean.
The task: bring a point with a position and a velocity to rest at the origin.
"""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.enable_resource_variables()

STATE, ACTION, HIDDEN, BATCH = 2, 1, 32, 32
GAMMA, TAU = 0.95, 0.02
rng = np.random.RandomState(7)


def dense(x, n_in, n_out, name, activation=None, scale=None):
    scale = 1.0 / np.sqrt(n_in) if scale is None else scale
    w = tf.get_variable(name + '_w', initializer=rng.uniform(-scale, scale, (n_in, n_out)).astype(np.float32))
    b = tf.get_variable(name + '_b', initializer=np.zeros(n_out, np.float32))
    y = tf.matmul(x, w) + b
    return y if activation is None else activation(y)


class Actor:
    def __init__(self, sess, lr):
        self.sess = sess
        self.state, self.out, self.params = self.network('actor')
        self.target_state, self.target_out, self.target_params = self.network('target_actor')
        self.update_target = [t.assign(TAU * p + (1. - TAU) * t) for p, t in zip(self.params, self.target_params)]
        self.action_gradient = tf.placeholder(tf.float32, [None, ACTION])
        summed = tf.gradients(self.out, self.params, -self.action_gradient)
        self.actor_gradients = [tf.div(g, BATCH) for g in summed]
        self.optimize = tf.train.AdamOptimizer(lr).apply_gradients(zip(self.actor_gradients, self.params))

    def network(self, scope):
        with tf.variable_scope(scope):
            state = tf.placeholder(tf.float32, [None, STATE], name='state')
            net = dense(state, STATE, HIDDEN, 'h1', tf.nn.relu)
            net = dense(net, HIDDEN, HIDDEN, 'h2', tf.nn.relu)
            out = dense(net, HIDDEN, ACTION, 'out', tf.tanh, scale=3e-3)
        return state, out, tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope=scope + '/')

    def predict(self, s):
        return self.sess.run(self.out, {self.state: s})

    def predict_target(self, s):
        return self.sess.run(self.target_out, {self.target_state: s})

    def train(self, s, action_gradient):
        self.sess.run(self.optimize, {self.state: s, self.action_gradient: action_gradient})


class Critic:
    def __init__(self, sess, lr):
        self.sess = sess
        self.state, self.action, self.out, self.params = self.network('critic')
        self.target_state, self.target_action, self.target_out, self.target_params = self.network('target_critic')
        self.update_target = [t.assign(TAU * p + (1. - TAU) * t) for p, t in zip(self.params, self.target_params)]
        self.wanted = tf.placeholder(tf.float32, [None, 1])
        self.loss = tf.reduce_mean(tf.square(self.wanted - self.out))
        self.optimize = tf.train.AdamOptimizer(lr).minimize(self.loss, var_list=self.params)
        self.action_grads = tf.gradients(self.out, self.action)

    def network(self, scope):
        with tf.variable_scope(scope):
            state = tf.placeholder(tf.float32, [None, STATE], name='state')
            action = tf.placeholder(tf.float32, [None, ACTION], name='action')
            net = dense(state, STATE, HIDDEN, 'h1', tf.nn.relu)
            net = tf.nn.relu(dense(net, HIDDEN, HIDDEN, 's') + dense(action, ACTION, HIDDEN, 'a'))
            out = dense(net, HIDDEN, 1, 'out', scale=3e-3)
        return state, action, out, tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope=scope + '/')


def step(s, a):
    position, velocity = s[:, 0], s[:, 1]
    velocity = 0.9 * velocity + 0.3 * a[:, 0]
    after = np.stack([position + 0.3 * velocity, velocity], axis=1)
    return after, -(after ** 2).sum(1, keepdims=True) - 0.05 * a ** 2


def main():
    with tf.Session() as sess:
        actor, critic = Actor(sess, 2e-3), Critic(sess, 5e-3)
        sess.run(tf.global_variables_initializer())
        start = [t.assign(p) for p, t in zip(actor.params + critic.params, actor.target_params + critic.target_params)]
        sess.run(start)
        for k in range(151):
            s = rng.uniform(-1, 1, (BATCH, STATE))
            a = np.clip(actor.predict(s) + 0.5 * rng.standard_normal((BATCH, ACTION)), -1, 1)
            after, reward = step(s, a)
            q_after = sess.run(critic.target_out, {critic.target_state: after, critic.target_action: actor.predict_target(after)})
            loss, _ = sess.run([critic.loss, critic.optimize],
                               {critic.state: s, critic.action: a, critic.wanted: reward + GAMMA * q_after})
            grads = sess.run(critic.action_grads, {critic.state: s, critic.action: actor.predict(s)})
            actor.train(s, grads[0])
            sess.run([actor.update_target, critic.update_target])
            if k % 50 == 0:
                print('step %d: critic loss %.5f, mean dQ/da %.5f' % (k, loss, grads[0].mean()))
        s, total = np.array([[1., 0.], [-1., 0.5], [0.3, -0.8]]), 0.
        for _ in range(10):
            s, reward = step(s, actor.predict(s))
            total += reward.sum()
        print('return of three trips: %.4f' % total)


main()
