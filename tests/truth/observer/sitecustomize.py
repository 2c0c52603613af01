"""Loaded by every interpreter of the comparing tests, watched or not: a clock that repeats itself, and a digest of all parameters at exit.

The host that launches a watched script passes both variables on; the script's own child processes see neither.

TENSORSCOPE_TRUTH_DIGEST: the file to write; TENSORSCOPE_TRUTH_CLOCK: the folder whose code reads the repeating clock.
"""

import atexit
import gc
import hashlib
import os
import sys
import time

is_host = any("tensorscope.cli" in word or word.endswith(("step_through.py", "agent/build.py")) for word in sys.orig_argv)
digest_file = "" if is_host else os.environ.pop("TENSORSCOPE_TRUTH_DIGEST", "")
clock_folder = "" if is_host else os.environ.pop("TENSORSCOPE_TRUTH_CLOCK", "")


def write_digest() -> None:
    """SHA-256 over all parameters and buffers that are alive, in no order but that of their contents."""
    torch = sys.modules.get("torch")
    if torch is None:
        return
    modules = [thing for thing in gc.get_objects() if issubclass(type(thing), torch.nn.Module)]
    kept = {id(tensor): tensor for module in modules for group in (module._parameters, module._buffers) for tensor in group.values() if tensor is not None}
    contents = sorted(bytes(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy()) for tensor in kept.values())
    with open(digest_file, "w", encoding="utf-8") as file:
        file.write(f"{len(contents)} {hashlib.sha256(b''.join(contents)).hexdigest()}")


if digest_file:
    atexit.register(write_digest)

if clock_folder:
    true_time, readings = time.time, iter(range(10**9))

    def repeating_time() -> float:
        """A millisecond more at each reading by the scripts, so that what they print does not depend on the day; the true time for all others."""
        return next(readings) / 1000 if sys._getframe(1).f_code.co_filename.startswith(clock_folder) else true_time()

    time.time = repeating_time
