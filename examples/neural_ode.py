"""Neural ODE: a while_loop solves it, custom_gradient gives the adjoint, which solves backwards and keeps no states."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
HIDDEN, STEPS, END = 16, 40, 2.0
w1 = tf.Variable(rng.normal(0, 0.4, (2, HIDDEN)), dtype=tf.float32, name='w1')
b1 = tf.Variable(tf.zeros(HIDDEN), name='b1')
w2 = tf.Variable(rng.normal(0, 0.4, (HIDDEN, 2)), dtype=tf.float32, name='w2')
weights = [w1, b1, w2]


def field(z, w):
    return tf.matmul(tf.tanh(tf.matmul(z, w[0]) + w[1]), w[2])


def runge_kutta(f, state, h):
    """One step of the classical method for a list of tensors."""
    def moved(by, k):
        return [s + by * d for s, d in zip(state, k)]
    k1 = f(state)
    k2 = f(moved(h / 2, k1))
    k3 = f(moved(h / 2, k2))
    k4 = f(moved(h, k3))
    return [s + h / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4)]


def integrate(f, state, h):
    out = tf.while_loop(lambda i, *s: i < STEPS, lambda i, *s: (i + 1, *runge_kutta(f, s, h)), (tf.constant(0), *state))
    return list(out[1:])


@tf.custom_gradient
def solve(z0, *w):
    z1, = integrate(lambda s: [field(s[0], w)], [z0], END / STEPS)

    def adjoint(g):
        def backwards(state):
            z, a = state[:2]
            with tf.GradientTape() as tape:
                tape.watch([z, *w])
                v = field(z, w)
            found = tape.gradient(v, [z, *w], output_gradients=a)
            return [v, -found[0], *(-d for d in found[1:])]
        start = [z1, g, *(tf.zeros_like(t) for t in w)]
        return integrate(backwards, start, -END / STEPS)[1:]

    return z1, adjoint


def plain(z0, *w):
    return integrate(lambda s: [field(s[0], w)], [z0], END / STEPS)[0]


def loss_of(solver, z0, target):
    return tf.reduce_mean(tf.reduce_sum((solver(z0, *[w.read_value() for w in weights]) - target) ** 2, axis=1))


# the flow to learn: a spiral
start = rng.normal(0, 1, (32, 2)).astype(np.float32)
turn = np.array([[np.cos(1.2), np.sin(1.2)], [-np.sin(1.2), np.cos(1.2)]], np.float32)
goal = 0.6 * start @ turn


@tf.function
def both_gradients():
    found = []
    for solver in (solve, plain):
        with tf.GradientTape() as tape:
            loss = loss_of(solver, start, goal)
        found.append((loss, tape.gradient(loss, weights)))
    return found


(a, ga), (b, gb) = both_gradients()
print('loss %.5f, through the solver %.5f' % (a, b))
close = all(float(tf.reduce_max(abs(g - h))) < 1e-4 for g, h in zip(ga, gb))
print('gradient norms', ['%.5f' % tf.norm(g) for g in ga], 'largest difference below 1e-4:', close)


@tf.function
def train_step(rate):
    with tf.GradientTape() as tape:
        loss = loss_of(solve, start, goal)
    for w, g in zip(weights, tape.gradient(loss, weights)):
        w.assign_sub(rate * g)
    return loss


for step in range(61):
    loss = train_step(tf.constant(0.1))
    if step % 15 == 0:
        print('step', step, 'loss %.5f' % loss)
print('where (1, 0) goes:', np.round(solve(tf.constant([[1.0, 0.0]]), *[w.read_value() for w in weights]).numpy()[0], 3))
