"""Dataclasses that are made quickly are those that they would be without."""

import dataclasses

import pytest

from cedar.transforms.model._quick import quick


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    first: int
    second: str
    third: float | None = None


@quick
@dataclasses.dataclass(frozen=True, slots=True)
class Quick:
    first: int
    second: str
    third: float | None = None


@pytest.mark.parametrize("given", [(1, "two"), (1, "two", 3.0)])
def test_fields_are_those_given_by_place_or_by_name_or_their_defaults(given: tuple) -> None:
    plain = Plain(*given)
    by_name = dict(zip(("first", "second", "third"), given, strict=False))
    for made in (Quick(*given), Quick(**by_name), Quick(given[0], *given[1:2], third=plain.third)):
        assert dataclasses.astuple(made) == dataclasses.astuple(plain)
        assert made == Quick(*dataclasses.astuple(plain))
        assert repr(made) == repr(plain).replace("Plain", "Quick")


@pytest.mark.parametrize("given", [(), (1,), (1, "two", 3.0, 4)])
def test_too_few_or_too_many_values_are_refused_as_python_does(given: tuple) -> None:
    with pytest.raises(TypeError, match=r"Quick\.__init__\(\)"):
        Quick(*given)


def test_fields_stay_as_they_are() -> None:
    made = Quick(1, "two")
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.first = 2  # type: ignore[misc]
    assert dataclasses.replace(made, first=2) == Quick(2, "two")


def test_a_dataclass_without_slots_is_refused() -> None:
    with pytest.raises(TypeError, match="without slots"):

        @quick
        @dataclasses.dataclass(frozen=True)
        class Open:
            first: int = 0


@quick
@dataclasses.dataclass(frozen=True, slots=True)
class Derived(Quick):
    named: int = dataclasses.field(default=4, kw_only=True)
    made: list = dataclasses.field(default_factory=list, kw_only=True)
    fourth: str = "four"


def test_fields_are_inherited_and_those_by_name_alone_take_no_place() -> None:
    made = Derived(1, "two", 3.0, "4", named=5)
    assert dataclasses.astuple(made) == (1, "two", 3.0, 5, [], "4")
    assert Derived(1, "two", made=[6]) == Derived(1, "two", None, "four", named=4, made=[6])
    with pytest.raises(TypeError, match=r"Derived\.__init__\(\)"):
        Derived(1, "two", 3.0, "4", 5)  # type: ignore[misc]
