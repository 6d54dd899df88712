"""Skip-gram word vectors in TensorFlow 1: the table's gradient is IndexedSlices, so a step touches the rows of one batch only."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.enable_resource_variables()

text = ('the king rules the land and the queen rules the land the dog chases the cat and the cat chases the mouse '
        'the king loves the queen and the dog loves the land').split()
words = sorted(set(text))
index = {w: i for i, w in enumerate(words)}
VOCABULARY, SIZE, BATCH, NEGATIVE = len(words), 8, 16, 4
rng = np.random.RandomState(4)

pairs = [(index[text[i]], index[text[j]]) for i in range(len(text)) for j in range(max(0, i - 2), min(len(text), i + 3)) if i != j]
pairs = np.array(pairs)

centre = tf.placeholder(tf.int32, shape=[None], name='centre')
context = tf.placeholder(tf.int32, shape=[None], name='context')
negative = tf.placeholder(tf.int32, shape=[None, NEGATIVE], name='negative')

embeddings = tf.Variable(rng.uniform(-0.5, 0.5, (VOCABULARY, SIZE)).astype(np.float32), name='embeddings')
out_weights = tf.Variable(rng.normal(0, 0.3, (VOCABULARY, SIZE)).astype(np.float32), name='out_weights')
out_bias = tf.Variable(tf.zeros([VOCABULARY]), name='out_bias')

embed = tf.nn.embedding_lookup(embeddings, centre)
true_logits = tf.reduce_sum(embed * tf.nn.embedding_lookup(out_weights, context), axis=1) + tf.gather(out_bias, context)
noise = tf.nn.embedding_lookup(out_weights, negative)
noise_logits = tf.einsum('bd,bnd->bn', embed, noise) + tf.gather(out_bias, negative)
loss_true = tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(true_logits), logits=true_logits)
loss_noise = tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.zeros_like(noise_logits), logits=noise_logits)
loss = tf.reduce_mean(loss_true + tf.reduce_sum(loss_noise, axis=1))

global_step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.3, global_step, decay_steps=50, decay_rate=0.8, staircase=True)
optimizer = tf.train.AdagradOptimizer(rate)
grads_and_vars = optimizer.compute_gradients(loss)
for g, v in grads_and_vars:
    print(v.name, 'gradient is', type(g).__name__)
table_grad = grads_and_vars[0][0]
train = optimizer.apply_gradients(grads_and_vars, global_step=global_step)
norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
normalized = embeddings / norm
similarity = tf.matmul(normalized, normalized, transpose_b=True)

with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for step in range(301):
        rows = pairs[rng.randint(0, len(pairs), BATCH)]
        feed = {centre: rows[:, 0], context: rows[:, 1], negative: rng.randint(0, VOCABULARY, (BATCH, NEGATIVE))}
        if step == 0:
            slices = sess.run(table_grad, feed)
            print('rows in the gradient', slices.values.shape, 'distinct words', len(set(slices.indices)), 'of', VOCABULARY)
            before = sess.run(embeddings)
        _, value = sess.run([train, loss], feed)
        if step == 0:
            changed = np.any(sess.run(embeddings) != before, axis=1)
            print('only those rows changed:', set(np.flatnonzero(changed)) == set(rows[:, 0]))
        if step % 100 == 0:
            print('step %d loss %.5f' % (step, value))
    print('global step', sess.run(global_step), 'rate %.3f' % sess.run(rate))
    sim = similarity.eval()
    for word in ('king', 'dog'):
        near = np.argsort(-sim[index[word]])[1]
        print(word, 'is nearest to', words[near], '%.3f' % sim[index[word], near])
