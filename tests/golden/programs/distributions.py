"""`tf.compat.v1.distributions`: densities, statistics, divergences, draws and their gradients, what is refused; eagerly and in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raises

FACE = "v2"
STATISTICS = ("mean", "mode", "variance", "stddev", "entropy")
DENSITIES = ("log_prob", "prob", "log_cdf", "cdf", "log_survival_function", "survival_function")


def _all(tf: Any) -> dict[str, tuple[Any, Any]]:
    """One of each, with values that it may have."""
    d, x = tf.compat.v1.distributions, np.array([0.25, 0.5, 0.875], np.float32)
    whole = np.array([0.0, 1.0, 2.0], np.float32)
    return {
        "Normal": (d.Normal([0.0, 1.0, -2.0], 2.0), x),
        "Normal, far": (d.Normal([0.0], 1.0), np.array([-30.0, -12.0, 7.0, 9.0], np.float32)),
        "Normal, float64": (d.Normal(np.array([0.0]), np.array(1.0)), np.array([-40.0, -15.0, 7.0, 9.0])),
        "Laplace": (d.Laplace([0.0, 1.0, -2.0], 2.0), x),
        "StudentT": (d.StudentT([0.5, 1.5, 5.0], [0.0, 1.0, 0.5], 2.0), x),
        "Uniform": (d.Uniform([0.0, 0.5, 1.0], 2.0), x),
        "Gamma": (d.Gamma([0.5, 1.5, 3.0], 2.0), x),
        "Exponential": (d.Exponential([0.5, 1.5, 3.0]), x),
        "Beta": (d.Beta([0.5, 1.5, 3.0], [2.0, 2.5, 0.5]), x),
        "Bernoulli": (d.Bernoulli(probs=[0.25, 0.5, 0.75]), np.array([0, 1, 1])),
        "Bernoulli of logits": (d.Bernoulli(logits=[[-1.0], [2.0]], dtype=tf.float32), whole[:2]),
        "Categorical": (d.Categorical(probs=[0.125, 0.375, 0.5]), np.array([0, 1, 2])),
        "Categorical, batch": (d.Categorical(logits=[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]], dtype=tf.int64), np.array([[0, 1], [2, 2]])),
        "Dirichlet": (d.Dirichlet([[1.5, 2.0, 4.0], [0.5, 1.0, 2.0]]), np.array([0.25, 0.25, 0.5], np.float32)),
        "Multinomial": (d.Multinomial([3.0, 3.0], probs=[[0.25, 0.25, 0.5], [0.125, 0.5, 0.375]]), whole),
        "Multinomial of logits": (d.Multinomial(3.0, logits=[0.0, 1.0, 2.0]), whole),
        "DirichletMultinomial": (d.DirichletMultinomial(3.0, [[1.5, 2.0, 4.0], [0.5, 1.0, 2.0]]), whole),
    }


def _is_known(call: Any) -> Any:
    try:
        return call()
    except NotImplementedError as error:
        return str(error)


def densities(tf: Any) -> dict[str, Any]:
    return {
        f"{name}: {method}": lambda d=d, x=x, method=method: _is_known(lambda: getattr(d, method)(x))
        for name, (d, x) in _all(tf).items()
        for method in DENSITIES
    }


def statistics(tf: Any) -> dict[str, Any]:
    return {
        f"{name}: {method}": lambda d=d, method=method: _is_known(getattr(d, method))
        for name, (d, _) in _all(tf).items()
        for method in (*STATISTICS, "covariance")
        if (name, method) != ("Dirichlet", "mode")
    } | {
        "Dirichlet: mode": lambda: tf.compat.v1.distributions.Dirichlet([1.5, 2.0, 4.0]).mode(),
        "Dirichlet: mode of a batch": ours(  # TensorFlow's shapes do not fit
            np.array([[0.125, 0.25, 0.625], [np.nan] * 3], np.float32),
            lambda: tf.compat.v1.distributions.Dirichlet([[1.5, 2.0, 3.5], [0.5, 1.0, 2.0]]).mode(),
        ),
        "quantile": lambda: _all(tf)["Normal"][0].quantile([0.25, 0.5, 0.875]),
        "range": lambda: _all(tf)["Uniform"][0].range(),
    }


def shapes(tf: Any) -> dict[str, Any]:
    def told(d: Any) -> list[Any]:
        scalars = [d.is_scalar_event(), d.is_scalar_batch()]
        tensors = [d.batch_shape_tensor(), d.event_shape_tensor()]
        known = [d.batch_shape.as_list(), d.event_shape.as_list(), d.dtype.name]
        return [*known, str(d.reparameterization_type), *scalars, *tensors]  # eagerly TensorFlow's have no name

    def parameters(d: Any) -> Any:
        return sorted(d.parameters), sorted(d.copy(name="other").parameters), d.allow_nan_stats, d.validate_args

    found: dict[str, Any] = {f"{name}: shapes": lambda d=d: told(d) for name, (d, _) in _all(tf).items()}
    found |= {f"{name}: parameters": lambda d=d: parameters(d) for name, (d, _) in _all(tf).items()}
    for name in ("Normal", "StudentT", "Uniform", "Gamma", "Exponential", "Beta", "Bernoulli", "Laplace"):
        kind = getattr(tf.compat.v1.distributions, name)
        found[f"{name}: param_shapes"] = lambda kind=kind: [sorted(kind.param_shapes([2, 3])), *kind.param_shapes([2, 3]).values()]
        found[f"{name}: param_static_shapes"] = lambda kind=kind: [s.as_list() for s in kind.param_static_shapes([2, 3]).values()]
    return found


def draws(tf: Any) -> dict[str, Any]:
    def seeded(d: Any, sizes: Any) -> Any:
        tf.random.set_seed(7)
        return d.sample(sizes, seed=3)

    found: dict[str, Any] = {}
    for name, (d, _) in _all(tf).items():
        found[f"{name}: two by three"] = lambda d=d: seeded(d, [2, 3])
        found[f"{name}: one"] = lambda d=d: seeded(d, ())
        found[f"{name}: four"] = lambda d=d: seeded(d, 4)
    return found


def gradients(tf: Any) -> dict[str, Any]:
    d = tf.compat.v1.distributions
    one, two, three = (tf.constant(x) for x in ([1.5], [2.0], [3.0]))
    made = {
        "Normal": (d.Normal, (one, two)), "Laplace": (d.Laplace, (one, two)), "StudentT": (d.StudentT, (three, one, two)),
        "Uniform": (d.Uniform, (one, two)), "Gamma": (d.Gamma, (one, two)), "Exponential": (d.Exponential, (two,)),
        "Beta": (d.Beta, (one, two)), "Dirichlet": (d.Dirichlet, (tf.constant([1.5, 2.0, 4.0]),)),
        "Bernoulli": (lambda p: d.Bernoulli(probs=p, dtype=tf.float32), (one / 4.0,)),
    }  # fmt: skip

    def through(make: Any, parameters: Any, ask: Any) -> Any:
        tf.random.set_seed(7)
        with tf.GradientTape() as tape:
            tape.watch(parameters)
            y = tf.reduce_sum(ask(make(*parameters)))
        return tape.gradient(y, parameters)

    found: dict[str, Any] = {}
    for name, (make, parameters) in made.items():
        value = [0.25, 0.25, 0.5] if name == "Dirichlet" else [1.0] if name in ("Bernoulli", "Uniform") else [0.25]
        asked = {
            "a draw": lambda d: d.sample([3], seed=3) ** 2,
            "log_prob": lambda d, value=value: d.log_prob(value),
            "entropy": lambda d: d.entropy(),
            "kl_divergence": lambda d, make=make, parameters=parameters: d.kl_divergence(make(*(p * 0.75 for p in parameters))),
        }
        for what, ask in asked.items():
            if name in ("Laplace", "StudentT", "Uniform") and what == "kl_divergence":
                continue
            found[f"{name}: {what}"] = lambda make=make, parameters=parameters, ask=ask: through(make, parameters, ask)
    return found


def divergences(tf: Any) -> dict[str, Any]:
    d = tf.compat.v1.distributions
    pairs = {
        "Normal": (d.Normal([0.0, 1.0], 2.0), d.Normal(1.0, [1.0, 0.5])),
        "Gamma": (d.Gamma([1.5, 2.0], 2.0), d.Gamma(1.0, [1.0, 0.5])),
        "Exponential": (d.Exponential([1.5, 2.0]), d.Exponential(1.0)),
        "Exponential and Gamma": (d.Exponential([1.5, 2.0]), d.Gamma(2.0, 1.0)),
        "Beta": (d.Beta([1.5, 2.0], 2.0), d.Beta(1.0, [1.0, 0.5])),
        "Bernoulli": (d.Bernoulli(probs=[0.25, 0.5]), d.Bernoulli(logits=0.5)),
        "Categorical": (d.Categorical(probs=[0.25, 0.75]), d.Categorical(logits=[0.5, 1.0])),
        "Dirichlet": (d.Dirichlet([1.5, 2.0, 3.0]), d.Dirichlet([[1.0, 2.0, 1.0], [4.0, 0.5, 1.0]])),
    }
    found: dict[str, Any] = {name: lambda a=a, b=b: d.kl_divergence(a, b) for name, (a, b) in pairs.items()}
    found |= {f"{name}: cross entropy": lambda a=a, b=b: a.cross_entropy(b) for name, (a, b) in pairs.items()}
    return found | {
        "none": raises(lambda: d.kl_divergence(d.Laplace(0.0, 1.0), d.Normal(0.0, 1.0)), "No KL"),
        "registered twice": raises(lambda: d.RegisterKL(d.Normal, d.Normal)(max), "already been registered"),
        "not a function": raises(lambda: d.RegisterKL(d.Laplace, d.Normal)(3), "must be callable"),
        "NaN": raises(lambda: d.kl_divergence(d.Normal(np.float32(np.nan), 1.0), d.Normal(0.0, 1.0), allow_nan_stats=False)),
    }


def refused(tf: Any) -> dict[str, Any]:
    d = tf.compat.v1.distributions
    checked = {"validate_args": True}
    return {
        "Normal: scale": raises(lambda: d.Normal(0.0, -1.0, **checked)),
        "Normal: integers": raises(lambda: d.Normal(tf.constant(1), tf.constant(2))),
        "Normal: two dtypes": raises(lambda: d.Normal(tf.constant(1.0), tf.constant(1.0, tf.float64))),
        "StudentT: df": raises(lambda: d.StudentT(-1.0, 0.0, 1.0, **checked)),
        "StudentT: mean": raises(lambda: d.StudentT(0.5, 0.0, 1.0, allow_nan_stats=False).mean()),
        "Uniform: order": raises(lambda: d.Uniform(2.0, 1.0, **checked)),
        "Gamma: rate": raises(lambda: d.Gamma(1.0, -1.0, **checked)),
        "Gamma: value": raises(lambda: d.Gamma(1.0, 1.0, **checked).log_prob(-1.0)),
        "Gamma: mode": raises(lambda: d.Gamma(0.5, 1.0, allow_nan_stats=False).mode()),
        "Beta: concentration": raises(lambda: d.Beta(-1.0, 1.0, **checked)),
        "Beta: value": raises(lambda: d.Beta(1.0, 1.0, **checked).prob(1.5)),
        "Beta: mode": raises(lambda: d.Beta(0.5, 2.0, allow_nan_stats=False).mode()),
        "Bernoulli: both": raises(lambda: d.Bernoulli(logits=0.0, probs=0.5)),
        "Bernoulli: neither": raises(d.Bernoulli),
        "Bernoulli: integers": raises(lambda: d.Bernoulli(probs=tf.constant(1))),
        "Bernoulli: probability": raises(lambda: d.Bernoulli(probs=1.5, **checked)),
        "Bernoulli: value": raises(lambda: d.Bernoulli(probs=0.5, **checked).prob(2)),
        "Categorical: sum": raises(lambda: d.Categorical(probs=[0.5, 0.25], **checked)),
        "Categorical: one class": raises(lambda: d.Categorical(probs=[1.0], **checked)),
        "Categorical: scalar": raises(lambda: d.Categorical(probs=1.0)),
        "Categorical: value": raises(lambda: d.Categorical(probs=[0.5, 0.5], **checked).prob(0.5)),
        "Dirichlet: concentration": raises(lambda: d.Dirichlet([1.0, -1.0], **checked)),
        "Dirichlet: value": raises(lambda: d.Dirichlet([1.0, 1.0], **checked).prob([0.5, 0.75])),
        "Dirichlet: mode": raises(lambda: d.Dirichlet([0.5, 2.0], allow_nan_stats=False).mode()),
        "Multinomial: total": raises(lambda: d.Multinomial(-1.0, probs=[0.5, 0.5], **checked)),
        "Multinomial: fraction": raises(lambda: d.Multinomial(1.5, probs=[0.5, 0.5], **checked)),
        "Multinomial: value": raises(lambda: d.Multinomial(2.0, probs=[0.5, 0.5], **checked).prob([1.0, 2.0])),
        "DirichletMultinomial: value": raises(lambda: d.DirichletMultinomial(2.0, [1.0, 1.0], **checked).prob([1.0, 2.0])),
        "a parent": raises(lambda: d.Distribution(tf.float32, d.NOT_REPARAMETERIZED, False, True, graph_parents=[1]), "not a Tensor"),
        "sample: a matrix": raises(lambda: d.Normal(0.0, 1.0).sample([[1, 2]])),
        "static shapes": raises(lambda: d.Normal.param_static_shapes(tf.TensorShape([None]))),
        "not known": raises(lambda: d.Gamma(1.0, 1.0).quantile(0.5), "quantile is not implemented: Gamma"),
    }


def in_graphs(tf: Any) -> dict[str, Any]:
    """With shapes that are known at run time only."""
    v1 = tf.compat.v1
    d = v1.distributions

    def run(make: Any, feed: Any, *asks: Any) -> Any:
        with v1.Graph().as_default(), v1.Session() as session:
            v1.set_random_seed(7)
            places = [v1.placeholder(np.asarray(f).dtype) for f in feed]
            made = make(*places)
            return session.run([ask(made) for ask in asks], dict(zip(places, feed, strict=True)))

    def told(d: Any) -> Any:
        return d.batch_shape_tensor()

    loc, p = np.array([0.0, 1.0], np.float32), np.array([[0.25, 0.75], [0.5, 0.5]], np.float32)
    two = np.array([2.0, 2.0], np.float32)

    def draw(d: Any) -> Any:
        return d.sample([2], seed=3)

    def covariance(d: Any) -> Any:
        return d.covariance()

    return {
        "Normal": lambda: run(lambda a: d.Normal(a, 2.0), [loc], told, draw, lambda d: d.log_prob(0.5), lambda d: d.is_scalar_batch()),
        "StudentT": lambda: run(lambda a: d.StudentT(a + 3.0, a, 2.0), [loc], told, draw, lambda d: d.cdf(0.5), lambda d: d.variance()),
        "Categorical": lambda: run(lambda a: d.Categorical(probs=a), [p], told, draw, lambda d: d.prob([0, 1]), lambda d: d.event_size),
        "Dirichlet": lambda: run(lambda a: d.Dirichlet(a), [p], told, draw, lambda d: d.event_shape_tensor(), covariance),
        "Multinomial": lambda: run(lambda n, a: d.Multinomial(n, probs=a), [two, p], told, lambda d: d.log_prob([1.0, 1.0]), covariance),
        "a name": lambda: run(lambda a: d.Normal(a, 2.0), [loc], lambda d: v1.constant([d.name, d.mean().name, d.log_prob(0.5).name])),
        "said": lambda: run(lambda a: d.Categorical(probs=a), [p], lambda d: v1.constant([str(d), repr(d)])),
        "said with shapes": lambda: run(lambda a: d.Dirichlet(a * [1.0, 2.0]), [p[0]], lambda d: v1.constant([str(d), repr(d)])),
    }


def static_shapes_of_draws(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1
    d = v1.distributions

    def known(make: Any) -> Any:
        def answer() -> list[Any]:
            with v1.Graph().as_default():
                p, q, free = v1.placeholder(tf.float32, [None, 1]), v1.placeholder(tf.float32, [None, 4]), v1.placeholder(tf.float32)
                made, sizes = make(p, q, free), v1.placeholder(tf.int32, [2])
                shapes = [made.sample(n).shape for n in ((), 3, [2, 3], tf.constant([2]), sizes)]
                return [None if shape.rank is None else shape.as_list() for shape in shapes]

        return answer

    return {
        "Normal": known(lambda p, q, free: d.Normal(p, 2.0)),
        "Uniform": known(lambda p, q, free: d.Uniform(p, p + 1.0)),
        "Laplace": known(lambda p, q, free: d.Laplace(p, p)),
        "StudentT": known(lambda p, q, free: d.StudentT(3.0, p, p)),
        "Gamma": known(lambda p, q, free: d.Gamma(p, p)),
        "Bernoulli": known(lambda p, q, free: d.Bernoulli(logits=p)),
        "Categorical": known(lambda p, q, free: d.Categorical(logits=q)),
        "Dirichlet": known(lambda p, q, free: d.Dirichlet(q)),
        "Multinomial": known(lambda p, q, free: d.Multinomial(5.0, logits=q)),
        "of unknown rank": known(lambda p, q, free: d.Normal(free, 1.0)),
    }
