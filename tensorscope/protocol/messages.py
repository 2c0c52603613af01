"""What trackers tell the host (as JSON through definition blocks) and what both say over the control socket.

Everything the agent tells goes through the rings, in order with the events, so it survives a SIGKILL. The socket carries only:
``hello`` with the area's file descriptor (SCM_RIGHTS), what is said while held, and the host's commands. A socket frame is
``u32 length`` and that many bytes of JSON: an object with a key ``type``.

Tracker messages (each a JSON object, ``type`` first; ``time_ns`` where a moment matters):

``facts``      python_version, torch_version, script, argv, cwd, pid, executable, probe ("native"), begin_ns (monotonic, script's start), wall_begin_ns,
               library_prefixes [paths under which a file is not the user's], cuda (bool), rank; told again with statements [["file", line, name,
               is_called]]: statements that only ask for an attribute or drop what a method gives back (see ``agent.statements``)
``module``     id, fqn (with the root's variable name in front where there are several roots), class, parent (id or 0), root (id), source ("file:line" of the
               class's forward or ""), made ("file:line" that put it into its parent or "")
``parameter``  id, fqn, aliases [..], shape, dtype, numel, module (id or 0), device, is_buffer (bool), impl, storage, data;
              is_retained (bool): no parameter but a tensor that keeps its gradient (``retain_grad``), made anew each iteration: its addresses are 0
``optimizer``  id, class, name, parameters [ids], state_bytes, groups [{count, and its plain numbers, such as lr and weight_decay}]
``iteration``  index, time_ns (its end), learning_rate, optimizers [ids]      -- ended iterations, counted by the agent; told again with the same index
               where a further optimizer's step belongs to it
``graph_details``  graph (id), backward (id), nodes: [{index, saved: [{name, shape, stride, offset, dtype, nbytes, storage, data, impl, version,
               is_leaf_parameter}], class, attributes {name: number, flag, word or list of them}}]
``storages``   time_ns, reason ("iteration", "hold", "exception", "exit"), iteration (the one that ended, else the one that runs), backward,
               is_complete (no CPU block is alive but those of the storages listed), unlisted_blocks (those that are), spent_ns,
               storages: [{storage, data, nbytes, device, is_external, tensors: [{impl, names, shape, stride, offset, dtype, itemsize, is_view, base, version,
requires_grad, is_parameter, category}], holders [..]}]
               category: parameter, buffer, optimizer_state, gradient or "" (unknown here); holders: sentences such as "saved by AddmmBackward0", "local x in
train()"
``held``       backward, node_index, node, name, sequence_nr, position (nodes run so far), count, source ("file:line" of its forward, or ""),
               module (name or null), stops [specs of the breakpoints that hold it], gradients_in [Stats], saved [Stats], finished (last finished
               node: {index, name, gradients_out [Stats] (of an AccumulateGrad: the parameter's ``.grad``), backward}), time_ns, all_finished [as
               finished; several where a backward ran inside a node]
``resumed``    time_ns
``exception``  exception (class name), message, source, frames [["file", line, "function"], …]
``tracker_off``  tracker, reason
``output``     time_ns (of the first piece), pieces [[ns since then, "stdout" | "stderr" | "both" (they are one), text, bytes before it that are not known]]
               (the host's own message)
``exit``       code, time_ns

Stats: {name, shape, dtype, norm, min, max, mean, nonfinite, numel, histogram [64 signed-log bins] (optional)}; numbers that JSON lacks (nan, inf) are strings
"nan", "inf", "-inf".

Socket, host → agent: ``continue``, ``step`` (hold before the next node), ``step_module`` (before one of another module), ``step_out`` (before one outside
the block), ``step_iteration`` (before the first of the next iteration), ``detach``, ``breakpoints`` {specs [..], number (the area's word follows)},
``torchviz_picture`` {roots} (while held); agent → host: ``hello``, ``held``, ``resumed``, ``reply`` {to, trouble; or of a picture dot or cannot}.
"""

import json
import struct
from typing import Any, Final

from tensorscope.errors import ProtocolError

LENGTH: Final = struct.Struct("<I")
MAX_MESSAGE_BYTES: Final = 256 * 1024 * 1024

type_key: Final = "type"


def encode(message: dict[str, Any]) -> bytes:
    """Encode one socket frame. Not-a-number and infinities must already be strings."""
    body = json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    return LENGTH.pack(len(body)) + body


def decode(body: bytes) -> dict[str, Any]:
    """Decode a message's JSON bytes; raises ProtocolError if it is not an object with a ``type``."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"message is not JSON: {error}") from None
    if not isinstance(message, dict) or not isinstance(message.get(type_key), str):
        raise ProtocolError("message has no type")
    return message
