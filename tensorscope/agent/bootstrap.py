"""The first thing that runs in the debuggee: starts the agent, then becomes the user's script. Launched by path, never imported.

    INTERPRETER [interpreter flags] …/tensorscope/agent/bootstrap.py [options] -- SCRIPT [arguments…]

    --control-fd N   inherited end of a socketpair (AF_UNIX, SOCK_STREAM) to the host; without it the script runs unwatched
    --probe PATH     the native probe built for this interpreter and torch, or "python" for the one in Python; without it the script runs unwatched
    --blocks N       blocks of the shared area (protocol.area), default DEFAULT_BLOCK_COUNT
    --break SPEC     hold before the nodes that fit (protocol.breakpoints); may be given again
    --door PATH      the host's socket for Python that this process starts
    --no-stacks      operators without Python stacks
    --updates        how far each optimizer step moves each parameter
    --iterations N   after as many iterations the probe goes off
    --module         SCRIPT is a module's name, as for ``python -m``

SCRIPT is a file, or a directory or zip file with a ``__main__.py``. This file and all it imports use the standard library only. Standard
modules it needs are taken out of ``sys.modules`` again, so that a ``queue.py`` or ``struct.py`` beside the script shadows the standard one
exactly as under plain Python.
"""

import sys

_standard = dict(globals())
del _standard["sys"]
_loaded_before = frozenset(sys.modules)


def _start():  # type: ignore[no-untyped-def]  # no typing here: nothing may be imported before the importer stands
    """Install the importer, start the agent; gives the function that runs the script."""
    import _imp
    from importlib.machinery import SourceFileLoader
    from importlib.util import module_from_spec, spec_from_file_location

    folder = __file__.rpartition("/")[0] or "."
    loader = SourceFileLoader("tensorscope.agent.importer", folder + "/importer.py")
    importer = module_from_spec(spec_from_file_location(loader.name, loader.path, loader=loader))  # type: ignore[arg-type]
    sys.modules[loader.name] = importer
    loader.exec_module(importer)
    with importer.own_modules(folder, _loaded_before):
        from tensorscope.agent import options, runner, start

        given = options.parse_options(sys.argv[1:])
        ending = start.start(given)
    this_file = sys._getframe(1).f_code
    _imp._fix_co_filename(this_file, importer.MACHINERY)  # type: ignore[attr-defined]
    runner.own_code.add(this_file)
    return runner.prepare(given, _standard, ending)


_start()()  # type: ignore[no-untyped-call]
