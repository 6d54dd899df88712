"""`tf.random.Generator`: a random stream whose position is a variable, so that it can be saved, split and moved."""

from __future__ import annotations

import random as python_random
from typing import TYPE_CHECKING, Any

import numpy as np

from ..api.variable import Variable
from ..base.dtypes import as_dtype, float32, int32, int64, uint64
from ..base.export import export
from ..base.lazy_import import LazyModule
from ..base.nest import map_structure
from ..ir.apply import convert_to_tensor
from ..ir.context import scope
from ..ir.tensor import DTypeLike, IntLike, ShapeLike, Tensor, TensorLike
from ..ops.array.basic import reshape, shape_of
from ..ops.array.create import zeros
from ..ops.array.identity import bitcast
from ..ops.array.join import concat, stack
from ..ops.math.arithmetic import add, maximum, multiply, subtract
from ..ops.primitives.cast import cast
from ..ops.random.algorithm import Algorithm, number_of
from ..ops.random.functions import DRAWN, scale_draw, shape_input
from ..ops.random.generator import RNG_READ_AND_SKIP
from ..ops.random.stateless import (
    PHILOX,
    STATELESS_FULL_INT,
    STATELESS_INT,
    STATELESS_NORMAL,
    STATELESS_TRUNCATED_NORMAL,
    STATELESS_UNIFORM,
)
from ..ops.reduce.reductions import reduce_prod

if TYPE_CHECKING:
    from ..ops.random import binomial
else:
    binomial = LazyModule("pullback.ops.random.binomial")

#: By algorithm, the numbers of a state: the counter's, low ones first, and the key.
_WORDS = {Algorithm.PHILOX.value: 3, Algorithm.THREEFRY.value: 2, Algorithm.AUTO_SELECT.value: 3}


def _number(alg: Any) -> int:
    """The number of an algorithm, Philox when None."""
    return PHILOX if alg is None else int(number_of(alg))


@export("random.create_rng_state", "random.experimental.create_rng_state")
def create_rng_state(seed: Any, alg: Any) -> Tensor:
    """The state of a generator that starts from `seed`: a Python integer, cut into words, or other numbers, with zeros before them.

    alg: Philox, whose state is three words, or ThreeFry, whose state is two.

    >>> tf.random.create_rng_state(5, "philox").numpy().tolist()
    [5, 0, 0]
    """
    if alg is None:
        raise TypeError("Can't convert argument `alg` (of value None and type <class 'NoneType'>) to int.")
    count = _WORDS[_number(alg)]
    words = _as_words([seed >> 64 * i for i in range(count)] if isinstance(seed, int) else seed)[:count]
    known = words.shape[0]
    missing = maximum(count - shape_of(words)[0], 0) if known is None else count - known
    state = concat([zeros([missing], int64), words], 0)
    state.set_shape([count])
    return state


def _as_words(numbers: Any) -> Tensor:
    """Whole numbers, or one, as a vector of 64 bits each; greater Python integers lose those above."""
    if isinstance(numbers, (int, list, tuple)):
        numbers = map_structure(lambda n: (n + 2**63) % 2**64 - 2**63 if isinstance(n, int) else n, numbers)
    return reshape(cast(convert_to_tensor(numbers), int64), [-1])


@export("random.Generator", "random.experimental.Generator")
class Generator:
    """A random stream with a position of its own.

    Make one with `from_seed`, `from_state`, `from_key_counter` or `from_non_deterministic_state`.  Every draw moves it on, in functions
    and graphs too.

    >>> g = tf.random.Generator.from_seed(1234)
    >>> g.normal([2]).numpy().round(4).tolist()
    [0.935699999332428, 1.0853999853134155]
    >>> g.state.numpy().tolist()
    [1746, 0, 0]
    """

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None:
        if copy_from is not None:
            state, alg = copy_from.state.read_value(), copy_from.algorithm
        elif state is None:
            raise ValueError("Argument `state` must be given; Generator.from_seed makes a generator from a seed.")
        self._algorithm = _number(alg)
        words = convert_to_tensor(state, int64)
        words.shape.assert_is_compatible_with([_WORDS[self._algorithm]])
        self._state = Variable(words, dtype=int64, trainable=False, name="StateVar")

    @classmethod
    def from_state(cls, state: object, alg: object) -> Generator:
        """A generator at the position that `state`, three integers (two with ThreeFry), tells."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed: IntLike, alg: object = None) -> Generator:
        """A generator that starts from `seed`, an integer."""
        return cls(state=create_rng_state(seed, _number(alg)), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: object = None) -> Generator:
        """A generator that starts where no other did."""
        fresh = python_random.SystemRandom()
        return cls(state=create_rng_state([fresh.getrandbits(64) for _ in range(_WORDS[_number(alg)])], _number(alg)), alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """A generator of a key, an integer, and a counter, two of them (one with ThreeFry)."""
        return cls(state=create_rng_state(concat([_as_words(counter), _as_words(key)], 0), _number(alg)), alg=alg)

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return {"_state_var": self._state}

    @property
    def state(self) -> Variable:
        """The variable that holds counter and key."""
        return self._state

    @property
    def algorithm(self) -> Any:
        """The number of the algorithm, see `tf.random.Algorithm`."""
        return self._algorithm

    @property
    def key(self) -> Tensor:
        """The key, a scalar."""
        return self._state.read_value()[-1]

    def reset(self, state: object) -> None:
        """Move to the position that `state` tells."""
        self._state.assign(convert_to_tensor(state, int64))

    def reset_from_seed(self, seed: TensorLike) -> None:
        """Move to where `from_seed` starts."""
        self.reset(create_rng_state(seed, self._algorithm))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Move to where `from_key_counter` starts."""
        self.reset(create_rng_state(concat([_as_words(counter), _as_words(key)], 0), self._algorithm))

    def skip(self, delta: TensorLike) -> Any:
        """Move on as drawing `delta` numbers does; gives the state before."""
        return RNG_READ_AND_SKIP(self._state.handle, np.array(self._algorithm, np.int32), cast(convert_to_tensor(delta), uint64))

    def _draw_key(self, sizes: Any) -> tuple[Any, Any, Any]:
        """Key, counter and algorithm for a draw of `sizes`."""
        state = bitcast(self.skip(reduce_prod(sizes)), uint64)
        last = _WORDS[self._algorithm] - 1
        return state[last : last + 1], state[:last], np.array(self._algorithm, np.int32)

    def normal(
        self, shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0, dtype: DTypeLike = float32, name: str | None = None
    ) -> Tensor:
        """Normally distributed numbers; arguments as `tf.random.normal`."""
        return self._scale_draw(STATELESS_NORMAL, "stateful_normal", shape, mean, stddev, dtype, name)

    def truncated_normal(
        self, shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0, dtype: DTypeLike = float32, name: str | None = None
    ) -> Tensor:
        """Truncated normal numbers; arguments as `tf.random.truncated_normal`."""
        return self._scale_draw(STATELESS_TRUNCATED_NORMAL, "truncated_normal", shape, mean, stddev, dtype, name)

    def _scale_draw(self, op: Any, default: str, shape: Any, mean: Any, stddev: Any, dtype: Any, name: str | None) -> Any:
        kind = as_dtype(dtype)
        with scope(name, default) as inner:
            sizes = convert_to_tensor(shape_input(shape))
            mean, stddev = convert_to_tensor(mean, kind, name="mean"), convert_to_tensor(stddev, kind, name="stddev")
            return scale_draw(op(sizes, *self._draw_key(sizes), dtype=kind), mean, stddev, inner)

    def uniform(
        self,
        shape: ShapeLike,
        minval: TensorLike = 0,
        maxval: TensorLike | None = None,
        dtype: DTypeLike = float32,
        name: str | None = None,
    ) -> Tensor:
        """Uniformly distributed numbers; arguments as `tf.random.uniform`."""
        kind = as_dtype(dtype)
        if kind not in DRAWN:
            raise ValueError(f"Argument `dtype` got invalid value {kind!r}. Accepted dtypes are {DRAWN}.")
        if maxval is None and kind.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {kind!r}")
        with scope(name, "stateful_uniform") as inner:
            sizes = convert_to_tensor(shape_input(shape))
            low = convert_to_tensor(minval, kind, name="min")
            high = convert_to_tensor(1 if maxval is None else maxval, kind, name="max")
            if kind.is_integer:
                return STATELESS_INT(sizes, *self._draw_key(sizes), low, high, name=inner or None)
            drawn = STATELESS_UNIFORM(sizes, *self._draw_key(sizes), dtype=kind)
            return add(multiply(drawn, subtract(high, low, "sub"), "mul"), low, inner)

    def uniform_full_int(self, shape: ShapeLike, dtype: DTypeLike = uint64, name: str | None = None) -> Tensor:
        """Integers, every bit random; dtype: int32, int64, uint32 or uint64."""
        with scope(name, "stateful_uniform_full_int") as inner:
            sizes = convert_to_tensor(shape_input(shape))
            return STATELESS_FULL_INT(sizes, *self._draw_key(sizes), dtype=as_dtype(dtype), name=inner or None)

    def binomial(
        self, shape: ShapeLike, counts: TensorLike, probs: TensorLike, dtype: DTypeLike = int32, name: str | None = None
    ) -> Tensor:
        """How many of `counts` trials succeed that do so with probability `probs`: numbers of `shape`, whose last dimensions are theirs."""
        with scope(name, "binomial") as inner:
            trials, chances = convert_to_tensor(counts, name="counts"), convert_to_tensor(probs, name="probs")
            sizes = convert_to_tensor(shape_input(shape))
            algorithm = np.array(self._algorithm)
            given = self._state.handle, algorithm, sizes, trials, chances
            return binomial.STATEFUL_BINOMIAL(*given, dtype=as_dtype(dtype), name=inner or None)

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for stateless functions: integers of shape [2, count], one in each column."""
        keys = self.uniform_full_int([count], int64)
        return stack([keys, keys - keys])

    def split(self, count: int = 1) -> list[Generator]:
        """`count` new generators whose streams have nothing in common."""
        keys = self.uniform_full_int([count], int64)
        zeros = _WORDS[self._algorithm] - 1
        return [Generator(state=stack([*[keys[i] - keys[i]] * zeros, keys[i]]), alg=self._algorithm) for i in range(count)]


class _Global:
    generator: Generator | None = None


@export("random.get_global_generator", "random.experimental.get_global_generator")
def get_global_generator() -> Generator:
    """The generator that is there for all: from a state of its own at first.

    >>> tf.random.get_global_generator().normal([2]).shape
    TensorShape([2])
    """
    if _Global.generator is None:
        _Global.generator = Generator.from_non_deterministic_state()
    return _Global.generator


@export("random.set_global_generator", "random.experimental.set_global_generator")
def set_global_generator(generator: Generator) -> None:
    """Make `generator` the one that is there for all.

    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(7))
    >>> first = tf.random.get_global_generator().normal([2])
    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(7))
    >>> bool(tf.reduce_all(tf.random.get_global_generator().normal([2]) == first))
    True
    """
    _Global.generator = generator
