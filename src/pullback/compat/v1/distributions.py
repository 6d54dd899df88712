"""The names of `tf.compat.v1.distributions`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ..legacy.distributions import FULLY_REPARAMETERIZED as FULLY_REPARAMETERIZED
    from ..legacy.distributions import NOT_REPARAMETERIZED as NOT_REPARAMETERIZED
    from ..legacy.distributions import Bernoulli as Bernoulli
    from ..legacy.distributions import Beta as Beta
    from ..legacy.distributions import Categorical as Categorical
    from ..legacy.distributions import Dirichlet as Dirichlet
    from ..legacy.distributions import DirichletMultinomial as DirichletMultinomial
    from ..legacy.distributions import Distribution as Distribution
    from ..legacy.distributions import Exponential as Exponential
    from ..legacy.distributions import Gamma as Gamma
    from ..legacy.distributions import Laplace as Laplace
    from ..legacy.distributions import Multinomial as Multinomial
    from ..legacy.distributions import Normal as Normal
    from ..legacy.distributions import RegisterKL as RegisterKL
    from ..legacy.distributions import ReparameterizationType as ReparameterizationType
    from ..legacy.distributions import StudentT as StudentT
    from ..legacy.distributions import Uniform as Uniform
    from ..legacy.distributions import kl_divergence as kl_divergence

__all__ = [
    "FULLY_REPARAMETERIZED",
    "NOT_REPARAMETERIZED",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "Exponential",
    "Gamma",
    "Laplace",
    "Multinomial",
    "Normal",
    "RegisterKL",
    "ReparameterizationType",
    "StudentT",
    "Uniform",
    "kl_divergence",
]

__getattr__ = _missing("tf1.distributions", __all__, __name__)
