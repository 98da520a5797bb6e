"""The description of one setting of a batch, and how its value is read from JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar

from annotation.domain.field_errors import NamedFieldError

MONEY, SECONDS = "smallest units of the currency", "seconds"
"""Units of numbers that people read and type in others: amounts in the currency's units, times in minutes."""
STAGES = "stages"
"""The group of the settings that do not depend on a stage."""
_DESCRIPTION = "setting"
_Group = TypeVar("_Group")


class SettingsError(NamedFieldError):
    """A setting of a batch cannot be used. `field` names it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a setting does, and which values it takes. The form, the parser and the documentation read it."""

    kind: type  # bool, int, float (a share), str, or tuple (of some of `choices`)
    label: str
    sentence: str
    choices: tuple[str, ...] = ()
    more: Callable[[object], bool] | None = None  # which values beside `choices` a list may have
    more_words: str = ""  # what these are
    between: tuple[float, float] = (0, 1)  # limits of a number
    longest: int = 64  # characters of a text
    unit: str = ""
    group: str = ""  # a stage or a group of settings; empty: the dataclass that the field is in
    empty: bool = False  # None is a value, too
    by_stage: bool = False  # it has a value for each stage
    ours: bool = False  # the paper does not define it
    alterable: bool = False  # of a launched batch, too: nothing that follows from a judgment depends on it
    see: str = ""  # where the documentation says more
    fault: Callable[[str], str] | None = None  # says what is wrong with a text

    def read(self, name: str, value: Any, default: Any) -> Any:
        """Return a value that JSON gives. Raises SettingsError, which names the field."""
        if self.by_stage:
            return self._read_by_stage(name, value, default)
        if self.kind is tuple:
            if not isinstance(value, list | tuple) or not all(map(self._is_choice, value)):
                more = f", {self.more_words}" if self.more else ""
                raise SettingsError(name, f"must be a list of these: {', '.join(self.choices)}{more}")
            return tuple(value)
        if not (self.empty and value is None) and (message := self._fault(value)):
            raise SettingsError(name, message)
        return value

    def _is_choice(self, value: object) -> bool:
        return value in self.choices or (self.more is not None and self.more(value))

    def _read_by_stage(self, name: str, value: Any, defaults: Mapping[str, Any]) -> dict[str, Any]:
        """Read one value for each given stage; {"link": 20} leaves the other stages at their defaults."""
        if self.choices and isinstance(value, str):
            value = dict.fromkeys(defaults, value)
        if not isinstance(value, Mapping):
            example = self.choices[0] if self.choices else 10
            raise SettingsError(name, f'must be an object of values by stage, e.g. {{"link": {example!r}}}')
        for stage, one in value.items():
            if stage not in defaults:
                raise SettingsError(
                    f"{name}.{stage}", f"is not a stage; the stages are {', '.join(defaults)}"
                )
            if message := self._fault(one):
                raise SettingsError(name if self.choices else f"{name}.{stage}", message)
        return {str(stage): plain(one) for stage, one in {**defaults, **value}.items()}

    def _fault(self, value: Any) -> str:
        """Return what is wrong with a value; empty: nothing."""
        if self.choices:
            return "" if value in self.choices else f"{value!r} is not one of {', '.join(self.choices)}"
        if self.kind is bool:
            return "" if isinstance(value, bool) else "must be true or false"
        low, high = self.between
        if self.kind is int:
            of = " of the currency's smallest unit (5 for 0.05 USD)" if self.unit == MONEY else ""
            right = type(value) is int and low <= value <= high
            return "" if right else f"must be a whole number{of} from {low} to {high}"
        if self.kind is float:
            right = type(value) in (int, float) and low <= value <= high
            return "" if right else f"must be a share from {low:g} to {high:g}"
        if not isinstance(value, str) or len(value) > self.longest:
            return f"must be text of at most {self.longest} characters"
        return self.fault(value) if self.fault else ""


def setting(default: Any, label: str, sentence: str, **more: Any) -> Any:
    """Return a field of a dataclass with its description. `more` are fields of Setting.

    A number that may be None is a whole one. The default of a setting by stage is a dict.
    """
    by_stage = isinstance(default, dict)
    kind = type(next(iter(default.values())) if by_stage else 0 if default is None else default)
    if kind is float:
        more.setdefault("unit", f"share, 0 to {more.get('between', (0, 1))[1]:g}")
    about = Setting(kind, label, sentence, empty=default is None, by_stage=by_stage, **more)
    metadata = {_DESCRIPTION: about}
    if by_stage:
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def described(group: Any, within: str = "") -> Iterator[tuple[str, Setting]]:
    """Yield the settings of a dataclass with their names, such as `control.entrance`."""
    for one in fields(group):
        value = getattr(group, one.name)
        if is_dataclass(value):
            yield from described(value, f"{one.name}.")
        elif about := one.metadata.get(_DESCRIPTION):
            yield within + one.name, replace(about, group=about.group or within.rstrip(".") or STAGES)


def read_group(value: object, defaults: _Group, within: str = "") -> _Group:
    """Return a group of settings; those that are not given keep their defaults.

    Raises SettingsError, which names the field.
    """
    group: Any = defaults
    about = {one.name: one.metadata.get(_DESCRIPTION) for one in fields(group)}
    known = [name for name in about if about[name] or is_dataclass(getattr(group, name))]
    if not isinstance(value, Mapping):
        raise SettingsError(within.rstrip("."), f"must be an object with the settings {', '.join(known)}")
    read = {}
    for name, given in value.items():
        if name not in known:
            raise SettingsError(f"{within}{name}", f"is not a setting; the settings are {', '.join(known)}")
        default, description = getattr(group, name), about[name]
        if description is None:
            read[name] = read_group(given, default, f"{name}.")
        else:
            read[name] = description.read(within + name, given, default)
    result: _Group = replace(group, **read)
    return result


def plain(value: Any) -> Any:
    """Return a value as JSON has it: words of enumerations as text, and tuples as lists."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, str) else value
