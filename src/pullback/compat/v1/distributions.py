"""The names of `tf.compat.v1.distributions`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ..legacy.distributions import (
        FULLY_REPARAMETERIZED,
        NOT_REPARAMETERIZED,
        Bernoulli,
        Beta,
        Categorical,
        Dirichlet,
        DirichletMultinomial,
        Distribution,
        Exponential,
        Gamma,
        Laplace,
        Multinomial,
        Normal,
        RegisterKL,
        ReparameterizationType,
        StudentT,
        Uniform,
        kl_divergence,
    )

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
