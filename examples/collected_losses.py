"""TensorFlow 1's tf.losses: each loss weighted and reduced in its own way, all collected, and one step on their sum."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.enable_resource_variables()

rng = np.random.RandomState(6)
x = tf.constant(rng.normal(size=(6, 4)), tf.float32)
classes = tf.constant(rng.randint(0, 3, 6), tf.int32)
onehot = tf.one_hot(classes, 3)
w = tf.get_variable('w', initializer=rng.normal(size=(4, 3)).astype(np.float32), regularizer=lambda v: 0.1 * tf.reduce_sum(tf.abs(v)))
logits = tf.matmul(x, w)
probabilities = tf.nn.softmax(logits)
rows = tf.constant([1., 1., 0., 2., 0.5, 0.])
columns = tf.constant([[1., 0., 3.]])
R = tf.losses.Reduction

losses = {
    'mean squared': tf.losses.mean_squared_error(onehot, probabilities),
    'mean squared, weighted': tf.losses.mean_squared_error(onehot, probabilities, weights=columns),
    'absolute': tf.losses.absolute_difference(onehot, probabilities, weights=rows[:, None], reduction=R.SUM),
    'huber': tf.losses.huber_loss(onehot, logits, delta=0.7, reduction=R.SUM_OVER_BATCH_SIZE),
    'log': tf.losses.log_loss(onehot, probabilities, weights=2.0, reduction=R.MEAN),
    'hinge': tf.losses.hinge_loss(onehot, logits, weights=0.0),
    'cosine': tf.losses.cosine_distance(tf.nn.l2_normalize(onehot, 1), tf.nn.l2_normalize(logits, 1), axis=1),
    'sigmoid': tf.losses.sigmoid_cross_entropy(onehot, logits, label_smoothing=0.1),
    'softmax': tf.losses.softmax_cross_entropy(onehot, logits, weights=rows, label_smoothing=0.2),
    'sparse softmax': tf.losses.sparse_softmax_cross_entropy(classes[:, None], logits, weights=rows),
    'of my own': tf.losses.compute_weighted_loss(tf.square(logits), rows[:, None], scope='mine'),
}
unreduced = tf.losses.sparse_softmax_cross_entropy(classes, logits, weights=rows, reduction=R.NONE, loss_collection=None)
total = tf.losses.get_total_loss()
gradients = {name: tf.gradients(loss, w)[0] for name, loss in losses.items()}
train = tf.train.GradientDescentOptimizer(0.05).minimize(total)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for name, value in sess.run(losses).items():
        print('%s: %.5f, |gradient| %.5f' % (name, value, np.linalg.norm(sess.run(gradients[name]))))
    print('each row', np.round(sess.run(unreduced), 4))
    print(len(tf.losses.get_losses()), 'losses and', len(tf.losses.get_regularization_losses()), 'of regularizers')
    for step in range(31):
        value, _ = sess.run([total, train])
        if step % 10 == 0:
            print('step %d: total %.5f' % (step, value))
