"""`tf.distributions` of TensorFlow 1: probability distributions, their draws, densities, statistics and divergences."""

from .base import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution, ReparameterizationType
from .classes import Bernoulli, Categorical
from .continuous import Laplace, Normal, StudentT, Uniform
from .divergence import RegisterKL, kl_divergence
from .positive import Beta, Exponential, Gamma
from .vectors import Dirichlet, DirichletMultinomial, Multinomial

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
