"""What a program hears of a name that is not there.

TensorFlow's public names stand in tensorflow_names.txt, a line for each namespace ("tf.math: abs ...", "tf1." for
TensorFlow 1), made by tests/golden/make_names.py. So a message can tell a name that Pullback does not have yet from one that
TensorFlow 1 has, or that nobody has.
"""

from __future__ import annotations

import difflib
from functools import cache
from pathlib import Path

from ..tensorflow.contrib.replacements import find_new_name, replacement
from ..tensorflow.out_of_scope import Reason, name_reason, say_reason
from .faces import namespaces, write_space

#: Names of JAX's, PyTorch's, NumPy's and Keras's that have another one here.
_PEERS = {
    "grad": "value_and_gradient(f, x)",
    "value_and_grad": "value_and_gradient(f, x)",
    "backward": "GradientTape",
    "no_grad": "stop_gradient",
    "detach": "stop_gradient",
    "jit": "function",
    "compile": "function(f, jit_compile=True)",
    "vmap": "vectorized_map",
    "jacfwd": "jacobian(f, x)",
    "jacrev": "jacobian(f, x)",
    "hess": "hessian(f, x)",
    "hessian_vector_product": "hvp(f, x, v)",
    "minimize": "optimize.minimize(f, x)",
    "checkpoint": "train.Checkpoint, to save; tf.recompute_grad, to keep less for the gradient",
    "odeint": "function: write the steps as a loop in it, and the gradient goes through them (the page First tasks has one)",
    "safe_divide": "math.divide_no_nan",
    "safe_div": "math.divide_no_nan",
    "tensor": "constant",
    "array": "constant",
    "asarray": "convert_to_tensor",
    "from_numpy": "convert_to_tensor",
    "empty": "zeros",
    "full": "fill",
    "arange": "range",
    "rand": "random.uniform",
    "randn": "random.normal",
    "manual_seed": "random.set_seed",
    "seed": "random.set_seed",
    "sum": "reduce_sum",
    "mean": "reduce_mean",
    "max": "reduce_max, tf.maximum",
    "min": "reduce_min, tf.minimum",
    "prod": "reduce_prod",
    "cat": "concat",
    "concatenate": "concat",
    "vstack": "concat, tf.stack",
    "permute": "transpose",
    "view": "reshape",
    "unsqueeze": "expand_dims",
    "dot": "tensordot, tf.matmul",
    "mm": "matmul",
    "inverse": "linalg.inv",
    "kron": "experimental.numpy.kron",
    "Model": "keras.Model",
    "Sequential": "keras.Sequential",
}


@cache
def tensorflow_names() -> dict[str, frozenset[str]]:
    """TensorFlow's public names: namespace -> names.

    >>> "gradients" in tensorflow_names()["tf"], "placeholder" in tensorflow_names()["tf"], "placeholder" in tensorflow_names()["tf1"]
    (True, False, True)
    """
    text = (Path(__file__).parent / "tensorflow_names.txt").read_text()
    pairs = (line.split(": ") for line in text.splitlines())
    return {space: frozenset(names.split()) for space, names in pairs}


def explain(space: str, name: str) -> str:
    """Why `space` has no `name`, and what to use instead."""
    shown = f"{write_space(space)}.{name}"
    known = tensorflow_names()
    if f"{space}.{name}".startswith(("tf.contrib", "tf1.contrib.")):
        return _explain_contrib(space, name, shown)
    if space.startswith("tf1") and (now := find_new_name(shown)) is not None:
        return f"{shown} was in TensorFlow before 1.0. It is {now} now"
    if name in known.get(space, ()):
        elsewhere = reason_in(space, name)
        if elsewhere is not None:
            return f"{shown} is not in Pullback: {say_reason(elsewhere)}"
        why = f"{shown} is not in Pullback"
    elif not space.startswith("tf1") and name in known.get(f"tf1{space[2:]}", ()):
        why = f"{shown} is TensorFlow 1's: write tf.compat.v1{shown[2:]}, or run the program with `pullback run --tf 1`"
    elif space.startswith("tf1") and name in known.get(f"tf{space[3:]}", ()):
        why = f"{shown} is TensorFlow 2's: write tf.compat.v2{shown[2:]}, or run the program with `pullback run --tf 2`"
    elif space == "tf" and name in _PEERS:
        return f"TensorFlow has no {shown}. Here it is tf.{_PEERS[name]}"
    elif space in known:
        why = f"TensorFlow has no {shown}"
    else:
        why = f"{shown} is not in Pullback"
    near = find_nearest(space, name, alike="TensorFlow has no" in why or name in known.get(space, ()))
    return f"{why}. The nearest name here: {near}" if near else why


def _explain_contrib(space: str, name: str, shown: str) -> str:
    if space == "tf":
        return f"{shown} is TensorFlow 1's: write tf.compat.v1{shown[2:]}, or run the program with `pullback run --tf 1`"
    why = f"{shown} is not in Pullback; tf.contrib ended with TensorFlow 1"
    instead = replacement(shown.removeprefix("tf.contrib."))
    if instead is not None:
        return f"{why}. Instead: {instead}"
    near = find_nearest(space, name)
    return f"{why}. The nearest name here: {near}" if near else why


def reason_in(space: str, name: str) -> Reason | None:
    """Why a name of TensorFlow's is out of scope, or all that is in the namespace of that name; None where it is not.

    >>> reason_in("tf.quantization", "experimental").why
    'serving, tables and columns of features'
    """
    whole = tensorflow_names().get(f"{space}.{name}", ())
    own = name_reason(f"{space}.{name}") or name_reason(name)
    reasons = [name_reason(inner) for inner in sorted(whole)]
    return own if own is not None or not reasons or None in reasons else reasons[0]


def find_nearest(space: str, name: str, alike: bool = True) -> str | None:
    """The same name in another namespace of the face, else, where names that are only `alike` will do, the one most like it."""
    face = space.partition(".")[0]
    known = namespaces()
    numpy = "tf.experimental.numpy"
    spaces = [s for s in known if s.partition(".")[0] == face and s.startswith(numpy) == space.startswith(numpy)]
    same = [s for s in spaces if name in known[s]]
    if same:
        return f"{write_space(min(same, key=len))}.{name}"
    for candidates in ([space], spaces) if alike else ():
        names = {n: s for s in reversed(candidates) for n in known.get(s, ())}
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.7)
        if close:
            return f"{write_space(names[close[0]])}.{close[0]}"
    return None
