"""The programs of the texts this project started from, to the digit, and what those texts say about gradients.

The programs stand in examples/seeds with their own lines. The numbers here are the ones the texts show.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.programs import EXAMPLES, pullback_run, python

SEEDS = EXAMPLES / "seeds"
V1 = ("sum_same_shape", "sum_over_stack", "grad_ys_weights", "integers_one_result", "integers_two_results", "unrelated_is_none")
V2 = ("tape_square", "matmul_tape", "matmul_tape_one_element")

SAME_SHAPE_X = [[5, 3, 7], [2, 2, 5], [7, 5, 0], [3, 7, 6]]
SAME_SHAPE = """\
x =
 [[5 3 7]
 [2 2 5]
 [7 5 0]
 [3 7 6]]
y =
 [[50. 18. 98.]
 [ 8.  8. 50.]
 [98. 50.  0.]
 [18. 98. 72.]]
dy/dx =
 [[20. 12. 28.]
 [ 8.  8. 20.]
 [28. 20.  0.]
 [12. 28. 24.]]
"""

STACK_X = [[1, 4, 8], [0, 2, 8], [2, 8, 1], [4, 5, 2]]
STACK = """\
x.shape = (4, 3)
x =
 [[1 4 8]
 [0 2 8]
 [2 8 1]
 [4 5 2]]
y.shape =  (4, 3)
y =
 [[  2.  32. 128.]
 [  0.   8. 128.]
 [  8. 128.   2.]
 [ 32.  50.   8.]]
z.shape =  (2, 4, 3)
z =
 [[[  2.  32. 128.]
  [  0.   8. 128.]
  [  8. 128.   2.]
  [ 32.  50.   8.]]

 [[  2.  32. 128.]
  [  0.   8. 128.]
  [  8. 128.   2.]
  [ 32.  50.   8.]]]
dy/dx =
 [[ 4. 16. 32.]
 [ 0.  8. 32.]
 [ 8. 32.  4.]
 [16. 20.  8.]]
dz/dx =
 [[ 8. 32. 64.]
 [ 0. 16. 64.]
 [16. 64.  8.]
 [32. 40. 16.]]
"""

ONE_ELEMENT = """\
tf.Tensor(
[[0.43842274 1.5658046  1.4204658 ]
 [0.         0.         0.        ]
 [0.         0.         0.        ]
 [0.         0.         0.        ]
 [0.         0.         0.        ]], shape=(5, 3), dtype=float32)
"""


def with_face(name: str) -> str:
    """The program with its face imported by name; one of TensorFlow 1 says that it wants graphs."""
    face = "import pullback.compat.v1 as tf; tf.disable_v2_behavior()" if name in V1 else "import pullback as tf"
    return (SEEDS / f"{name}.py").read_text(encoding="utf-8").replace("import tensorflow as tf", face)


def run_as(how: str, name: str, tmp_path: Path) -> str:
    """What the program prints, through `pullback run` or with the face imported by name."""
    program = SEEDS / f"{name}.py"
    if how == "face":
        program = tmp_path / f"{name}.py"
        program.write_text(with_face(name), encoding="utf-8")
    done = pullback_run(program) if how == "run" else python(program)
    assert done.returncode == 0, done.stderr
    return done.stdout


def with_draw(name: str, draw: list[list[int]], how: str, tmp_path: Path) -> str:
    """The program's output when NumPy's generator draws the matrix that the text shows."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(f"import numpy\nnumpy.random.randint = lambda low, high, size: numpy.array({draw})\n")
    program = SEEDS / f"{name}.py"
    if how == "face":
        program = tmp_path / f"{name}.py"
        program.write_text(with_face(name), encoding="utf-8")
    paths = f"{site}:{Path(__file__).parents[1] / 'src'}"
    done = python("-m", "pullback", "run", program, PYTHONPATH=paths) if how == "run" else python(program, PYTHONPATH=paths)
    assert done.returncode == 0, done.stderr
    return re.sub(r" +$", "", done.stdout, flags=re.MULTILINE)


def arrays(printed: str) -> list[np.ndarray]:
    return eval(printed, {"array": np.array, "int32": np.int32})


def floats(printed: str) -> np.ndarray:
    rows = re.findall(r"\[+([^\[\]]+)\]", printed)
    return np.array([[float(number) for number in row.split()] for row in rows])


@pytest.mark.parametrize("how", ["run", "face"])
class TestPrograms:
    def test_same_shape(self, how: str, tmp_path: Path) -> None:
        assert with_draw("sum_same_shape", SAME_SHAPE_X, how, tmp_path) == SAME_SHAPE

    def test_over_stack(self, how: str, tmp_path: Path) -> None:
        assert with_draw("sum_over_stack", STACK_X, how, tmp_path) == STACK

    def test_own_draw(self, how: str, tmp_path: Path) -> None:
        assert "dz/dx" in run_as(how, "sum_over_stack", tmp_path)

    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("grad_ys_weights", [[[6, 9]], [[19, 17]]]),
            ("integers_one_result", [[[2, 1]]]),
            ("integers_two_results", [[[4, 5]], [[11, 11]]]),
        ],
    )
    def test_integers(self, how: str, name: str, shown: list[list[list[int]]], tmp_path: Path) -> None:
        found = arrays(run_as(how, name, tmp_path))
        assert [a.tolist() for a in found] == shown
        assert all(a.dtype == np.int32 for a in found)

    def test_tape_square(self, how: str, tmp_path: Path) -> None:
        assert run_as(how, "tape_square", tmp_path) == "tf.Tensor(6.0, shape=(), dtype=float32)\n"

    def test_matmul(self, how: str, tmp_path: Path) -> None:
        printed = run_as(how, "matmul_tape", tmp_path)
        assert printed.startswith("tf.Tensor(\n[[") and printed.endswith(", shape=(5, 3), dtype=float32)\n")
        # float32 has these numbers' neighbours 1.5e-8 and 2.4e-7 away: the order of three additions decides the last bit
        wanted = np.array([[-0.17307831, 1.1900724, 2.245003]] * 5)
        np.testing.assert_allclose(floats(printed), wanted, rtol=0, atol=3e-7)
        np.testing.assert_allclose(floats(printed)[:, 0], wanted[:, 0], rtol=0, atol=2e-8)

    def test_matmul_one_element(self, how: str, tmp_path: Path) -> None:
        assert run_as(how, "matmul_tape_one_element", tmp_path) == ONE_ELEMENT


@pytest.mark.parametrize("how", ["run", "face"])
def test_unrelated_is_none(how: str, tmp_path: Path) -> None:
    program = SEEDS / "unrelated_is_none.py"
    if how == "face":
        program = tmp_path / "unrelated_is_none.py"
        program.write_text(with_face("unrelated_is_none"), encoding="utf-8")
    done = pullback_run(program) if how == "run" else python(program)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()
    error = next(line for line in last if line.startswith("TypeError"))
    assert re.search(r"[Ff]etch.*None.*has invalid type.*NoneType", error)
    assert "re = sess.run(grads)" in done.stderr


def test_every_program_is_tested() -> None:
    assert sorted(path.stem for path in SEEDS.glob("*.py")) == sorted(V1 + V2)


class TestWhatTheTextsSay:
    """The texts' own sentences about tf.gradients, each on small numbers."""

    @pytest.fixture
    def tf(self):
        import pullback

        with pullback.Graph().as_default():
            yield pullback.compat.v1

    def run(self, tf, fetches, feed=None):
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return sess.run(fetches, feed)

    def test_one_result_for_each_x_of_its_shape(self, tf) -> None:
        """The gradient always takes the rank of X: it is the gradient of sum(Y)."""
        x = tf.placeholder(tf.float32, (2, 3))
        w = tf.placeholder(tf.float32, (3, 4))
        y = tf.matmul(x, w)
        x_value, w_value = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
        for summed in (y, tf.reduce_sum(y)):
            grads = tf.gradients(summed, [x, w])
            assert [g.shape.as_list() for g in grads] == [[2, 3], [3, 4]]
            dx, dw = self.run(tf, grads, {x: x_value, w: w_value})
            np.testing.assert_array_equal(dx, np.ones((2, 4)) @ w_value.T)
            np.testing.assert_array_equal(dw, x_value.T @ np.ones((2, 4)))

    def test_sums_over_ys(self, tf) -> None:
        """target = [y1, y2], sources = [x1, x2]: [dy1/dx1 + dy2/dx1, dy1/dx2 + dy2/dx2]."""
        x1, x2 = tf.constant(2.0), tf.constant(3.0)
        y1, y2 = x1 * x2, x1 * x1 + 5.0 * x2
        both = tf.gradients([y1, y2], [x1, x2])
        single = [tf.gradients(y, [x1, x2]) for y in (y1, y2)]
        (b1, b2), ((a11, a12), (a21, a22)) = self.run(tf, [both, single])
        assert (b1, b2) == (a11 + a21, a12 + a22) == (7.0, 7.0)

    def test_grad_ys_none_is_ones(self, tf) -> None:
        x = tf.constant([1.0, 2.0, 3.0])
        y = x * x
        default, ones = self.run(tf, [tf.gradients(y, x)[0], tf.gradients(y, x, grad_ys=tf.ones_like(y))[0]])
        np.testing.assert_array_equal(default, ones)

    def test_grad_ys_weights_each_value(self, tf) -> None:
        """A different initial gradient for each value in each y."""
        x = tf.constant([1.0, 2.0, 3.0])
        g = np.array([1.0, 10.0, 100.0], np.float32)
        found = self.run(tf, tf.gradients([x * x, 3.0 * x], x, grad_ys=[tf.constant(g), 2.0 * tf.ones(3)]))[0]
        np.testing.assert_array_equal(found, [2 + 6, 40 + 6, 600 + 6])

    def test_grad_ys_must_be_as_long_as_ys(self, tf) -> None:
        x = tf.constant(1.0)
        with pytest.raises(ValueError, match="2 grad_ys for 1 ys"):
            tf.gradients(2.0 * x, x, grad_ys=[tf.constant(1.0), tf.constant(2.0)])

    def test_stop_gradients_gives_partial_derivatives(self, tf) -> None:
        a = tf.constant(0.0)
        b = 2.0 * a
        partial = tf.gradients(a + b, [a, b], stop_gradients=[a, b])
        total = tf.gradients(a + b, [a, b])
        assert self.run(tf, [partial, total]) == [[1.0, 1.0], [3.0, 1.0]]

    def test_stop_gradients_as_if_disconnected(self, tf) -> None:
        a = tf.stop_gradient(tf.constant(0.0))
        b = tf.stop_gradient(2.0 * a)
        assert self.run(tf, tf.gradients(a + b, [a, b])) == [1.0, 1.0]

    def test_unrelated_x_is_none(self, tf) -> None:
        x, other = tf.constant(1.0), tf.constant(2.0)
        assert tf.gradients(3.0 * x, [x, other])[1] is None

    def test_stack_counts_twice(self, tf) -> None:
        x = tf.placeholder(tf.float32, (None, 3))
        y = 2 * (x**2)
        dy, dz = tf.gradients(y, x)[0], tf.gradients(tf.stack([y, y]), x)[0]
        one, two = self.run(tf, [dy, dz], {x: STACK_X})
        np.testing.assert_array_equal(two, 2 * one)

    def test_loss_of_each_sample_against_their_mean(self) -> None:
        """The mean of two losses has half the gradient of the two losses."""
        import pullback as tf

        w, b = tf.Variable([[0.5], [-1.0]]), tf.Variable([0.25])
        x, labels = tf.constant([[1.0, 2.0], [3.0, -1.0]]), tf.constant([[1.0], [0.0]])
        with tf.GradientTape(persistent=True) as tape:
            xentropy = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=tf.matmul(x, w) + b)
            reduced = 0.5 * (xentropy[0, 0] + xentropy[1, 0])
        for whole, half in zip(tape.gradient(xentropy, [w, b]), tape.gradient(reduced, [w, b]), strict=True):
            assert np.any(whole.numpy() != 0)
            np.testing.assert_allclose(half.numpy(), 0.5 * whole.numpy(), rtol=1e-6)

    def test_a_list_of_targets_is_summed(self) -> None:
        import pullback as tf

        x1, x2 = tf.constant(2.0), tf.constant(3.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x1, x2])
            y1, y2 = x1 * x2, x1 * x1 + 5.0 * x2
        both = tape.gradient([y1, y2], [x1, x2])
        assert [float(g) for g in both] == [7.0, 7.0]
        assert isinstance(both, list)

    def test_rows_of_the_matmul_gradient_are_row_sums(self) -> None:
        """dy_dx[i, j] is the sum of b[j, :]; for one element y[0, 0] it is b[:, 0] in row 0 and zero elsewhere."""
        import pullback as tf

        t, b = tf.Variable(np.arange(15.0).reshape(5, 3)), tf.Variable(np.arange(9.0).reshape(3, 3) ** 2)
        with tf.GradientTape(persistent=True) as tape:
            y = tf.matmul(t, b)
            first = y[0, 0]
        np.testing.assert_array_equal(tape.gradient(y, t).numpy(), np.tile(b.numpy().sum(1), (5, 1)))
        wanted = np.zeros((5, 3))
        wanted[0] = b.numpy()[:, 0]
        np.testing.assert_array_equal(tape.gradient(first, t).numpy(), wanted)

    def test_float_in_float_out_of_a_tape(self) -> None:
        import pullback as tf

        x = tf.constant(3.0)
        with tf.GradientTape() as g:
            g.watch(x)
            y = x * x
        assert float(g.gradient(y, x)) == 6.0
