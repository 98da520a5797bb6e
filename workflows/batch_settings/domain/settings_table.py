"""The table of all settings in docs/pipeline.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from annotation.domain.protocols import PROTOCOL_STAGES
from workflows.batch_settings.domain.protocol_stages import stage_defaults
from workflows.batch_settings.domain.setting_fields import Setting
from workflows.batch_settings.domain.settings import SETTINGS, BatchSettings


def settings_table() -> str:
    """Return a row for each setting. A star marks those that can be changed after the launch."""
    lines = ["| setting | default | values | effect |", "| --- | --- | --- | --- |"]
    for name, about in SETTINGS.items():
        default: Any = BatchSettings()
        for part in name.split("."):
            default = getattr(default, part)
        shown = _by_stage(name) if about.by_stage else _shown(default)
        star = " *" if about.alterable else ""
        ours = " **[ours]**" if about.ours else ""
        more = f" ([more]({about.see}))" if about.see else ""
        lines.append(f"| `{name}`{star} | {shown} | {_values(about)} | {about.sentence}{ours}{more} |")
    return "\n".join(lines)


def _by_stage(name: str) -> str:
    """Return the most frequent default of the stages, and then the others with their stages."""
    values: Mapping[str, Any] = {
        stage: value
        for protocol in PROTOCOL_STAGES
        for stage, value in stage_defaults(protocol)[name].items()
    }
    ((usual, _),) = Counter(values.values()).most_common(1)
    others: dict[Any, list[str]] = {}
    for stage, value in values.items():
        if value != usual:
            others.setdefault(value, []).append(f"`{stage}`")
    return "; ".join(
        [_shown(usual), *(f"{', '.join(which)}: {_shown(one)}" for one, which in others.items())]
    )


def _shown(value: Any) -> str:
    if value is None or value == "":
        return "none"
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    return f"`{value}`" if isinstance(value, str) else f"{value:.10g}"


def _values(about: Setting) -> str:
    low, high = about.between
    unit = f" {about.unit}" if about.unit else ""
    if about.choices:
        words = ", ".join(f"`{one}`" for one in about.choices)
        more = f", {about.more_words}" if about.more else ""
        shown = f"some of {words}{more}" if about.kind is tuple else words
    elif about.kind is bool:
        shown = "true or false"
    elif about.kind is str:
        shown = f"at most {about.longest} characters"
    elif about.kind is float:
        shown = about.unit
    elif high >= 10**9:  # a limit that no project reaches
        shown = f"whole number{unit}" if low < 0 else f"from {low}{unit}"
    else:
        shown = f"{low} to {high}{unit}"
    return f"{shown}{', or none' if about.empty else ''}{', by stage' if about.by_stage else ''}"
