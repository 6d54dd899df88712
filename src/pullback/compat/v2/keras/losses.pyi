"""The names of `pullback.compat.v2.keras.losses`, written by docs/make_exports.py."""

from pullback.nn.losses_keras import binary_crossentropy
from pullback.nn.losses_keras import binary_focal_crossentropy
from pullback.nn.losses_keras import categorical_crossentropy
from pullback.nn.losses_keras import categorical_focal_crossentropy
from pullback.nn.losses_keras import categorical_generalized_cross_entropy
from pullback.nn.losses_keras import categorical_hinge
from pullback.nn.losses_keras import circle
from pullback.nn.losses_keras import cosine_similarity
from pullback.nn.losses_keras import ctc
from pullback.nn.losses_keras import dice
from pullback.nn.losses_keras import hinge
from pullback.nn.losses_keras import huber
from pullback.nn.losses_keras import kullback_leibler_divergence as KLD
from pullback.nn.losses_keras import kullback_leibler_divergence as kld
from pullback.nn.losses_keras import kullback_leibler_divergence
from pullback.nn.losses_keras import logcosh
from pullback.nn.losses_keras import mean_absolute_error as MAE
from pullback.nn.losses_keras import mean_absolute_error as mae
from pullback.nn.losses_keras import mean_absolute_percentage_error as MAPE
from pullback.nn.losses_keras import mean_absolute_percentage_error as mape
from pullback.nn.losses_keras import mean_squared_error as MSE
from pullback.nn.losses_keras import mean_squared_error as mse
from pullback.nn.losses_keras import mean_squared_logarithmic_error as MSLE
from pullback.nn.losses_keras import mean_squared_logarithmic_error as msle
from pullback.nn.losses_keras import poisson
from pullback.nn.losses_keras import sparse_categorical_crossentropy
from pullback.nn.losses_keras import squared_hinge
from pullback.nn.losses_keras import tversky
from pullback.nn.losses_keras_classes import BinaryCrossentropy
from pullback.nn.losses_keras_classes import BinaryFocalCrossentropy
from pullback.nn.losses_keras_classes import CTC
from pullback.nn.losses_keras_classes import CategoricalCrossentropy
from pullback.nn.losses_keras_classes import CategoricalFocalCrossentropy
from pullback.nn.losses_keras_classes import CategoricalGeneralizedCrossEntropy
from pullback.nn.losses_keras_classes import CategoricalHinge
from pullback.nn.losses_keras_classes import Circle
from pullback.nn.losses_keras_classes import CosineSimilarity
from pullback.nn.losses_keras_classes import Dice
from pullback.nn.losses_keras_classes import Hinge
from pullback.nn.losses_keras_classes import Huber
from pullback.nn.losses_keras_classes import KLDivergence
from pullback.nn.losses_keras_classes import LogCosh
from pullback.nn.losses_keras_classes import Loss
from pullback.nn.losses_keras_classes import MeanAbsoluteError
from pullback.nn.losses_keras_classes import MeanAbsolutePercentageError
from pullback.nn.losses_keras_classes import MeanSquaredError
from pullback.nn.losses_keras_classes import MeanSquaredLogarithmicError
from pullback.nn.losses_keras_classes import Poisson
from pullback.nn.losses_keras_classes import Reduction
from pullback.nn.losses_keras_classes import SparseCategoricalCrossentropy
from pullback.nn.losses_keras_classes import SquaredHinge
from pullback.nn.losses_keras_classes import Tversky
from pullback.nn.losses_keras_classes import deserialize
from pullback.nn.losses_keras_classes import get
from pullback.nn.losses_keras_classes import serialize

__all__ = [
    "BinaryCrossentropy",
    "BinaryFocalCrossentropy",
    "CTC",
    "CategoricalCrossentropy",
    "CategoricalFocalCrossentropy",
    "CategoricalGeneralizedCrossEntropy",
    "CategoricalHinge",
    "Circle",
    "CosineSimilarity",
    "Dice",
    "Hinge",
    "Huber",
    "KLD",
    "KLDivergence",
    "LogCosh",
    "Loss",
    "MAE",
    "MAPE",
    "MSE",
    "MSLE",
    "MeanAbsoluteError",
    "MeanAbsolutePercentageError",
    "MeanSquaredError",
    "MeanSquaredLogarithmicError",
    "Poisson",
    "Reduction",
    "SparseCategoricalCrossentropy",
    "SquaredHinge",
    "Tversky",
    "binary_crossentropy",
    "binary_focal_crossentropy",
    "categorical_crossentropy",
    "categorical_focal_crossentropy",
    "categorical_generalized_cross_entropy",
    "categorical_hinge",
    "circle",
    "cosine_similarity",
    "ctc",
    "deserialize",
    "dice",
    "get",
    "hinge",
    "huber",
    "kld",
    "kullback_leibler_divergence",
    "logcosh",
    "mae",
    "mape",
    "mse",
    "msle",
    "poisson",
    "serialize",
    "sparse_categorical_crossentropy",
    "squared_hinge",
    "tversky",
]
