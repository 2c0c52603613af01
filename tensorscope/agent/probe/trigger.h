// Trigger: in a forked child, which is off, in the place of a function of torch's that training begins with. Its first call starts an agent anew.
#pragma once

#include <utility>

#include <c10/core/GradMode.h>

#include "wrapper.h"

namespace tensorscope {

struct TriggerObject {
  WrapperObject wrapper;  // ``before`` gives the function to call from now on; nullptr once it has been asked
  bool wants_gradients;   // only a call with gradients enabled counts
};

// What stands in the original's place after the callback; at a failure of ours the original.
inline PyObject* ask_trigger(TriggerObject* self) {
  PyObject* callback = std::exchange(self->wrapper.before, nullptr);
  Untraced untraced;
  PyObject* target = PyObject_CallNoArgs(callback);
  Py_DECREF(callback);
  if (target) return target;
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();
  PyErr_Clear();
  return Py_NewRef(self->wrapper.original);
}

inline PyObject* call_trigger(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
  auto* self = reinterpret_cast<TriggerObject*>(object);
  if (!self->wrapper.before || (self->wants_gradients && !c10::GradMode::is_enabled())) return PyObject_Vectorcall(self->wrapper.original, arguments, flags, names);
  Py_INCREF(object);
  PyObject* target = ask_trigger(self);
  PyObject* result = PyObject_Vectorcall(target, arguments, flags, names);
  Py_DECREF(target);
  Py_DECREF(object);
  return result;
}

inline PyObject* make_trigger(PyTypeObject* type, PyObject*, PyObject*) {
  auto* self = reinterpret_cast<TriggerObject*>(type->tp_alloc(type, 0));
  if (self) self->wrapper.vectorcall = call_trigger;
  return reinterpret_cast<PyObject*>(self);
}

inline int init_trigger(PyObject* object, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"original", "on_first_call", "wants_gradients", nullptr};
  PyObject *original, *callback;
  int wants_gradients;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO$p:Trigger", const_cast<char**>(names), &original, &callback, &wants_gradients)) return -1;
  auto* self = reinterpret_cast<TriggerObject*>(object);
  clear_wrapper(object);
  self->wrapper.original = Py_NewRef(original);
  self->wrapper.before = Py_NewRef(callback);
  self->wants_gradients = wants_gradients;
  return 0;
}

inline PyType_Slot trigger_slots[] = {{Py_tp_new, reinterpret_cast<void*>(make_trigger)},
                                      {Py_tp_init, reinterpret_cast<void*>(init_trigger)},
                                      {Py_tp_dealloc, reinterpret_cast<void*>(free_wrapper)},
                                      {Py_tp_traverse, reinterpret_cast<void*>(traverse_wrapper)},
                                      {Py_tp_clear, reinterpret_cast<void*>(clear_wrapper)},
                                      {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                      {0, nullptr}};
inline PyType_Spec trigger_spec = {"_tensorscope_probe.Trigger", sizeof(TriggerObject), 0, kWrapperFlags & ~Py_TPFLAGS_BASETYPE, trigger_slots};

}  // namespace tensorscope
