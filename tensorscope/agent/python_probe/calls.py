"""``Wrapper`` of the Python probe: a function with callbacks before and after it, whose frame is hidden."""

from collections.abc import Callable
from functools import WRAPPER_ASSIGNMENTS
from typing import Any

from tensorscope.agent.python_probe.hidden import hide


def wrap(
    original: Callable[..., Any],
    before: Callable[..., Any] | None,
    after: Callable[..., None] | None,
    is_watching: Callable[[], bool],
    failed: Callable[[str, BaseException], None],
) -> Callable[..., Any]:
    """As ``Wrapper`` in ``probe/_probe.pyi``: failures of the callbacks never reach the caller, exceptions of ``original`` pass unchanged."""

    def enter(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[bool, Any]:
        if not is_watching():
            return False, None
        try:
            return True, None if before is None else before(arguments, keywords)
        except Exception as error:
            failed("wrapper", error)
            return False, None

    def leave(token: tuple[bool, Any], arguments: tuple[Any, ...], keywords: dict[str, Any], result: Any, is_raised: bool) -> None:
        if token[0] and after is not None:
            try:
                after(token[1], arguments, keywords, result, is_raised)
            except Exception as error:
                failed("wrapper", error)

    def call(*arguments: Any, **keywords: Any) -> Any:
        token = enter(arguments, keywords)
        try:
            result = original(*arguments, **keywords)
        except BaseException:
            leave(token, arguments, keywords, None, True)
            raise
        leave(token, arguments, keywords, result, False)
        return result

    return like(hide(call), original)


def trigger(original: Callable[..., Any], on_first_call: Callable[[], Any], is_grad_enabled: Callable[[], bool], wants_gradients: bool) -> Callable[..., Any]:
    """As ``Trigger`` in ``probe/_probe.pyi``."""
    waiting = [on_first_call]

    def call(*arguments: Any, **keywords: Any) -> Any:
        if waiting and (is_grad_enabled() or not wants_gradients):
            return waiting.pop()()(*arguments, **keywords)
        return original(*arguments, **keywords)

    return like(hide(call), original)


def like(function: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """Give ``function`` the names and attributes of ``original``, which ``inspect.signature`` finds below it."""
    for name in WRAPPER_ASSIGNMENTS:
        if hasattr(original, name):
            setattr(function, name, getattr(original, name))
    vars(function).update(getattr(original, "__dict__", {}))
    function.__wrapped__ = original  # type: ignore[attr-defined]
    return function
