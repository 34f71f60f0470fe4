from typing import TypeVar

_T = TypeVar("_T")

def quick(kind: type[_T]) -> type[_T]: ...
