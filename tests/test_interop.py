"""What TensorFlow 1 programs lean on: flags, logging, files, options, SciPy's minimizers."""

import logging
import sys
from pathlib import Path

import numpy as np
import pytest

import pullback
from pullback.tensorflow import flags, logging as tf_logging
from pullback.tensorflow.files import gfile
from tests.programs import pullback_run

errors = pullback.errors
v1 = pullback.compat.v1


@pytest.fixture
def values() -> flags.FlagValues:
    known = flags.FlagValues()
    flags.DEFINE_string("name", "a", "A name.", flag_values=known)
    flags.DEFINE_integer("steps", 10, "How many.", flag_values=known)
    flags.DEFINE_float("rate", 1, "How fast.", flag_values=known)
    flags.DEFINE_boolean("train", True, "Whether.", flag_values=known)
    v1.flags.DEFINE_bool("deep", False, "Whether too.", flag_values=known)
    flags.DEFINE_list("sizes", "1,2", "Sizes.", flag_values=known)
    flags.DEFINE_enum("kind", "x", ["x", "y"], "Which.", flag_values=known)
    flags.DEFINE_string("none", None, "Nothing.", flag_values=known)
    return known


class TestFlags:
    def test_defaults(self, values: flags.FlagValues) -> None:
        assert values(["p"]) == ["p"]
        assert values.flag_values_dict() == {
            "name": "a", "steps": 10, "rate": 1.0, "train": True, "deep": False, "sizes": ["1", "2"], "kind": "x", "none": None,
        }  # fmt: skip
        assert isinstance(values.rate, float)

    @pytest.mark.parametrize(
        ("words", "name", "value"),
        [
            (["--name=b c"], "name", "b c"),
            (["--name", "b"], "name", "b"),
            (["-steps=3"], "steps", 3),
            (["--steps", "-3"], "steps", -3),
            (["--steps=0x10"], "steps", 16),
            (["--rate=1e-3"], "rate", 1e-3),
            (["--notrain"], "train", False),
            (["--train=false"], "train", False),
            (["--deep"], "deep", True),
            (["--deep=1"], "deep", True),
            (["--sizes=3, 4,5"], "sizes", ["3", "4", "5"]),
            (["--kind=y"], "kind", "y"),
            (["--none=x=y"], "none", "x=y"),
        ],
    )
    def test_values(self, values: flags.FlagValues, words: list[str], name: str, value: object) -> None:
        assert values(["p", *words, "rest"]) == ["p", "rest"]
        assert getattr(values, name) == value
        assert values[name].present

    def test_what_is_left(self, values: flags.FlagValues) -> None:
        assert values(["p", "a", "--steps", "2", "-", "--", "--name=b"]) == ["p", "a", "-", "--name=b"]
        assert values.name == "a"

    @pytest.mark.parametrize("word", ["--steps=x", "--rate=fast", "--train=maybe", "--kind=z"])
    def test_wrong_values(self, values: flags.FlagValues, word: str) -> None:
        with pytest.raises(flags.IllegalFlagValueError, match=f"flag {word}"):
            values(["p", word])

    def test_unknown(self, values: flags.FlagValues) -> None:
        with pytest.raises(flags.UnrecognizedFlagError, match="Unknown command line flag 'stepz'"):
            values(["p", "--stepz=1"])
        assert values(["p", "--stepz=1"], known_only=True) == ["p", "--stepz=1"]

    def test_twice(self, values: flags.FlagValues) -> None:
        with pytest.raises(flags.DuplicateFlagError, match="'name' is defined twice"):
            flags.DEFINE_string("name", "b", "Another.", flag_values=values)

    def test_read_at_first_use(self, values: flags.FlagValues, monkeypatch: pytest.MonkeyPatch) -> None:
        read = flags.ParsedFlags(values)
        monkeypatch.setattr(sys, "argv", ["p", "--steps=7"])
        assert not values.is_parsed() and not read.is_parsed()
        assert read.steps == 7 and values.is_parsed()
        read.steps = 8
        assert values.steps == 8 and read["steps"].value == 8 and "steps" in read and len(read) == len(values)

    def test_set_and_delete(self, values: flags.FlagValues) -> None:
        values.mark_as_parsed()
        values.steps = 5
        assert values.steps == 5 and "steps" in values and len(values) == 8
        del values.steps
        with pytest.raises(AttributeError, match="steps"):
            _ = values.steps

    def test_a_program(self, tmp_path: Path) -> None:
        program = tmp_path / "program.py"
        program.write_text(
            "import tensorflow as tf\n"
            "FLAGS = tf.app.flags.FLAGS\n"
            "tf.flags.DEFINE_float('rate', 0.1, 'How fast.')\n"
            "tf.flags.DEFINE_string('out', None, 'Where.')\n"
            "tf.flags.mark_flag_as_required('out')\n"
            "from absl import flags\n"
            "flags.DEFINE_integer('own', 7, 'By the name of absl.')\n"
            "def main(argv):\n    print(argv[1:], FLAGS.rate, FLAGS.out, FLAGS.own, flags.FLAGS.rate)\n    return 3\n"
            "if __name__ == '__main__':\n    tf.app.run()\n"
        )
        done = pullback_run(program, "--rate=0.5", "--out", "here", "x")
        assert (done.stdout, done.returncode) == ("['x'] 0.5 here 7 0.5\n", 3), done.stderr
        missing = pullback_run(program)
        assert missing.returncode == 1 and "Flag --out must have a value" in missing.stderr
        others = pullback_run(program, "--rte=1", "--out=here")  # are left to the program, as in TensorFlow
        assert others.stdout == "['--rte=1'] 0.1 here 7 0.1\n"
        helped = pullback_run(program, "--help")
        assert helped.returncode == 1 and "--rate: How fast." in helped.stdout, helped.stdout


class TestLogging:
    @pytest.fixture
    def said(self) -> list[str]:
        lines: list[str] = []

        class Keep(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                lines.append(f"{record.levelname} {record.getMessage()}")

        logger, handler = tf_logging.get_logger(), Keep()
        before = logger.level
        logger.addHandler(handler)
        yield lines
        logger.removeHandler(handler)
        logger.setLevel(before)

    def test_levels(self, said: list[str]) -> None:
        v1.logging.set_verbosity(v1.logging.INFO)
        assert v1.logging.get_verbosity() == v1.logging.INFO == logging.INFO
        for level in ("debug", "info", "warn", "warning", "error", "fatal"):
            getattr(v1.logging, level)("%s %d", level, 1)
        assert said == ["INFO info 1", "WARNING warn 1", "WARNING warning 1", "ERROR error 1", "CRITICAL fatal 1"]

    def test_some_of_many(self, said: list[str]) -> None:
        for i in range(5):
            v1.logging.log_first_n(v1.logging.ERROR, "first %d", 2, i)
            v1.logging.log_every_n(v1.logging.ERROR, "every %d", 3, i)
            v1.logging.log_if(v1.logging.ERROR, "if %d", i == 4, i)
        assert said == ["ERROR first 0", "ERROR every 0", "ERROR first 1", "ERROR every 3", "ERROR if 4"]


class TestFiles:
    def test_round_trip(self, tmp_path: Path) -> None:
        f = v1.gfile
        f.MakeDirs(f"{tmp_path}/a/b")
        with f.GFile(f"{tmp_path}/a/x.txt", "w") as out:
            out.write("é\n")
        with f.Open(f"{tmp_path}/a/x.txt") as written:
            assert written.read() == "é\n"
        assert f.Exists(f"{tmp_path}/a/x.txt") and not f.Exists(f"{tmp_path}/a/y.txt")
        assert f.ListDirectory(f"{tmp_path}/a") == ["b", "x.txt"]
        assert f.Glob(f"{tmp_path}/a/*.txt") == [f"{tmp_path}/a/x.txt"]
        f.Copy(f"{tmp_path}/a/x.txt", f"{tmp_path}/a/y.txt")
        with pytest.raises(errors.AlreadyExistsError):
            f.Copy(f"{tmp_path}/a/x.txt", f"{tmp_path}/a/y.txt")
        f.Rename(f"{tmp_path}/a/x.txt", f"{tmp_path}/a/y.txt", overwrite=True)
        assert next(iter(f.Walk(f"{tmp_path}/a"))) == (f"{tmp_path}/a", ["b"], ["y.txt"])
        f.Remove(f"{tmp_path}/a/y.txt")
        f.DeleteRecursively(f"{tmp_path}/a")
        assert not f.IsDirectory(f"{tmp_path}/a")

    @pytest.mark.parametrize("call", [gfile.listdir, gfile.remove, gfile.rmtree, lambda path: gfile.GFile(path).read()])
    def test_not_there(self, call, tmp_path: Path) -> None:
        with pytest.raises(errors.NotFoundError, match="none"):
            call(tmp_path / "none")

    def test_a_file_of_that_name(self, tmp_path: Path) -> None:
        pullback.io.gfile.mkdir(tmp_path)
        (tmp_path / "file").write_text("")
        pullback.io.gfile.mkdir(tmp_path / "file")  # TensorFlow 2.21 says nothing either
        assert (tmp_path / "file").is_file()


class TestOptions:
    def test_session_options(self) -> None:
        config = v1.ConfigProto(allow_soft_placement=True, gpu_options=v1.GPUOptions(per_process_gpu_memory_fraction=0.3))
        config.gpu_options.allow_growth = True
        config.intra_op_parallelism_threads = 2
        with v1.Graph().as_default(), v1.Session(config=config) as sess:
            assert sess.run(v1.constant(2.0)) == 2.0

    def test_a_wrong_one(self) -> None:
        with pytest.raises(ValueError, match='ConfigProto has no "allow_growth" field'):
            v1.ConfigProto(allow_growth=True)
        with pytest.raises(AttributeError, match='GPUOptions has no "growth" field'):
            v1.ConfigProto().gpu_options.growth = True

    def test_devices(self) -> None:
        assert pullback.config.list_physical_devices("GPU") == []
        assert [d.device_type for d in pullback.config.list_physical_devices()] == ["CPU"]
        assert not v1.test.is_gpu_available() and v1.test.gpu_device_name() == ""
        for device in pullback.config.experimental.list_physical_devices("GPU"):
            pullback.config.experimental.set_memory_growth(device, True)


class TestScipyOptimizer:
    @pytest.fixture(autouse=True)
    def graph(self):
        with v1.Graph().as_default():
            yield

    def test_rosenbrock(self) -> None:
        x = v1.get_variable("x", initializer=np.array([-1.2, 1.0]))
        loss = 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2
        steps, losses = [], []
        optimizer = v1.contrib.opt.ScipyOptimizerInterface(loss, method="L-BFGS-B", options={"maxiter": 100})
        with v1.Session() as sess:
            sess.run(v1.global_variables_initializer())
            optimizer.minimize(sess, fetches=[loss], step_callback=steps.append, loss_callback=losses.append)
            np.testing.assert_allclose(sess.run(x), [1, 1], atol=1e-4)
        assert losses[0] == pytest.approx(24.2) and losses[-1] < 1e-8 and len(losses) >= len(steps) > 10
        assert steps[0].shape == (2,)

    def test_bounds_constraints_and_shapes(self) -> None:
        v = v1.Variable(np.full((2, 1), 7.0), name="v")
        w = v1.Variable(3.0, dtype=v1.float64)
        fed = v1.placeholder(v1.float64, [])
        loss = v1.reduce_sum(v**2) + (w - fed) ** 2
        equal, more = [v1.reduce_sum(v) - 6.0], [v1.reduce_sum(v * [[1.0], [-1.0]]) - 1.0]
        optimizer = v1.contrib.opt.ScipyOptimizerInterface(loss, equalities=equal, inequalities=more, var_to_bounds={w: (2.5, np.inf)})
        with v1.Session().as_default() as sess:
            v1.global_variables_initializer().run()
            optimizer.minimize(feed_dict={fed: 2.0})
            np.testing.assert_allclose(sess.run(v), [[3.5], [2.5]], rtol=1e-6)
            assert w.eval() == pytest.approx(2.5)

    def test_a_failing_run_restores(self) -> None:
        x = v1.Variable([1.0, 2.0])

        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        optimizer = v1.contrib.opt.ScipyOptimizerInterface(v1.reduce_sum(x**2))
        with v1.Session() as sess:
            sess.run(v1.global_variables_initializer())
            with pytest.raises(KeyboardInterrupt):
                optimizer.minimize(sess, step_callback=stop)
            assert sess.run(x).tolist() == [1.0, 2.0]

    def test_refusals(self) -> None:
        with pytest.raises(ValueError, match="No variables to optimize"):
            v1.contrib.opt.ScipyOptimizerInterface(v1.constant(1.0))
        x = v1.Variable(1.0)
        optimizer = v1.contrib.opt.ScipyOptimizerInterface(x**2, jac=True)
        with v1.Session() as sess, pytest.raises(ValueError, match="must not hold jac"):
            sess.run(x.initializer)
            optimizer.minimize(sess)


class TestLosses:
    def test_refusals(self) -> None:
        losses = v1.losses
        with pytest.raises(ValueError, match=r"Shapes \(3, 1\) and \(3, 2\) are incompatible"):
            losses.mean_squared_error(v1.zeros((3, 2)), v1.ones((3, 1)))
        for shape in ((2, 2), (3,)):
            with pytest.raises(ValueError, match="weights can not be broadcast to values"):
                losses.mean_squared_error(v1.zeros((3, 2)), v1.ones((3, 2)), weights=v1.ones(shape))
        with pytest.raises(ValueError, match="Argument `labels` must not be None"):
            losses.log_loss(None, v1.ones(3))
        with pytest.raises(ValueError, match="Invalid Reduction Key x"):
            losses.compute_weighted_loss(v1.ones(3), reduction="x")


class TestSmallFunctions:
    def test_text(self) -> None:
        compat = pullback.compat
        assert compat.as_bytes("é") == "é".encode() == compat.as_bytes(bytearray("é".encode()))
        assert compat.as_text(b"a") == compat.as_str("a") == "a" and compat.as_str_any(3) == "3"
        for call in (compat.as_bytes, compat.as_text):
            with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
                call(3)
        assert compat.path_to_str(Path("a")) == "a"

    def test_dimensions(self) -> None:
        assert v1.dimension_value(v1.Dimension(2)) == 2
        assert v1.dimension_at_index(v1.TensorShape([None, 3]), 1).value == 3
        assert v1.dimension_at_index(v1.TensorShape(None), 1).value is None


class TestRawOps:
    def test_by_keyword(self) -> None:
        product = pullback.raw_ops.MatMul(a=[[1.0, 2.0]], b=[[3.0, 4.0]], transpose_b=True)
        assert product.numpy().tolist() == [[11.0]]
        assert pullback.raw_ops.ConcatV2(values=[[1], [2, 3]], axis=0).numpy().tolist() == [1, 2, 3]
        with v1.Graph().as_default():
            assert v1.raw_ops.AddV2(x=1.0, y=2.0, name="sum").name == "sum:0"

    def test_refusals(self) -> None:
        with pytest.raises(AttributeError, match=r"tf.raw_ops.MatMull is not in Pullback. The nearest name here: tf.raw_ops.MatMul"):
            _ = pullback.raw_ops.MatMull
        with pytest.raises(TypeError, match=r"MatMul\(\) missing required argument\(s\): b"):
            pullback.raw_ops.MatMul(a=[[1.0]])
        with pytest.raises(TypeError, match="keyword arguments only"):
            pullback.raw_ops.Neg([1.0])
        assert "MatMul" in dir(pullback.raw_ops)

    def test_generated_modules(self, tmp_path: Path) -> None:
        program = tmp_path / "program.py"
        program.write_text(
            "import tensorflow as tf\n"
            "from tensorflow.python.framework import ops\n"
            "from tensorflow.python.ops import gen_nn_ops, gen_math_ops\n"
            "@ops.RegisterGradient('Guided')\n"
            "def guided(op, grad):\n"
            "    return tf.where(0.0 < grad, gen_nn_ops._relu_grad(grad, op.outputs[0]), tf.zeros_like(grad))\n"
            "with tf.Graph().as_default() as g, g.gradient_override_map({'Relu': 'Guided'}):\n"
            "    x = tf.placeholder(tf.float32, [3])\n"
            "    y = tf.nn.relu(x) * [1.0, -1.0, 2.0]\n"
            "    print(tf.Session().run(tf.gradients(y, x)[0], {x: [1.0, 2.0, -3.0]}))\n"
            "    m = gen_math_ops.mat_mul([[1.0]], [[2.0]], False, True, 'm')\n"
            "    print(m.name, callable(ops.get_gradient_function(m.op)))\n"
        )
        done = pullback_run(program)
        assert done.stdout == "[1. 0. 0.]\nm:0 True\n", done.stderr


class TestNormal:
    """The numbers are TensorFlow's; examples/gaussian_policy.py trains with it."""

    def test_densities(self) -> None:
        d = v1.distributions.Normal([0.0, 1.0], 2.0)
        assert (d.batch_shape.as_list(), d.event_shape.as_list(), d.dtype) == ([2], [], pullback.float32)
        x = [1.0, -3.0]
        np.testing.assert_allclose(d.log_prob(x), [-1.7370857, -3.6120858], rtol=1e-6)
        np.testing.assert_allclose(d.prob(x), np.exp(d.log_prob(x)), rtol=1e-6)
        np.testing.assert_allclose(d.cdf(x), [0.6914625, 0.0227501], rtol=1e-5)
        np.testing.assert_allclose(d.entropy(), [2.1120858, 2.1120858], rtol=1e-6)
        moments = [t.numpy().tolist() for t in (d.mean(), d.mode(), d.stddev(), d.variance())]
        assert moments == [[0.0, 1.0], [0.0, 1.0], [2.0, 2.0], [4.0, 4.0]]
        np.testing.assert_allclose(d.kl_divergence(v1.distributions.Normal(0.0, 1.0)), [0.8068528, 1.3068528], rtol=1e-6)

    def test_samples(self) -> None:
        d = v1.distributions.Normal(np.array([10.0, -10.0]), np.array(0.5))
        assert [d.sample(n).shape.as_list() for n in ((), 3, [2, 3])] == [[2], [3, 2], [2, 3, 2]]
        draws = d.sample(4000, seed=1).numpy()
        assert draws.dtype == np.float64
        np.testing.assert_allclose(draws.mean(0), [10, -10], atol=0.05)
        np.testing.assert_allclose(draws.std(0), 0.5, atol=0.03)

    def test_gradients_through_draws(self) -> None:
        loc, scale = pullback.Variable(1.0), pullback.Variable(2.0)
        with pullback.GradientTape() as tape:
            drawn = v1.distributions.Normal(loc, scale).sample(100)
            total = pullback.reduce_sum(drawn)
        by_loc, by_scale = tape.gradient(total, [loc, scale])
        assert float(by_loc) == 100.0
        assert float(by_scale) == pytest.approx(float((total - 100.0) / 2.0), rel=1e-4)

    def test_refusals(self) -> None:
        with pytest.raises(ValueError, match="Expected floating point type"):
            v1.distributions.Normal(pullback.constant(1), pullback.constant(2))
        with pytest.raises(ValueError, match="must be of the same type"):
            v1.distributions.Normal(pullback.constant(1.0), pullback.constant(1.0, pullback.float64))
        with pytest.raises(errors.InvalidArgumentError):
            v1.distributions.Normal(0.0, -1.0, validate_args=True)
        with v1.Graph().as_default(), v1.Session() as sess, pytest.raises(errors.InvalidArgumentError):
            scale = v1.placeholder(v1.float32, [])
            sess.run(v1.distributions.Normal(0.0, scale, validate_args=True).log_prob(0.0), {scale: -1.0})
        with pytest.raises(NotImplementedError, match="No KL"):
            v1.distributions.kl_divergence(v1.distributions.Normal(0.0, 1.0), 3)
