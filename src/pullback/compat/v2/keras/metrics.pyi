"""The names of `pullback.compat.v2.keras.metrics`, written by docs/make_exports.py."""

from pullback.nn.losses_keras import binary_crossentropy
from pullback.nn.losses_keras import binary_focal_crossentropy
from pullback.nn.losses_keras import categorical_crossentropy
from pullback.nn.losses_keras import categorical_focal_crossentropy
from pullback.nn.losses_keras import categorical_hinge
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
from pullback.nn.metrics_keras import Accuracy
from pullback.nn.metrics_keras import BinaryAccuracy
from pullback.nn.metrics_keras import BinaryCrossentropy
from pullback.nn.metrics_keras import CategoricalAccuracy
from pullback.nn.metrics_keras import CategoricalCrossentropy
from pullback.nn.metrics_keras import CategoricalHinge
from pullback.nn.metrics_keras import ConcordanceCorrelation
from pullback.nn.metrics_keras import CosineSimilarity
from pullback.nn.metrics_keras import Hinge
from pullback.nn.metrics_keras import KLDivergence
from pullback.nn.metrics_keras import LogCoshError
from pullback.nn.metrics_keras import Mean
from pullback.nn.metrics_keras import MeanAbsoluteError
from pullback.nn.metrics_keras import MeanAbsolutePercentageError
from pullback.nn.metrics_keras import MeanMetricWrapper
from pullback.nn.metrics_keras import MeanSquaredError
from pullback.nn.metrics_keras import MeanSquaredLogarithmicError
from pullback.nn.metrics_keras import Metric
from pullback.nn.metrics_keras import PearsonCorrelation
from pullback.nn.metrics_keras import Poisson
from pullback.nn.metrics_keras import RootMeanSquaredError
from pullback.nn.metrics_keras import SparseCategoricalAccuracy
from pullback.nn.metrics_keras import SparseCategoricalCrossentropy
from pullback.nn.metrics_keras import SparseTopKCategoricalAccuracy
from pullback.nn.metrics_keras import SquaredHinge
from pullback.nn.metrics_keras import Sum
from pullback.nn.metrics_keras import TopKCategoricalAccuracy
from pullback.nn.metrics_keras_confusion import AUC
from pullback.nn.metrics_keras_confusion import FalseNegatives
from pullback.nn.metrics_keras_confusion import FalsePositives
from pullback.nn.metrics_keras_confusion import Precision
from pullback.nn.metrics_keras_confusion import PrecisionAtRecall
from pullback.nn.metrics_keras_confusion import Recall
from pullback.nn.metrics_keras_confusion import RecallAtPrecision
from pullback.nn.metrics_keras_confusion import SensitivityAtSpecificity
from pullback.nn.metrics_keras_confusion import SpecificityAtSensitivity
from pullback.nn.metrics_keras_confusion import TrueNegatives
from pullback.nn.metrics_keras_confusion import TruePositives
from pullback.nn.metrics_keras_functions import binary_accuracy
from pullback.nn.metrics_keras_functions import categorical_accuracy
from pullback.nn.metrics_keras_functions import concordance_correlation
from pullback.nn.metrics_keras_functions import pearson_correlation
from pullback.nn.metrics_keras_functions import sparse_categorical_accuracy
from pullback.nn.metrics_keras_functions import sparse_top_k_categorical_accuracy
from pullback.nn.metrics_keras_functions import top_k_categorical_accuracy
from pullback.nn.metrics_keras_names import deserialize
from pullback.nn.metrics_keras_names import get
from pullback.nn.metrics_keras_names import serialize
from pullback.nn.metrics_keras_scores import BinaryIoU
from pullback.nn.metrics_keras_scores import F1Score
from pullback.nn.metrics_keras_scores import FBetaScore
from pullback.nn.metrics_keras_scores import IoU
from pullback.nn.metrics_keras_scores import MeanIoU
from pullback.nn.metrics_keras_scores import OneHotIoU
from pullback.nn.metrics_keras_scores import OneHotMeanIoU
from pullback.nn.metrics_keras_scores import R2Score

__all__ = [
    "AUC",
    "Accuracy",
    "BinaryAccuracy",
    "BinaryCrossentropy",
    "BinaryIoU",
    "CategoricalAccuracy",
    "CategoricalCrossentropy",
    "CategoricalHinge",
    "ConcordanceCorrelation",
    "CosineSimilarity",
    "F1Score",
    "FBetaScore",
    "FalseNegatives",
    "FalsePositives",
    "Hinge",
    "IoU",
    "KLD",
    "KLDivergence",
    "LogCoshError",
    "MAE",
    "MAPE",
    "MSE",
    "MSLE",
    "Mean",
    "MeanAbsoluteError",
    "MeanAbsolutePercentageError",
    "MeanIoU",
    "MeanMetricWrapper",
    "MeanSquaredError",
    "MeanSquaredLogarithmicError",
    "Metric",
    "OneHotIoU",
    "OneHotMeanIoU",
    "PearsonCorrelation",
    "Poisson",
    "Precision",
    "PrecisionAtRecall",
    "R2Score",
    "Recall",
    "RecallAtPrecision",
    "RootMeanSquaredError",
    "SensitivityAtSpecificity",
    "SparseCategoricalAccuracy",
    "SparseCategoricalCrossentropy",
    "SparseTopKCategoricalAccuracy",
    "SpecificityAtSensitivity",
    "SquaredHinge",
    "Sum",
    "TopKCategoricalAccuracy",
    "TrueNegatives",
    "TruePositives",
    "binary_accuracy",
    "binary_crossentropy",
    "binary_focal_crossentropy",
    "categorical_accuracy",
    "categorical_crossentropy",
    "categorical_focal_crossentropy",
    "categorical_hinge",
    "concordance_correlation",
    "deserialize",
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
    "pearson_correlation",
    "poisson",
    "serialize",
    "sparse_categorical_accuracy",
    "sparse_categorical_crossentropy",
    "sparse_top_k_categorical_accuracy",
    "squared_hinge",
    "top_k_categorical_accuracy",
]
