"""The names of `pullback.compat.v1.distributions`, written by docs/make_exports.py."""

from pullback.tensorflow.distributions.base import Distribution as Distribution
from pullback.tensorflow.distributions.base import FULLY_REPARAMETERIZED as FULLY_REPARAMETERIZED
from pullback.tensorflow.distributions.base import NOT_REPARAMETERIZED as NOT_REPARAMETERIZED
from pullback.tensorflow.distributions.base import ReparameterizationType as ReparameterizationType
from pullback.tensorflow.distributions.classes import Bernoulli as Bernoulli
from pullback.tensorflow.distributions.classes import Categorical as Categorical
from pullback.tensorflow.distributions.continuous import Laplace as Laplace
from pullback.tensorflow.distributions.continuous import Normal as Normal
from pullback.tensorflow.distributions.continuous import StudentT as StudentT
from pullback.tensorflow.distributions.continuous import Uniform as Uniform
from pullback.tensorflow.distributions.divergence import RegisterKL as RegisterKL
from pullback.tensorflow.distributions.divergence import kl_divergence as kl_divergence
from pullback.tensorflow.distributions.positive import Beta as Beta
from pullback.tensorflow.distributions.positive import Exponential as Exponential
from pullback.tensorflow.distributions.positive import Gamma as Gamma
from pullback.tensorflow.distributions.vectors import Dirichlet as Dirichlet
from pullback.tensorflow.distributions.vectors import DirichletMultinomial as DirichletMultinomial
from pullback.tensorflow.distributions.vectors import Multinomial as Multinomial

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
