// A frame's locals as a fresh dict. Python's own f_locals leaves a snapshot in the frame before 3.13, which would keep every local alive.
#pragma once

#include "python_frames.h"

namespace tensorscope {

inline PyObject* value_of(PyObject* slot, bool is_cell) { return is_cell && slot && PyCell_Check(slot) ? PyCell_GET(slot) : slot; }

inline PyObject* frame_code(PyFrameObject* frame) { return reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)); }

// Module and class bodies keep their names in a dict of their own: that one is copied.
inline PyObject* copy_of_namespace(PyFrameObject* frame) {
  PyObject* names = PyObject_GetAttrString(reinterpret_cast<PyObject*>(frame), "f_locals");
  PyObject* copy = names ? PyDict_New() : nullptr;
  if (copy && PyDict_Update(copy, names) != 0) Py_CLEAR(copy);
  Py_XDECREF(names);
  return copy;
}

inline void put_local(PyObject* dict, PyObject* name, PyObject* value) {
  if (value && !(PyUnicode_GET_LENGTH(name) && PyUnicode_READ_CHAR(name, 0) == '.')) PyDict_SetItem(dict, name, value);
}

#if PY_VERSION_HEX >= 0x030D0000

inline void put_fast_locals(PyObject* dict, PyFrameObject* frame, PyCodeObject*) {
  PyObject* proxy = PyFrame_GetLocals(frame);
  if (proxy) PyDict_Update(dict, proxy);
  Py_XDECREF(proxy);
}

#elif PY_VERSION_HEX >= 0x030B0000

// The head of PyFrameObject (Include/internal/pycore_frame.h).
struct FrameObject {
  PyObject_HEAD
  PyFrameObject* back;
  InterpreterFrame* frame;
};

inline void put_fast_locals(PyObject* dict, PyFrameObject* frame, PyCodeObject* code) {
  constexpr char kCell = 0x40, kFree = char(0x80), kHidden = 0x10;
  PyObject** values = reinterpret_cast<FrameObject*>(frame)->frame->values;
  const char* kinds = PyBytes_AS_STRING(code->co_localspluskinds);
  const int closed = PyBytes_GET_SIZE(code->co_localspluskinds) ? code->co_nfreevars : 0;
  PyObject* function = reinterpret_cast<FrameObject*>(frame)->frame->function;
  for (int at = 0; at < code->co_nlocalsplus; ++at) {
    PyObject* value = values[at];
    if (kinds[at] & kHidden) continue;
    const int free_at = at - (code->co_nlocalsplus - closed);
    // Free variables are copied into the frame by its first instruction: before that they are the function's.
    if ((kinds[at] & kFree) && !value && function && PyFunction_Check(function) && PyFunction_GET_CLOSURE(function)) value = PyTuple_GET_ITEM(PyFunction_GET_CLOSURE(function), free_at);
    put_local(dict, PyTuple_GET_ITEM(code->co_localsplusnames, at), value_of(value, kinds[at] & (kCell | kFree)));
  }
}

#else

inline void put_fast_locals(PyObject* dict, PyFrameObject* frame, PyCodeObject* code) {
  PyObject** values = frame->f_localsplus;
  for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(code->co_varnames); ++at) put_local(dict, PyTuple_GET_ITEM(code->co_varnames, at), values[at]);
  values += code->co_nlocals;
  for (PyObject* names : {code->co_cellvars, code->co_freevars})
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(names); ++at, ++values) put_local(dict, PyTuple_GET_ITEM(names, at), value_of(*values, true));
}

#endif

inline PyObject* locals_of(PyFrameObject* frame) {
  auto* code = reinterpret_cast<PyCodeObject*>(frame_code(frame));
  PyObject* dict = nullptr;
  if (code->co_flags & CO_OPTIMIZED) {
    dict = PyDict_New();
    if (dict) put_fast_locals(dict, frame, code);
    PyErr_Clear();
  } else {
    dict = copy_of_namespace(frame);
  }
  Py_DECREF(code);
  return dict;
}

}  // namespace tensorscope
