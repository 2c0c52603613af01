"""``--keep``: budgets as a user writes them."""

import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.session.keep_spec import parse_keep
from tensorscope.trace.retention import Keep


@pytest.mark.parametrize(
    ("text", "keep"),
    [
        ("memory=512MiB", Keep(memory_bytes=512 << 20)),
        ("memory=1.5g, disk=2TB", Keep(memory_bytes=3 << 29, disk_bytes=2 << 40)),
        ("first=0,last=7", Keep(first=0, last=7)),
        ("disk=1048576", Keep(disk_bytes=1 << 20)),
    ],
)
def test_what_is_given_changes_and_the_rest_stays(text: str, keep: Keep) -> None:
    assert parse_keep(text) == keep


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "not nothing"),
        ("memory", "not memory"),
        ("space=1GiB", "not space=1GiB"),
        ("memory=much", "size from 1MiB on, such as 512MiB or 2GiB, not much"),
        ("disk=1k", "not 1k"),
        ("first=-1", "first needs a number of iterations, not -1"),
        ("last=", "not nothing"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: str, part: str) -> None:
    with pytest.raises(TensorScopeError) as caught:
        parse_keep(text)
    assert part in str(caught.value)
