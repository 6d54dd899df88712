"""The Python array API standard on tensors: names and signatures, values beside a reference implementation, gradients, DLPack, NumPy.

The public suite (data-apis/array-api-tests) is no package: `make array-api` fetches and runs it; docs/array-api.md has the result.
"""

import inspect
from typing import Any

import array_api_strict as strict
import numpy as np
import pytest

import pullback as tf
import pullback.array_api as xp
from pullback.array_api import _elementwise

STRICT = {"": strict, "linalg.": strict.linalg, "fft.": strict.fft}
OURS = {"": xp, "linalg.": xp.linalg, "fft.": xp.fft}
FUNCTIONS = [f"{space}{name}" for space, module in STRICT.items() for name in module.__all__ if inspect.isfunction(getattr(module, name))]
#: Functions of the reference implementation that are about itself, or of a later version of the standard.
ITS_OWN = {"get_array_api_strict_flags", "set_array_api_strict_flags", "reset_array_api_strict_flags"}
LATER = {"broadcast_shapes", "isin", "linalg.eig", "linalg.eigvals"}


def found(modules: dict[str, Any], name: str) -> Any:
    space, _, last = name.rpartition(".")
    return getattr(modules[f"{space}." if space else ""], last)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - ITS_OWN - LATER))
def test_names_and_parameters_are_the_standards(name: str) -> None:
    ours = list(inspect.signature(found(OURS, name)).parameters.values())
    theirs = list(inspect.signature(found(STRICT, name)).parameters.values())
    positional = [p for p in theirs if p.kind is p.POSITIONAL_ONLY]
    assert len([p for p in ours if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]) >= len(positional)
    named = {p.name for p in theirs if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)}
    assert named <= {p.name for p in ours}


DRAW = np.random.default_rng(7)
FLOATS = DRAW.uniform(0.1, 0.9, (3, 4))
WHOLE = DRAW.integers(-5, 6, (3, 4))
DTYPES = ["int8", "int64", "uint8", "uint32", "float32", "float64", "complex64", "complex128", "bool"]


def inputs(dtype: str) -> np.ndarray:
    if dtype == "bool":
        return WHOLE > 0
    if dtype.startswith("complex"):
        return (FLOATS + 1j * FLOATS[::-1]).astype(dtype)
    return (np.abs(WHOLE) if dtype.startswith("u") else WHOLE if dtype.startswith("int") else FLOATS).astype(dtype)


def same(ours: Any, theirs: Any) -> None:
    """Results agree in dtype, shape and values, part by part."""
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            same(a, b)
        return
    expected = np.asarray(theirs._array if hasattr(theirs, "_array") else theirs)
    assert tuple(ours.shape) == expected.shape
    if expected.dtype.kind in "fc":
        rough = ours.dtype.name in ("float32", "complex64")
        np.testing.assert_allclose(ours.numpy(), expected, rtol=2e-5 if rough else 1e-10, atol=1e-12)
    else:
        np.testing.assert_array_equal(ours.numpy(), expected)


#: Functions that give the default integer or index dtype, which is each library's own.
OWN_WIDTH = {"argmax", "argmin", "argsort", "searchsorted", "count_nonzero", "sum", "prod", "linalg.trace", "linalg.matrix_rank"}


def compared(name: str, *arrays: np.ndarray, **kw: Any) -> bool:
    """Whether the reference takes the arguments; then results are compared, else ours must refuse them too."""
    try:
        with np.errstate(all="ignore"):
            theirs = found(STRICT, name)(*(strict.asarray(a) for a in arrays), **kw)
    except TypeError:
        with pytest.raises((TypeError, ValueError)):
            found(OURS, name)(*(xp.asarray(a) for a in arrays), **kw)
        return False
    ours = found(OURS, name)(*(xp.asarray(a) for a in arrays), **kw)
    same(ours, theirs)
    if hasattr(theirs, "dtype") and name not in OWN_WIDTH:
        assert ours.dtype.name == str(theirs.dtype).rpartition(".")[2]
    return True


@pytest.mark.parametrize("name", _elementwise.UNARY)
def test_functions_of_one_array(name: str) -> None:
    taken = [dtype for dtype in DTYPES if compared(name, inputs(dtype))]
    assert taken


@pytest.mark.parametrize("name", _elementwise.BINARY)
def test_functions_of_two_arrays(name: str) -> None:
    pairs = [(d, d) for d in DTYPES] + [("int8", "int64"), ("uint8", "int8"), ("float32", "float64"), ("float32", "complex128")]
    taken = 0
    for a, b in pairs:
        second = inputs(b)[:1] if b == "bool" else np.abs(inputs(b)[:1]).astype(b) + np.ones((), b)
        taken += compared(name, inputs(a), second)
    assert taken


NO_SLOPE = {"signbit", "bitwise_invert", "logical_not", "imag", "isnan", "isinf", "isfinite"}
MATRICES = DRAW.normal(size=(2, 3, 3))
REDUCTIONS = ("max", "min", "mean", "std", "var", "sum", "prod", "all", "any", "argmax")
OF_MATRICES = ("det", "inv", "slogdet", "svdvals", "matrix_norm", "trace", "pinv", "matrix_rank", "diagonal")
CALLS: list[tuple[str, tuple[np.ndarray, ...], dict[str, Any]]] = [
    *((name, (FLOATS,), {"axis": axis}) for name in REDUCTIONS for axis in (None, 0, 1)),
    *((name, (FLOATS,), {"axis": (0, 1), "keepdims": True}) for name in ("max", "mean", "sum", "any", "count_nonzero")),
    *((f"cumulative_{name}", (FLOATS,), {"axis": 1, "include_initial": first}) for name in ("sum", "prod") for first in (True, False)),
    *((name, (WHOLE,), {"axis": axis, "descending": down}) for name in ("sort", "argsort") for axis in (0, -1) for down in (True, False)),
    *((name, (WHOLE,), {}) for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values", "nonzero", "tril", "triu")),
    ("diff", (FLOATS,), {"n": 2}),
    ("flip", (FLOATS,), {"axis": 1}),
    ("roll", (FLOATS,), {"shift": (1, 2), "axis": (0, 1)}),
    ("roll", (FLOATS,), {"shift": 3}),
    ("permute_dims", (MATRICES,), {"axes": (2, 0, 1)}),
    ("searchsorted", (np.sort(FLOATS[0]), FLOATS), {"side": "right"}),
    ("take_along_axis", (FLOATS, np.argsort(FLOATS, 1)), {"axis": 1}),
    ("clip", (FLOATS,), {"min": 0.3, "max": 0.6}),
    ("matmul", (MATRICES, MATRICES[0]), {}),
    ("matmul", (WHOLE.astype(np.int8), WHOLE.T.astype(np.int8)), {}),
    ("tensordot", (FLOATS, FLOATS), {"axes": ((0,), (0,))}),
    ("vecdot", (FLOATS, FLOATS), {}),
    *((f"linalg.{name}", (MATRICES,), {}) for name in OF_MATRICES),
    *(("linalg.vector_norm", (FLOATS,), {"ord": order, "axis": 1}) for order in (0, 1, 2, 3, np.inf, -np.inf)),
    *(("linalg.matrix_norm", (MATRICES,), {"ord": order}) for order in (1, -1, 2, -2, np.inf, -np.inf, "nuc")),
    ("linalg.eigvalsh", (MATRICES + MATRICES.transpose(0, 2, 1),), {}),
    ("linalg.cross", (MATRICES, MATRICES[::-1]), {}),
    ("linalg.outer", (FLOATS[0], FLOATS[1]), {}),
    ("linalg.solve", (MATRICES, FLOATS[:, 0]), {}),
    ("linalg.diagonal", (FLOATS,), {"offset": 1}),
    *((f"fft.{name}", (inputs("complex128"),), {"norm": n, "n": 5}) for name in ("fft", "ifft") for n in ("backward", "ortho", "forward")),
    *((f"fft.{name}", (inputs("complex128"),), {}) for name in ("fftn", "ifftn", "irfft", "hfft", "fftshift", "ifftshift")),
    *((f"fft.{name}", (FLOATS,), {}) for name in ("rfft", "rfftn", "ihfft")),
]


@pytest.mark.parametrize(("name", "arrays", "kw"), CALLS, ids=[f"{n} {kw}" for n, _, kw in CALLS])
def test_other_functions(name: str, arrays: tuple[np.ndarray, ...], kw: dict[str, Any]) -> None:
    assert compared(name, *arrays, **kw)


@pytest.mark.parametrize("name", [n for n in _elementwise.UNARY if n not in NO_SLOPE])
def test_gradients_flow(name: str) -> None:
    x = xp.asarray(FLOATS + (1.0 if name == "acosh" else 0.0))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(found(OURS, name)(x))
    gradient = tape.gradient(y, x)
    if name in ("ceil", "floor", "round", "trunc", "sign"):
        assert gradient is None or not gradient.numpy().any()
        return
    step = 1e-6
    slope = (found(OURS, name)(x + step) - found(OURS, name)(x - step)) / (2 * step)
    np.testing.assert_allclose(gradient.numpy(), slope.numpy(), rtol=1e-5)


EDGES = [0.0, -0.0, 1.0, -1.0, 2.5, -0.5, np.inf, -np.inf, np.nan]
COMPLEX = {"acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan, "atanh": np.arctanh,
           "log1p": np.log1p, "tanh": np.tanh}


def parts_of(z: np.ndarray) -> np.ndarray:
    return np.stack([z.real, z.imag])


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_values_at_zeros_infinities_and_nan_are_cs(name: str) -> None:
    z = np.array([complex(x, y) for x in EDGES for y in EDGES])
    with np.errstate(all="ignore"):
        theirs = parts_of(COMPLEX[name](z))
    ours = parts_of(getattr(xp, name)(xp.asarray(z)).numpy())
    open_sign = (np.isnan(z.real) | np.isnan(z.imag)) & (np.isinf(theirs) | (theirs == 0))
    if name == "tanh":  # where the standard's sign is not C's
        open_sign |= np.isinf(z.real) & (theirs == 0)
        assert (np.signbit(ours[1]) == np.signbit(z.imag))[np.isinf(z.real) & ~np.isnan(z.imag)].all()
    np.testing.assert_allclose(np.where(open_sign, np.abs(ours), ours), np.where(open_sign, np.abs(theirs), theirs), rtol=1e-14, atol=1e-15)
    zero = (theirs == 0) & ~open_sign
    assert (np.signbit(ours) == np.signbit(theirs))[zero].all()


def test_expm1_at_infinities_and_nan_is_cs() -> None:
    inf, nan = np.inf, np.nan
    table = {
        (-0.0, 0): (0, 0), (inf, 0): (inf, 0), (inf, -inf): (inf, nan), (inf, nan): (inf, nan), (-inf, inf): (-1, 0), (-inf, nan): (-1, 0),
        (nan, 0): (nan, 0), (nan, 1): (nan, nan), (1, nan): (nan, nan), (1, inf): (nan, nan),
    }
    found = xp.expm1(xp.asarray(np.array([complex(*z) for z in table]))).numpy()
    np.testing.assert_array_equal(parts_of(found).T, np.array(list(table.values())))
    assert not np.signbit(found.real[0])


@pytest.mark.parametrize("name", [*COMPLEX, "expm1"])
def test_complex_derivatives_are_those_of_the_finite_function(name: str) -> None:
    z = xp.asarray(np.array([0.3 + 0.4j, -1.7 + 0.2j, complex(np.inf, 1.0)]))
    with tf.GradientTape() as tape:
        tape.watch(z)
        value = getattr(xp, name)(z)
    found = tape.gradient(value, z).numpy()
    step = 1e-6
    shifted = [getattr(xp, name)(xp.asarray(z.numpy()[:2] + by)).numpy() for by in (step, -step)]
    np.testing.assert_allclose(found[:2], np.conj((shifted[0] - shifted[1]) / (2 * step)), rtol=1e-8)
    assert found[2] == 0


def test_kinds_do_not_mix_silently() -> None:
    with pytest.raises(TypeError, match=r"different kinds.*astype"):
        xp.add(xp.asarray([1]), xp.asarray([1.0]))
    with pytest.raises(TypeError, match="Python float"):
        xp.add(xp.asarray([1]), 1.5)
    with pytest.raises(OverflowError, match="int32"):
        xp.asarray([2**40])


def test_a_tensor_leads_to_its_namespace() -> None:
    x = tf.constant([[1.0, 2.0]])
    assert x.__array_namespace__() is xp and x.__array_namespace__(api_version="2024.12") is xp
    with pytest.raises(ValueError, match=r"newest is 2024\.12"):
        x.__array_namespace__(api_version="2099.12")
    assert x.size == 2 and x.T.numpy().tolist() == [[1.0], [2.0]] and x.mT.shape == (2, 1) and x.to_device("cpu") is x
    with pytest.raises(ValueError, match="one device"):
        x.to_device("gpu")


def test_arrays_go_both_ways_without_a_copy() -> None:
    theirs = np.arange(6.0).reshape(2, 3)
    ours = xp.from_dlpack(theirs)
    assert np.shares_memory(np.from_dlpack(ours), theirs) and np.shares_memory(np.asarray(ours), theirs)
    assert ours.__dlpack_device__() == theirs.__dlpack_device__()
    assert not np.shares_memory(np.from_dlpack(ours, copy=True), theirs)
    assert not np.shares_memory(np.array(ours, copy=True), theirs)
    with pytest.raises(ValueError, match="copy=False"):
        np.asarray(ours, dtype=np.float32, copy=False)
    with pytest.raises(BufferError):
        tf.constant([1.0], tf.bfloat16).__dlpack__()


def test_without_asking_operators_are_tensorflows() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        xp.asarray([1], dtype=xp.int8) + xp.asarray([1], dtype=xp.int64)
