"""The names of `tf.compat.v1.metrics`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...nn.metrics_v1 import (
        accuracy,
        mean,
        mean_absolute_error,
        mean_cosine_distance,
        mean_relative_error,
        mean_squared_error,
        mean_tensor,
        percentage_below,
        root_mean_squared_error,
    )
    from ...nn.metrics_v1_classes import (
        false_negatives,
        false_positives,
        mean_iou,
        mean_per_class_accuracy,
        precision,
        recall,
        true_negatives,
        true_positives,
    )
    from ...nn.metrics_v1_curves import (
        auc,
        false_negatives_at_thresholds,
        false_positives_at_thresholds,
        precision_at_thresholds,
        recall_at_thresholds,
        sensitivity_at_specificity,
        specificity_at_sensitivity,
        true_negatives_at_thresholds,
        true_positives_at_thresholds,
    )
    from ...nn.metrics_v1_ranks import (
        average_precision_at_k,
        precision_at_k,
        precision_at_top_k,
        recall_at_k,
        recall_at_top_k,
        sparse_average_precision_at_k,
        sparse_precision_at_k,
    )

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

__getattr__ = _missing("tf1.metrics", __all__, __name__)
