"""The names of `pullback.compat.v1.metrics`, written by docs/make_exports.py."""

from pullback.tensorflow.metrics.v1 import accuracy as accuracy
from pullback.tensorflow.metrics.v1 import mean as mean
from pullback.tensorflow.metrics.v1 import mean_absolute_error as mean_absolute_error
from pullback.tensorflow.metrics.v1 import mean_cosine_distance as mean_cosine_distance
from pullback.tensorflow.metrics.v1 import mean_relative_error as mean_relative_error
from pullback.tensorflow.metrics.v1 import mean_squared_error as mean_squared_error
from pullback.tensorflow.metrics.v1 import mean_tensor as mean_tensor
from pullback.tensorflow.metrics.v1 import percentage_below as percentage_below
from pullback.tensorflow.metrics.v1 import root_mean_squared_error as root_mean_squared_error
from pullback.tensorflow.metrics.v1_classes import false_negatives as false_negatives
from pullback.tensorflow.metrics.v1_classes import false_positives as false_positives
from pullback.tensorflow.metrics.v1_classes import mean_iou as mean_iou
from pullback.tensorflow.metrics.v1_classes import mean_per_class_accuracy as mean_per_class_accuracy
from pullback.tensorflow.metrics.v1_classes import precision as precision
from pullback.tensorflow.metrics.v1_classes import recall as recall
from pullback.tensorflow.metrics.v1_classes import true_negatives as true_negatives
from pullback.tensorflow.metrics.v1_classes import true_positives as true_positives
from pullback.tensorflow.metrics.v1_curves import auc as auc
from pullback.tensorflow.metrics.v1_curves import false_negatives_at_thresholds as false_negatives_at_thresholds
from pullback.tensorflow.metrics.v1_curves import false_positives_at_thresholds as false_positives_at_thresholds
from pullback.tensorflow.metrics.v1_curves import precision_at_thresholds as precision_at_thresholds
from pullback.tensorflow.metrics.v1_curves import recall_at_thresholds as recall_at_thresholds
from pullback.tensorflow.metrics.v1_curves import sensitivity_at_specificity as sensitivity_at_specificity
from pullback.tensorflow.metrics.v1_curves import specificity_at_sensitivity as specificity_at_sensitivity
from pullback.tensorflow.metrics.v1_curves import true_negatives_at_thresholds as true_negatives_at_thresholds
from pullback.tensorflow.metrics.v1_curves import true_positives_at_thresholds as true_positives_at_thresholds
from pullback.tensorflow.metrics.v1_ranks import average_precision_at_k as average_precision_at_k
from pullback.tensorflow.metrics.v1_ranks import precision_at_k as precision_at_k
from pullback.tensorflow.metrics.v1_ranks import precision_at_top_k as precision_at_top_k
from pullback.tensorflow.metrics.v1_ranks import recall_at_k as recall_at_k
from pullback.tensorflow.metrics.v1_ranks import recall_at_top_k as recall_at_top_k
from pullback.tensorflow.metrics.v1_ranks import sparse_average_precision_at_k as sparse_average_precision_at_k
from pullback.tensorflow.metrics.v1_ranks import sparse_precision_at_k as sparse_precision_at_k

__all__ = [
    "accuracy",
    "auc",
    "average_precision_at_k",
    "false_negatives",
    "false_negatives_at_thresholds",
    "false_positives",
    "false_positives_at_thresholds",
    "mean",
    "mean_absolute_error",
    "mean_cosine_distance",
    "mean_iou",
    "mean_per_class_accuracy",
    "mean_relative_error",
    "mean_squared_error",
    "mean_tensor",
    "percentage_below",
    "precision",
    "precision_at_k",
    "precision_at_thresholds",
    "precision_at_top_k",
    "recall",
    "recall_at_k",
    "recall_at_thresholds",
    "recall_at_top_k",
    "root_mean_squared_error",
    "sensitivity_at_specificity",
    "sparse_average_precision_at_k",
    "sparse_precision_at_k",
    "specificity_at_sensitivity",
    "true_negatives",
    "true_negatives_at_thresholds",
    "true_positives",
    "true_positives_at_thresholds",
]
