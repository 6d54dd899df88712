"""The names of `pullback.compat.v1.distributions`, written by docs/make_exports.py."""

from pullback.compat.legacy.distributions.base import Distribution
from pullback.compat.legacy.distributions.base import FULLY_REPARAMETERIZED
from pullback.compat.legacy.distributions.base import NOT_REPARAMETERIZED
from pullback.compat.legacy.distributions.base import ReparameterizationType
from pullback.compat.legacy.distributions.classes import Bernoulli
from pullback.compat.legacy.distributions.classes import Categorical
from pullback.compat.legacy.distributions.continuous import Laplace
from pullback.compat.legacy.distributions.continuous import Normal
from pullback.compat.legacy.distributions.continuous import StudentT
from pullback.compat.legacy.distributions.continuous import Uniform
from pullback.compat.legacy.distributions.divergence import RegisterKL
from pullback.compat.legacy.distributions.divergence import kl_divergence
from pullback.compat.legacy.distributions.positive import Beta
from pullback.compat.legacy.distributions.positive import Exponential
from pullback.compat.legacy.distributions.positive import Gamma
from pullback.compat.legacy.distributions.vectors import Dirichlet
from pullback.compat.legacy.distributions.vectors import DirichletMultinomial
from pullback.compat.legacy.distributions.vectors import Multinomial

__all__ = [
    "Bernoulli",
    "Beta",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "Exponential",
    "FULLY_REPARAMETERIZED",
    "Gamma",
    "Laplace",
    "Multinomial",
    "NOT_REPARAMETERIZED",
    "Normal",
    "RegisterKL",
    "ReparameterizationType",
    "StudentT",
    "Uniform",
    "kl_divergence",
]
