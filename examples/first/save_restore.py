"""Save variables, and restore them."""
import tempfile

import pullback as tf

model = {"w": tf.Variable([1.0, 2.0]), "b": tf.Variable(3.0)}

with tempfile.TemporaryDirectory() as folder:
    path = tf.train.Checkpoint(model=model).save(folder + "/model")
    model["w"].assign([0.0, 0.0])
    tf.train.Checkpoint(model=model).restore(path).assert_consumed()
print(model["w"].numpy().tolist(), model["b"].numpy())

# prints:
# [1.0, 2.0] 3.0
