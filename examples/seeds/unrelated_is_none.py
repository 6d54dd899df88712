import tensorflow as tf
w1 = tf.Variable([[1,2]])
w2 = tf.Variable([[3,4]])
res = tf.matmul(w1, [[2],[1]])

#ys必须与xs有关,否则会报错
grads = tf.gradients(res,[w1,w2])
#TypeError: Fetch argument None has invalid type <class ‘NoneType‘>

with tf.Session() as sess:
    tf.global_variables_initializer().run()
    re = sess.run(grads)
    print(re)
