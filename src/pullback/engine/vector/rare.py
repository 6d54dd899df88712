"""Mathematical functions that few programs need: loaded when one of them is asked for."""

from __future__ import annotations

from . import complex as z, gamma as g
from .bessel import BESSEL
from .betainc import betainc
from .function import Function, ulps
from .incomplete import BY_ORDER, INCOMPLETE
from .integrals import INTEGRALS
from .lgamma import lgamma
from .waves import WAVES
from .zeta import gamma, zeta

#: Those that stand for themselves.
ALONE = {
    "lgamma": Function(lgamma, ulps(1.0, 4.0), long=True, own=False),
    "digamma": Function(g.digamma, ulps(1.0, 4.0), long=True),
    "hypot": Function(z.hypot, ulps(1.5), 2, library="hypot"),
    **{name: Function(build, ulps(4.0), long=True) for name, build in (WAVES | INTEGRALS).items()},
}
FUNCTIONS = {
    **ALONE,
    # modified Bessel functions, which have tests of their own: what is true takes long
    **{name: Function(build, ulps(1.0, 4.0), long=True) for name, build in BESSEL.items()},
    # those that leave a part of their domain to SciPy, by loops that only modules linked with its addresses can call
    "zeta": Function(zeta, ulps(4.0), 2, True, own=False),
    "gamma": Function(gamma, ulps(4.0), long=True, own=False),
    "betainc": Function(betainc, ulps(4.0), 3, True, own=False),
    **{name: Function(build, ulps(4.0), 2, True, own=False) for name, build in INCOMPLETE.items()},
    **{name: Function(build, ulps(4.0, 400.0), 2, True, own=False) for name, build in BY_ORDER.items()},
}
