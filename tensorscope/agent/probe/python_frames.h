// Reads the Python frames of the calling thread without the GIL: a thread inside an operator runs no Python, so its frames stand still.
// The struct differs by Python version; a version that is not here takes the public way (which needs the GIL and makes frame objects).
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>

namespace tensorscope {

struct Frame {
  PyCodeObject* code;
  int64_t offset;  // of the instruction, in bytes, as PyCode_Addr2Line takes it
  bool operator==(const Frame& other) const { return code == other.code && offset == other.offset; }
};

constexpr size_t kMaxFrames = 64;

#if PY_VERSION_HEX < 0x030B0000

constexpr bool kReadsFramesWithoutGil = true;

inline size_t read_frames(PyThreadState* thread, Frame* frames) {
  size_t count = 0;
  for (PyFrameObject* frame = thread->frame; frame && count < kMaxFrames; frame = frame->f_back) frames[count++] = {frame->f_code, int64_t(frame->f_lasti) * 2};
  return count;
}

#elif PY_VERSION_HEX < 0x030E0000

constexpr bool kReadsFramesWithoutGil = true;

// The head of _PyInterpreterFrame (Include/internal/pycore_frame.h).
struct InterpreterFrame {
#if PY_VERSION_HEX < 0x030C0000
  PyObject *function, *globals, *builtins, *locals;
  PyCodeObject* code;
  PyObject* frame_object;
  InterpreterFrame* previous;
  uint16_t* instruction;
  int stack_top;
  bool is_entry;
  char owner;
#else
  PyCodeObject* code;
  InterpreterFrame* previous;
  PyObject *function, *globals, *builtins, *locals, *frame_object;
  uint16_t* instruction;
  int stack_top;
  uint16_t return_offset;
  char owner;
#endif
  PyObject* values[1];
};

constexpr char kOwnedByCStack = 3;

inline InterpreterFrame* newest_frame(PyThreadState* thread) {
#if PY_VERSION_HEX < 0x030D0000
  return reinterpret_cast<InterpreterFrame*>(thread->cframe->current_frame);
#else
  return reinterpret_cast<InterpreterFrame*>(thread->current_frame);
#endif
}

inline size_t read_frames(PyThreadState* thread, Frame* frames) {
  size_t count = 0;
  for (InterpreterFrame* frame = newest_frame(thread); frame && count < kMaxFrames; frame = frame->previous) {
    if (frame->owner == kOwnedByCStack) continue;
    const auto* first = reinterpret_cast<const uint16_t*>(frame->code->co_code_adaptive);
    frames[count++] = {frame->code, (frame->instruction - first) * 2};
  }
  return count;
}

#else

constexpr bool kReadsFramesWithoutGil = false;

inline size_t read_frames(PyThreadState* thread, Frame* frames) {
  size_t count = 0;
  PyFrameObject* frame = PyThreadState_GetFrame(thread);
  while (frame && count < kMaxFrames) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    frames[count++] = {code, PyFrame_GetLasti(frame)};
    Py_DECREF(code);
    PyFrameObject* next = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = next;
  }
  Py_XDECREF(frame);
  return count;
}

#endif

}  // namespace tensorscope
