"""Keeps what was chosen in panels over a restart: in the settings, for all runs or with a recording and its script."""

from __future__ import annotations

from typing import Any

from tensorscope.gui.settings import Settings
from tensorscope.session.session import Session
from tensorscope.viewmodel.kept import Kept


class ChoiceKeeper(Kept):
    """A recording's own come first; another run of the same script begins with those of the last one."""

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._owners = (str(session.path.absolute()), session.title)

    def value(self, name: str) -> Any:
        return self._settings.choices("").get(name)

    def keep(self, name: str, value: Any) -> None:
        self._settings.keep_choice("", name, value)

    def value_of_run(self, name: str) -> Any:
        return next((kept[name] for owner in self._owners if name in (kept := self._settings.choices(owner))), None)

    def keep_of_run(self, name: str, value: Any) -> None:
        for owner in self._owners:
            self._settings.keep_choice(owner, name, value)
