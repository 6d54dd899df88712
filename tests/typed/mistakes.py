"""Mistakes that both type checkers refuse, each on a line marked so.  Nobody runs this."""

from collections.abc import Callable
from dataclasses import dataclass

import pullback as tf
import pullback.compat.v1 as tf1


@dataclass
class Line:
    slope: tf.Tensor
    start: tf.Tensor


x = tf.constant([1.0, 2.0])
w, b = tf.Variable(1.0), tf.Variable(0.0)
with tf.GradientTape(persistent=True) as tape:
    y = tf.reduce_sum(w * x + b)

# Wrong names.
tf.reduce_summ(x)  # refused
tf1.reduce_summ(x)  # refused
tf.nn.reluu(x)  # refused
tf.linalg.hessian(x)  # refused
tf.placeholder(tf.float32)  # refused
tf.reduce_sum(x, keep_dims=True)  # refused
tf.reduce_sum(x, dim=0)  # refused
x.nummpy()  # refused
x.reshape([2, 1])  # refused
w.asign(2.0)  # refused
w.trainables  # refused
tape.gradients(y, w)  # refused
tf.float23  # refused

# Wrong arguments.
tf.sin()  # refused
tf.sin(x, x, x)  # refused
tf.sin(None)  # refused
tf.sin(tf.cos)  # refused
tf.matmul(x)  # refused
tf.matmul(x, None)  # refused
tf.matmul(x, x, transpose_a="yes")  # refused
tf.reduce_sum(object())  # refused
tf.reduce_sum(x, axis="0")  # refused
tf.reduce_sum(x, axis=0.5)  # refused
tf.reshape(x, "ab")  # refused
tf.cast(x, 0.5)  # refused
tf.concat(x, axis="rows")  # refused
tf.zeros(None)  # refused
tf.constant(print)  # refused
tf.stack({"a": x})  # refused
w.assign(None)  # refused
w.assign_sub(tf.sin)  # refused
x + None  # refused
x @ tf.sin  # refused
tape.gradient(y, 3.0)  # refused
tape.gradient(y, "w")  # refused
tape.gradient(y)  # refused
tape.gradient(y, w, unconnected_gradients="zeros")  # refused
tape.gradient(y, [w, "b"])  # refused
tf.hessian(x, 3.0, 2.0)  # refused
tf.value_and_gradient(lambda p: 3, x)  # refused
tf.hvp(lambda p: tf.reduce_sum(p), x)  # refused

# Text where numbers are asked for.
tf.nn.relu("x")  # refused
tf.sin("x")  # refused
tf.matmul("a", x)  # refused
tf.multiply(x, "2")  # refused
tf.reduce_sum("x")  # refused
tf.clip_by_value("x", 0.0, 1.0)  # refused
tf.norm("x")  # refused
tf.linalg.solve("a", x)  # refused
tf.math.lgamma("x")  # refused
tf.signal.fft("x")  # refused

tf.sin(["x"])  # refused
tf.sin([["x"], ["y"]])  # refused
tf.sin(("x", "y"))  # refused
tf.sin([1.0, "x"])  # refused
tf.sin(b"x")  # refused
tf.sin([b"x"])  # refused
tf.sin([None])  # refused
tf.sin({1.0})  # refused
tf.reduce_sum({"a": 1.0})  # refused
tf.nn.softmax("x")  # refused
tf.nn.dropout(x, rate="0.5")  # refused
tf.nn.conv2d(x, x, strides="1", padding="SAME")  # refused
tf.nn.softmax_cross_entropy_with_logits("x", x)  # refused
tf.nn.embedding_lookup(x, "0")  # refused
tf.argmax("abc")  # refused
tf.sort(["b", "a"])  # refused
tf.math.bincount("x")  # refused
tf.math.segment_sum(["x"], [0])  # refused
tf.math.unsorted_segment_sum("x", [0], 1)  # refused
tf.gather(x, "0")  # refused
tf.gather_nd(x, "0")  # refused
tf.tensor_scatter_nd_update(x, "0", [1.0])  # refused
tf.one_hot("a", 3)  # refused
tf.range("5")  # refused
tf.pad(x, "same")  # refused
tf.squeeze(x, axis="0")  # refused
tf.greater("a", x)  # refused
tf.logical_and("a", True)  # refused
tf.math.is_nan("x")  # refused
tf.random.normal([2], mean="0")  # refused
tf.random.categorical("x", 1)  # refused
tf.sparse.sparse_dense_matmul("x", x)  # refused

# Wrong results.
text: str = tf.sin(x)  # refused
number: int = tf.reduce_sum(x)  # refused
pair: tuple[tf.Tensor, tf.Tensor] = tf.linalg.svd(x)  # refused
triple: tuple[tf.Tensor, tf.Tensor, tf.Tensor] = tf.linalg.svd(x, compute_uv=False)  # refused
listed: list[tf.Tensor] = tf.stack([x, x])  # refused
single: tf.Tensor = tf.unstack(x)  # refused
variable: tf.Variable = w + 1.0  # refused
shape: list[int] = x.shape  # refused
dtype: str = x.dtype  # refused
gradient: str = tape.gradient(y, w)  # refused
lines: list[tf.Tensor] = tape.gradient(y, Line(x, x))  # refused
value: tf.Tensor = tf.value_and_gradient(tf.reduce_sum, x)  # refused
by_name: list[tf.Tensor] = tape.gradient(y, {"w": w, "b": b})  # refused
tf.sin(x).values  # refused
tf.math.top_k(x).value  # refused
tf.cast(x, tf.float64).indices  # refused

# Wrong numbers of gradients.
one, two, three = tape.gradient(y, (w, b))  # refused
(only,) = tape.gradient(y, (w, b))  # refused
loss, slope, more = tf.value_and_gradient(tf.reduce_sum, x)  # refused
q, r, s = tf.linalg.qr(x)  # refused


# Functions under decorators.
@tf.function
def scaled(x: tf.Tensor, by: float = 2.0) -> tf.Tensor:
    return by * x


@tf.custom_gradient
def clipped(x: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
    return x, lambda g: tf.clip_by_value(g, -1.0, 1.0)


@tf.custom_gradient  # refused
def alone(x: tf.Tensor) -> tf.Tensor:
    return x


scaled()  # refused
scaled(x, "2")  # refused
scaled(x, times=2.0)  # refused
scaled(x).nummpy()  # refused
clipped()  # refused
clipped(x, x)  # refused
clipped("x")  # refused
pairs: tuple[tf.Tensor, tf.Tensor] = clipped(x)  # refused
tf.function(scaled, jitcompile=True)  # refused
tf.recompute_grad(scaled)()  # refused

# Graphs, variables and data.
tf1.Session().run()  # refused
tf1.gradients(x)  # refused
tf.GradientTape(persistant=True)  # refused
tf.Variable(1.0, trainable="no")  # refused
tf.data.Dataset.from_tensor_slices(x).bach(2)  # refused

# Elements of datasets.
rows = tf.data.Dataset.from_tensor_slices(x)
pairs_of_rows = tf.data.Dataset.from_tensor_slices((x, x))
rows.map(lambda first, second: first)  # refused
pairs_of_rows.map(lambda pair: pair)  # refused
pairs_of_rows.map(lambda first, second: first.nummpy())  # refused
pairs_of_rows.filter(lambda pair: True)  # refused
rows.filter(lambda row: "yes")  # refused
rows.flat_map(lambda row: row)  # refused
rows.reduce(0.0, lambda total: total)  # refused
rows.concatenate(x)  # refused
pairs_of_rows.enumerate().map(lambda number, first, second: first)  # refused
pairs_of_rows.map(lambda first, second: first + second).map(lambda first, second: first)  # refused
next(rows)  # refused
rows.make_one_shot_iterator()  # refused
tf.data.Dataset.zip([rows, pairs_of_rows])  # refused
tf.data.Dataset.from_tensor_slices(print)  # refused
tf.data.Dataset.from_tensor_slices(3)  # refused
tf.data.Dataset.range("3")  # refused
for first, second, third in pairs_of_rows:  # noqa: B007  # refused
    print(first)
next(iter(pairs_of_rows)).numpy()  # refused

# A second look: modules, accumulators, files, sessions.

class Net(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = tf.Variable(1.0)

    @tf.function
    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return self.w * x


def loss_of(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(x)


net = Net()
tape.watch("x")  # refused
tape.watch(3.0)  # refused
net(x, x)  # refused
net("x")  # refused
net.variabels  # refused
net.trainable_variables[0].asign(1.0)  # refused
net.trainable_variables.append(w)  # refused
tf.Module(3)  # refused
tf.autodiff.ForwardAccumulator(x)  # refused
with tf.autodiff.ForwardAccumulator(x, x) as acc:
    acc.jvpp(x)  # refused
tf.clip_by_norm(x)  # refused
tf.clip_by_global_norm(x, "1")  # refused
tf.clip_by_value(x, 0.0)  # refused
tf.random.uniform([2], minval="0")  # refused
tf.TensorArray(tf.float32, 3).write(0)  # refused
tf.TensorArray(tf.float32, "3")  # refused
tf.TensorArray(tf.float32, 3).stak()  # refused
tf.summary.scalr("a", 1.0)  # refused
tf.train.CheckpointManager(tf.train.Checkpoint())  # refused
tf.saved_model.save(net)  # refused
tf.while_loop(lambda i: i < 3, lambda i: i + 1)  # refused
tf.while_loop(3, lambda i: i + 1, [0])  # refused
tf.data.Dataset.from_tensor_slices(x).shuffle("10")  # refused
tf.data.Dataset.from_tensor_slices(x).repeat("2")  # refused
tf.data.Dataset.from_tensor_slices(x).prefetch(None)  # refused
tf.data.Dataset.from_generator(3)  # refused
tf.data.TextLineDataset(3)  # refused
tf.linalg.inv("a")  # refused
tf.linalg.det()  # refused
tf.linalg.norm(x, order="fro")  # refused
tf.nn.relu(x, alpha=1)  # refused
tf.nn.conv2d(x, x)  # refused
tf.nn.max_pool2d(x, "2", 2, "SAME")  # refused
tf.nn.moments(x)  # refused
tf.nn.batch_normalization(x, x, x)  # refused
tf.math.reduce_std(x, axis="1")  # refused
tf.math.exp(None)  # refused
tf.ones("a")  # refused
tf.zeros([2], dtype=3.0)  # refused
tf.meshgrid("a")  # refused
tf.function(loss_of)(x, x)  # refused
tf.function(loss_of).get_concrete_fn()  # refused
tf.jit(loss_of)(3, 4)  # refused
tf.py_function(3, [x], tf.float32)  # refused
tf.numpy_function("f", [x], tf.float32)  # refused
tf.nest.flatten()  # refused
tf.cast(x)  # refused
tf.cast("x")  # refused
tf.convert_to_tensor(x, dtyp=tf.float32)  # refused
tf.tensor_scatter_nd_add(x, [[0]])  # refused
tf.IndexedSlices(x)  # refused
tf.SparseTensor(x)  # refused
tf.RaggedTensor.from_row_splits(x)  # refused
tf.ragged.constant()  # refused
tf.strings.join("a", 3)  # refused
tf.io.read_file()  # refused
tf.debugging.assert_equal(x)  # refused
tf.debugging.assert_near("a", x)  # refused
tf.config.run_functions_eagerly("yes")  # refused
tf.name_scope(3)  # refused
tf.UnconnectedGradients.ZEROS  # refused
tf.VariableAggregation.AVG  # refused
tf.TensorShape("ab").rnk  # refused
tf.per_example_gradients(loss_of)  # refused
tf.gauss_newton(3)  # refused
tf.check_gradients(3)  # refused
tf.trace_nans(3)  # refused
tf.function(loss_of).explan()  # refused
tf.hessian_diagonal(x)  # refused
tf1.placeholder("x", name=tf.float32)  # refused
tf1.get_variable("v", initializer=3, shap=[1])  # refused
tf1.train.Saver().save("path")  # refused
tf1.train.MomentumOptimizer(0.1)  # refused
tf1.train.AdamOptimizer(1e-3).minimize()  # refused
tf1.variable_scope()  # refused
tf1.control_dependencies(3)  # refused
tf1.global_variables().name  # refused
tf1.Graph().get_tensor_by_nam("x")  # refused
tf1.Session().run(x, feed_dict=[1])  # refused
tf1.summary.merge_al()  # refused
tf1.nn.dropout(x, keepprob=0.5)  # refused
wrong_a: int = tf.TensorArray(tf.float32, 3).stack()  # refused
wrong_b: list[tf.Tensor] = net.trainable_variables  # refused
wrong_c: str = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t), (x, x))  # refused
wrong_d: str = tf.scan(lambda a, b: a + b, x)  # refused
wrong_e: tf.Tensor = tf.unique(x)  # refused
wrong_f: tf.Tensor = tf.nn.moments(x, [0])  # refused
wrong_g: int = tf.shape(x)  # refused
wrong_h: float = w  # refused
wrong_i: tf.Variable = net(x)  # refused
wrong_k: Callable[[tf.Tensor], str] = tf.function(loss_of)  # refused
tf1.reduce_sum(x, reduction_index=0)  # refused
tf1.reduce_mean("x")  # refused
tf1.assert_equal(x)  # refused
tf1.assert_positive(x, messag="no")  # refused
tf1.scatter_add(w, [0])  # refused

# A third look: text, numbers and functions where tensors, directions and points are asked for.
tf.vjp(3, x)  # refused
tf.linearize("f", x)  # refused
tf.jvp("f", x, x)  # refused
tf.jvp(tf.sin, x, "x")  # refused
tf.hvp(loss_of, x, tf.sin)  # refused
tf.jacobian(loss_of, x, mode="backwards")  # refused
tf.jacobian_plan(3, x)  # refused
tf.per_example_gradients(3, x)  # refused
tape.gradient("y", w)  # refused
tape.gradient(3, w)  # refused
tape.gradient(None, w)  # refused
tape.gradient(y, w, output_gradients="ones")  # refused
x["a"]  # refused
x[tf.sin]  # refused
w[None, "a"]  # refused
x % "a"  # refused
x > "a"  # refused
w @ "a"  # refused
tf.fill("2", 1.0)  # refused
tf.add_n(3)  # refused
tf.add_n("abc")  # refused
tf.math.accumulate_n(3)  # refused
tf.identity_n(3)  # refused
tf.einsum("ij,jk->ik", "a", x)  # refused
tf.searchsorted(x, "a")  # refused
tf.clip_by_global_norm("ab", 1.0)  # refused

# As programs are written: what was forgotten, misspelt, or of another kind.
tf.jacobian(tf.sin)  # refused
tf.hessian((tf.sin, tf.cos), x)  # refused
tf.value_and_gradient("loss", x)  # refused
tf.value_and_gradient(tf.reduce_sum, x, argnum=0)  # refused
tf.value_and_gradient(tf.reduce_sum, x, argnums="0")  # refused
tf.why()  # refused
tf.why(y)  # refused
tf.optimize.minimise(tf.reduce_sum, x)  # refused
tf.optimize.minimize(tf.reduce_sum)  # refused
tf.optimize.minimize("f", x)  # refused
tf.optimize.minimize(tf.reduce_sum, x, method=3)  # refused
tf.optimize.minimize(tf.reduce_sum, x, tolerence=1e-3)  # refused
tf.per_example_gradients()  # refused
tf.vectorized_map(x, x)  # refused
tf.map_fn(tf.sin)  # refused
tf.scan(x, x)  # refused
tf.random.normal([3], stddv=1.0)  # refused
tf.linspace(0.0, 1.0, "9")  # refused
tf.expand_dims(x, "0")  # refused
tf.transpose(x, perm="ab")  # refused
tf.tile(x, "2")  # refused
tf.math.top_k(x, k="2")  # refused
tf.split(x, "2")  # refused
tf.nn.softmax(x, axes=0)  # refused
tf.nn.dropout(x)  # refused
tf.linalg.solve(x)  # refused
tf.einsum(3, x)  # refused
tf.cast(x, tf.float)  # refused
tf.convert_to_tensor()  # refused
tf.constant()  # refused
tf.Variable(1.0, name=3)  # refused
tf.Variable(1.0, dtyp=tf.float32)  # refused
w.assign()  # refused
w.value.numpy()  # refused
w.assign(2.0).nummpy()  # refused
x.shape.as_lst()  # refused
x.dtype.nme  # refused
x.numpy(3)  # refused
x[0] = 3.0  # refused
-tf.sin  # refused
x < None  # refused
x + object()  # refused
tape.watch()  # refused
tape.gradient()  # refused
tape.jacobian(y)  # refused
tape.batch_jacobian(y, w, 3)  # refused
tape.resett()  # refused
tf.data.Dataset.from_tensor_slices(x).batch("2")  # refused
tf.data.Dataset.from_tensor_slices(x).map(3)  # refused
tf.data.Dataset.from_tensor_slices(x).shuffle()  # refused
tf.function(3)  # refused
tf.function(tf.sin, input_signatures=[])  # refused
tf.TensorSpec([2], tf.float32, nam="x")  # refused
tf.custom_gradient(3)  # refused
tf.stop_gradient(None)  # refused
tf.train.Checkpoint().sav("x")  # refused
tf.register_structure(int)  # refused
tf.nest.map_structure(x, x)  # refused
tf.test.compute_gradient(x, [x])  # refused
tf.debugging.check_numerics(x)  # refused
tf.sort(x, direction=3)  # refused
tf1.placeholder()  # refused
tf1.placeholder(tf.float32, shap=[2])  # refused
tf1.Session().run(y, feed_dic={})  # refused
tf1.Session().run(y, feed_dict=3)  # refused
tf1.gradients()  # refused
tf1.get_variable(3)  # refused
tf1.train.GradientDescentOptimizer()  # refused
tf1.train.GradientDescentOptimizer(0.1).minimise(y)  # refused
tf1.train.AdamOptimizer(learn_rate=0.1)  # refused
tf1.train.Saver().savee()  # refused
tf1.global_variables_initialiser()  # refused
tf1.assign(w)  # refused

# A fourth look, over the whole of both faces.
matrix = tf.constant([[1.0, 2.0], [3.0, 4.0]])
tf.reduce_prod(x, axes=[0])  # refused
tf.reduce_max(x, axis="last")  # refused
tf.reduce_any("yes")  # refused
tf.argsort(x, direction=1)  # refused
tf.cumsum(x, exclusive="yes")  # refused
tf.linalg.matvec(matrix)  # refused
tf.linalg.matvec(matrix, "x")  # refused
tf.linalg.eigh()  # refused
tf.linalg.lstsq(matrix)  # refused
tf.linalg.trace()  # refused
tf.linalg.triangular_solve(matrix, x, lower="yes")  # refused
tf.tensordot(x, x)  # refused
tf.tensordot(x, x, axes="1")  # refused
tf.boolean_mask(x, "mask")  # refused
tf.clip_by_average_norm("x", 1.0)  # refused
tf.repeat(x, "2")  # refused
tf.roll(x, "1", 0)  # refused
tf.slice(x, [0])  # refused
tf.strided_slice(x)  # refused
tf.fill([2], None)  # refused
tf.range()  # refused
tf.rank()  # refused
tf.shape_n(3)  # refused
tf.ensure_shape(x, "a")  # refused
tf.bitcast(x)  # refused
tf.complex(x)  # refused
tf.math.angle("z")  # refused
tf.math.top_k("x")  # refused
tf.math.in_top_k(x, x)  # refused
tf.nn.gelu("x")  # refused
tf.nn.leaky_relu(x, alpha="0.1")  # refused
tf.nn.l2_loss()  # refused
tf.nn.bias_add(matrix)  # refused
tf.nn.conv1d(matrix, matrix, stride="1", padding="SAME")  # refused
tf.nn.conv2d_transpose(matrix, matrix)  # refused
tf.nn.softmax_cross_entropy_with_logits(labels=matrix, logit=matrix)  # refused
tf.nn.embedding_lookup(matrix)  # refused
tf.nn.dropout(x, "0.5")  # refused
tf.random.uniform("2")  # refused
tf.random.shuffle()  # refused
tf.random.stateless_normal([2])  # refused
tf.signal.rfft("x")  # refused
tf.strings.length(3)  # refused
tf.sets.intersection(x)  # refused
tf.sparse.to_dense(x)  # refused
tf.jacobian(loss_of, x, chunk="3")  # refused
tf.batch_jacobian(loss_of)  # refused
tf.hvp(loss_of, x, "v")  # refused
tf.hessian(loss_of, "x")  # refused
tf.sparse_jacobian("f", x)  # refused
tf.jacobian_pattern(loss_of)  # refused
tf.safe_norm("x")  # refused
tf.safe_norm(x, ordd=2)  # refused
tf.check_gradients(loss_of)  # refused
tf.check_gradients(loss_of, x, order="2")  # refused
tf.optimize.least_squares(3, x)  # refused
tf.optimize.root("f", x)  # refused
tf.optimize.minimize(loss_of, x, callback=3)  # refused
tf.per_example_gradients(loss_of, "w")  # refused
tape.jacobian(y, 3.0)  # refused
tape.gradient(y, {"w": "a"})  # refused
tape.stop_recordin()  # refused
tape.gradient(target=y)  # refused
w.assign_add()  # refused
w.trainable()  # refused
b[0].asign(1.0)  # refused
b[0] = 3.0  # refused
w.numpy(1)  # refused
x.dtype()  # refused
x.ndims  # refused
x.get_shap()  # refused
x.eval("s")  # refused
x ** None  # refused
x // tf.cos  # refused
x @ None  # refused
x[1.5]  # refused
tf.function(loss_of, autograph="no")  # refused
tf.function(loss_of, reduce_retracing="yes")  # refused
tf.TensorSpec(dtype=tf.float32)  # refused
tf.Variable(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0)  # refused
tf.Module().submodules.append(3)  # refused
tf.data.Dataset.from_tensor_slices()  # refused
tf.data.Dataset.range(3).take("1")  # refused
tf.data.Dataset.range(3).skip(None)  # refused
tf.data.Dataset.range(3).padded_batch()  # refused
tf.data.Dataset.range(3).interleave(3)  # refused
tf.data.Dataset.range(3).shard(2)  # refused
tf.data.TFRecordDataset()  # refused
tf.io.TFRecordWriter()  # refused
tf.io.write_file("a")  # refused
tf.io.FixedLenFeature([])  # refused
tf.io.decode_raw("a")  # refused
tf.train.Checkpoint(w=w).restore(3)  # refused
tf.train.latest_checkpoint()  # refused
tf.summary.scalar("a")  # refused
tf.summary.create_file_writer()  # refused
tf.debugging.assert_rank(x)  # refused
tf.debugging.check_numerics(x, 3)  # refused
tf.config.experimental.list_devices()  # refused
tf.no_op(3)  # refused
tf.lookup.StaticHashTable(3)  # refused
tf.experimental.numpy.sinn(x)  # refused
tf.errors.InvalidArgument  # refused
tf.as_string()  # refused
tf1.Session().run([y], feed_dict={3: 4}, option=3)  # refused
tf1.Session().clos()  # refused
tf1.placeholder(tf.float32, [None, "a"])  # refused
tf1.get_variable()  # refused
tf1.get_variable("w", [2], initializer="zeros", regulariser=3)  # refused
tf1.variable_scope("a", reus=True)  # refused
tf1.hessians(y)  # refused
tf1.train.AdamOptimizer("0.1")  # refused
tf1.train.AdamOptimizer(0.1).apply_gradients()  # refused
tf1.train.GradientDescentOptimizer(0.1).minimize(y, var_lists=[w])  # refused
tf1.train.Saver("w").restore("p")  # refused
tf1.layers.dense(matrix)  # refused
tf1.layers.conv2d(matrix, 3)  # refused
tf1.layers.dropout()  # refused
tf1.nn.max_pool(matrix, 2)  # refused
tf1.nn.dynamic_rnn(3)  # refused
tf1.summary.scalar("a")  # refused
tf1.logging.set_verbosit(3)  # refused
tf1.assign_add(w)  # refused
tf1.set_random_seed()  # refused
tf1.get_default_graph().get_operation()  # refused
tf1.trainable_variables()[0].asign(3.0)  # refused
tf1.reduce_sum(x, reduction_indice=0)  # refused
tf1.argmax(x, dimensions=0)  # refused
tf1.random_normal()  # refused
tf1.truncated_normal("3")  # refused
fresh_1: str = tf.shape(x)  # refused
fresh_2: int = tf.reduce_max(x)  # refused
fresh_3: tf.Tensor = tf.split(x, 2)  # refused
fresh_4: list[int] = tf.nn.top_k(x)  # refused
fresh_5: tf.Tensor = tf.linalg.qr(matrix)  # refused
fresh_6: tf.Variable = tf.stop_gradient(w)  # refused
fresh_8: float = x.shape  # refused
fresh_9: tf.Tensor = tf.function(loss_of)  # refused
fresh_11: list[tf.Tensor] = tape.gradient(y, {"w": w})  # refused
fresh_12: dict[str, tf.Tensor] = tape.gradient(y, [w])  # refused
fresh_13: tf.Tensor = tape.gradient(y, (w, b))  # refused
fresh_14: int = tf.hessian(loss_of, x)  # refused
fresh_15: tuple[tf.Tensor, tf.Tensor] = tf.hessian(loss_of, x)  # refused
fresh_16: tf.Tensor = tf.vjp(loss_of, x)  # refused
fresh_17: tf.Tensor = tf.jvp(loss_of, x, x)  # refused
fresh_18: str = tf.data.Dataset.range(3)  # refused
fresh_19: int = next(iter(tf.data.Dataset.range(3)))  # refused
fresh_20: str = tf.linspace(0.0, 1.0, 3)  # refused
fresh_21: list[tf.Tensor] = tf.meshgrid(x, x)[0]  # refused
fresh_23: tf.Tensor = tf.unique_with_counts(x)  # refused
fresh_24: int = tf.Module().trainable_variables  # refused
fresh_25: tf.Tensor = tf1.Session()  # refused
fresh_26: str = tf1.placeholder(tf.float32)  # refused
fresh_27: tf.Tensor = tf1.gradients(y, w)  # refused
fresh_28: tf.Tensor = tf.clip_by_global_norm([x], 1.0)  # refused
fresh_29: tf.Tensor = tf.nn.moments(x, 0)  # refused
fresh_30: str = tf.why(y, w, tape)  # refused
fresh_22: tf.Tensor = tf.per_example_gradients(loss_of, [w, b])  # refused
fresh_31: list[tf.Tensor] = tf.per_example_gradients(loss_of, {"w": w})  # refused

# The last, because mypy takes what follows a call of unknown result for unreachable.
tf.cond(True, x, x)  # refused
