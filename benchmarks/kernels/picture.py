"""The picture of all ratios: a dot for each row, family by family, on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

Ratio = tuple[float, str]


def picture(families: Mapping[str, Sequence[Ratio]], line: float, path: Path) -> None:
    """`families`: (ratio, row) of each; the slowest of each family is named."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    mpl.rcParams.update({"svg.hashsalt": "pullback", "svg.fonttype": "none"})
    shown = [(family, sorted(ratios)) for family, ratios in reversed([*families.items()]) if ratios]
    figure, axis = plt.subplots(figsize=(11, 1.2 + 0.36 * len(shown)), layout="constrained")
    for at, (_, ratios) in enumerate(shown):
        times = [ratio for ratio, _ in ratios]
        axis.plot([times[len(times) // 2]] * 2, [at - 0.32, at + 0.32], color="black", linewidth=1.5)
        axis.scatter(times, [at] * len(times), s=14, alpha=0.6, linewidths=0, color=["#c4562f" if x > line else "#4f7ea3" for x in times])
        axis.text(1.01, at, f"{ratios[-1][0]:.1f}   {ratios[-1][1]}", transform=axis.get_yaxis_transform(), va="center", fontsize=8)
    axis.axvline(1, color="black", linewidth=0.6)
    axis.axvline(line, color="#c4562f", linewidth=0.6, linestyle="--")
    axis.set_yticks(range(len(shown)), [f"{family} ({len(ratios)})" for family, ratios in shown])
    axis.set(xscale="log", title="Pullback's time in times of TensorFlow's, call by call; strokes: medians; at the right: the slowest")
    axis.title.set_fontsize(9)
    axis.tick_params(labelsize=8)
    axis.xaxis.set_major_formatter("{x:g}")
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
