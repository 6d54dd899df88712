"""The names of `pullback.compat.v1.distributions`, written by docs/make_exports.py."""

from pullback.tensorflow.distributions.base import Distribution
from pullback.tensorflow.distributions.base import FULLY_REPARAMETERIZED
from pullback.tensorflow.distributions.base import NOT_REPARAMETERIZED
from pullback.tensorflow.distributions.base import ReparameterizationType
from pullback.tensorflow.distributions.classes import Bernoulli
from pullback.tensorflow.distributions.classes import Categorical
from pullback.tensorflow.distributions.continuous import Laplace
from pullback.tensorflow.distributions.continuous import Normal
from pullback.tensorflow.distributions.continuous import StudentT
from pullback.tensorflow.distributions.continuous import Uniform
from pullback.tensorflow.distributions.divergence import RegisterKL
from pullback.tensorflow.distributions.divergence import kl_divergence
from pullback.tensorflow.distributions.positive import Beta
from pullback.tensorflow.distributions.positive import Exponential
from pullback.tensorflow.distributions.positive import Gamma
from pullback.tensorflow.distributions.vectors import Dirichlet
from pullback.tensorflow.distributions.vectors import DirichletMultinomial
from pullback.tensorflow.distributions.vectors import Multinomial

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
