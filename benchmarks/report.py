"""The measures as a table on the terminal, a page, and a picture."""

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measures import US, Measure


def table(measure: Measure) -> str:
    ours = measure.values[US]
    lines = [f"### {measure.title}", "", f"| library | {measure.unit} | times ours |", "|---|--:|--:|"]
    for name, value in sorted(measure.values.items(), key=lambda item: item[1]):
        ratio = f"{value / ours:.2f}" if ours > 0 and value > 0 else ""
        lines.append(f"| {name} | {value:,.4g} | {ratio} |")
    lines += ["", *(f"- {'met' if met else 'MISSED'}: {text}" for text, met in measure.targets)]
    return "\n".join(lines)


def machine() -> str:
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0] if names else model
    return f"{os.cpu_count()} cores of {model}, {platform.system()}, Python {platform.python_version()}"


def page(measures: Sequence[Measure], versions: dict[str, str]) -> str:
    which = ", ".join(f"{name} {version}" for name, version in versions.items())
    head = f"Measured on {datetime.now(UTC):%Y-%m-%d} by `make bench`, on {machine()}.\nAll in one run: {which}. Less is better everywhere."
    return "\n\n".join(["# Pullback and its peers", head, "![all measures, on logarithmic scales](core.svg)", *map(table, measures)]) + "\n"


def picture(measures: Sequence[Measure], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import NullLocator

    mpl.rcParams.update({"svg.hashsalt": "pullback", "svg.fonttype": "none"})
    compared = [m for m in measures if len(m.values) > 1]
    figure, axes = plt.subplots(len(compared), 1, figsize=(8, 1.3 + 1.7 * len(compared)), squeeze=False, layout="constrained")
    for axis, measure in zip(axes[:, 0], compared, strict=True):
        bars = sorted(((name, v) for name, v in measure.values.items() if v > 0), key=lambda item: -item[1])
        drawn = axis.barh([n for n, _ in bars], [v for _, v in bars], color=["#c4562f" if n.startswith(US) else "#9db3c4" for n, _ in bars])
        axis.bar_label(drawn, labels=[f"{v:,.0f}" if v >= 100 else f"{v:.3g}" for _, v in bars], padding=3, fontsize=8)
        axis.set(xscale="log", title=measure.title if measure.unit == "tensors" else f"{measure.title}, in {measure.unit}")
        axis.xaxis.set_major_locator(NullLocator())  # the bars are logarithmic, the numbers stand beside them
        axis.xaxis.set_minor_locator(NullLocator())
        axis.title.set_fontsize(9)
        axis.tick_params(labelsize=8)
        axis.margins(x=0.25)
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})
