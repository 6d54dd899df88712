"""CasADi: symbolic graphs of matrices (MX)."""

import time
from typing import Any

import casadi
from protocol import X, numbers, serve


def build(length: int, evaluate: bool) -> dict[str, Any]:
    start = time.perf_counter()
    x = casadi.MX.sym("x", 16)
    y = x
    for _ in range(length // 4):
        y = casadi.sin(y) * x + y - x
    g = casadi.jtimes(y, x, casadi.MX.ones(16), True)
    seconds = time.perf_counter() - start
    if not evaluate:
        return {"seconds": seconds}
    values = casadi.Function("f", [x], [y, g])(casadi.DM(X))
    return {"seconds": seconds, "values": numbers(*(value.full().ravel().tolist() for value in values))}


if __name__ == "__main__":
    serve(build=build)
