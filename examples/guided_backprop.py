"""Guided backpropagation in TensorFlow 1: a small convolutional network whose Relu gradient is replaced by gradient_override_map."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


@tf.RegisterGradient('GuidedRelu')
def _guided_relu_grad(op, grad):
    gate = tf.cast(op.outputs[0] > 0, grad.dtype) * tf.cast(grad > 0, grad.dtype)
    return gate * grad


def network(image, weights):
    h = tf.nn.relu(tf.nn.conv2d(image, weights['conv1'], strides=[1, 1, 1, 1], padding='SAME'))
    h = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='SAME')
    h = tf.nn.relu(tf.nn.conv2d(h, weights['conv2'], strides=[1, 1, 1, 1], padding='VALID'))
    h = tf.nn.avg_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='VALID')
    return tf.matmul(tf.reshape(h, [-1, 3 * 3 * 6]), weights['dense'])


rng = np.random.RandomState(9)
values = {'conv1': rng.normal(0, 0.4, (3, 3, 1, 4)), 'conv2': rng.normal(0, 0.3, (3, 3, 4, 6)), 'dense': rng.normal(0, 0.3, (54, 5))}
picture = rng.uniform(0, 1, (1, 16, 16, 1))

saliency = {}
for kind, override in (('plain', {}), ('guided', {'Relu': 'GuidedRelu'})):
    graph = tf.Graph()
    with graph.as_default(), graph.gradient_override_map(override):
        image = tf.placeholder(tf.float32, [None, 16, 16, 1])
        weights = {name: tf.Variable(value, dtype=tf.float32, name=name) for name, value in values.items()}
        logits = network(image, weights)
        label = tf.argmax(logits[0])
        score = tf.reduce_max(logits, axis=1)
        grad = tf.gradients(score, image)[0]
        weight_grads = tf.gradients(score, list(weights.values()))
        with tf.Session(graph=graph) as sess:
            sess.run(tf.global_variables_initializer())
            saliency[kind], chosen, found = sess.run([grad, label, weight_grads], {image: picture})
    print(kind, 'class', chosen, 'sum of |gradient| %.5f' % np.abs(saliency[kind]).sum(), 'largest %.5f' % saliency[kind].max())
    print(kind, 'weights', ['%.4f' % np.linalg.norm(g) for g in found])
print('pixels that differ:', int((np.abs(saliency['plain'] - saliency['guided']) > 1e-6).sum()))
print('row 5:', np.round(saliency['guided'][0, 5, :6, 0], 4))
