// Wrapper: a C callable in place of a Python function. It adds no traceback frame, binds like a function and looks like its original.
#pragma once

#include "switched_off.h"
#include "thread.h"

#include <cstddef>
#include <string_view>

#include <structmember.h>

namespace tensorscope {

struct WrapperObject {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  PyObject *original, *before, *after;
};

// While Dynamo traces, nothing of ours may run in what it captures.
inline PyObject* compiler_namespace = nullptr;  // torch.compiler.__dict__

inline bool is_compiling(const ThreadState* thread) {
  if (thread->is_compiling) return true;
  if (!compiler_namespace) return false;
  return PyDict_GetItemString(compiler_namespace, "_is_compiling_flag") == Py_True;
}

// Vectorcall arguments as a tuple and a dict (nullptr when there are no keyword arguments and none are wanted).
inline PyObject* tuple_of(PyObject* const* arguments, Py_ssize_t count) {
  PyObject* tuple = PyTuple_New(count);
  for (Py_ssize_t at = 0; tuple && at < count; ++at) PyTuple_SET_ITEM(tuple, at, Py_NewRef(arguments[at]));
  return tuple;
}

inline PyObject* dict_of(PyObject* const* values, PyObject* names) {
  PyObject* dict = PyDict_New();
  for (Py_ssize_t at = 0; dict && names && at < PyTuple_GET_SIZE(names); ++at) PyDict_SetItem(dict, PyTuple_GET_ITEM(names, at), values[at]);
  return dict;
}

// Calls one of the wrapper's callbacks; at a failure the callback is dropped and the handler told.
inline PyObject* call_guarded(WrapperObject* self, PyObject** callback, PyObject* arguments) {
  if (!arguments) {
    PyErr_Clear();
    return nullptr;
  }
  Untraced untraced;
  PyObject* function = Py_NewRef(*callback);
  PyObject* result = PyObject_CallObject(function, arguments);
  if (!result) {
    const bool is_interrupt = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    PyObject* name = nullptr;
    {
      KeptException kept;
      name = PyObject_GetAttrString(self->original, "__qualname__");
      PyErr_Clear();
    }
    if (!is_interrupt) Py_CLEAR(*callback);
    const char* text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
    report_failure(text ? text : "wrapper");
    Py_XDECREF(name);
  }
  Py_DECREF(function);
  Py_DECREF(arguments);
  return result;
}

inline PyObject* call_wrapper(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
  auto* self = reinterpret_cast<WrapperObject*>(object);
  if (!is_on()) notice_switch();
  ThreadState* thread = is_on() && (self->before || self->after) ? this_thread() : nullptr;
  if (!thread || is_compiling(thread)) return PyObject_Vectorcall(self->original, arguments, flags, names);
  const Py_ssize_t count = PyVectorcall_NARGS(flags);
  Py_INCREF(self);
  PyObject *positional = tuple_of(arguments, count), *keywords = dict_of(arguments + count, names), *token = nullptr;
  if (self->before && positional && keywords) {
    Cost cost;
    token = call_guarded(self, &self->before, PyTuple_Pack(2, positional, keywords));
  }
  if (!token) token = Py_NewRef(Py_None);
  PyObject* result = PyObject_Vectorcall(self->original, arguments, flags, names);
  if (self->after && positional && keywords && is_on()) {
    KeptException kept;
    Cost cost;
    Py_XDECREF(call_guarded(self, &self->after, PyTuple_Pack(5, token, positional, keywords, result ? result : Py_None, result ? Py_False : Py_True)));
  }
  Py_DECREF(token);
  Py_XDECREF(positional);
  Py_XDECREF(keywords);
  Py_DECREF(self);
  return result;
}

// Untraced: a Python function of ours that torch or the interpreter calls.
inline PyObject* call_untraced(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
  Untraced untraced;
  return PyObject_Vectorcall(reinterpret_cast<WrapperObject*>(object)->original, arguments, flags, names);
}

inline int traverse_wrapper(PyObject* object, visitproc visit, void* arg) {
  auto* self = reinterpret_cast<WrapperObject*>(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->original);
  Py_VISIT(self->before);
  Py_VISIT(self->after);
  return 0;
}

inline int clear_wrapper(PyObject* object) {
  auto* self = reinterpret_cast<WrapperObject*>(object);
  Py_CLEAR(self->original);
  Py_CLEAR(self->before);
  Py_CLEAR(self->after);
  return 0;
}

inline void free_wrapper(PyObject* object) {
  PyObject_GC_UnTrack(object);
  clear_wrapper(object);
  PyTypeObject* type = Py_TYPE(object);
  type->tp_free(object);
  Py_DECREF(type);
}

inline PyObject* make_wrapper(PyTypeObject* type, PyObject*, PyObject*) {
  auto* self = reinterpret_cast<WrapperObject*>(type->tp_alloc(type, 0));
  if (self) self->vectorcall = call_wrapper;
  return reinterpret_cast<PyObject*>(self);
}

inline PyObject* make_untraced(PyTypeObject* type, PyObject*, PyObject*) {
  auto* self = reinterpret_cast<WrapperObject*>(type->tp_alloc(type, 0));
  if (self) self->vectorcall = call_untraced;
  return reinterpret_cast<PyObject*>(self);
}

inline PyObject* new_ref_or_null(PyObject* object) { return object == Py_None ? nullptr : Py_NewRef(object); }

inline int init_wrapper(PyObject* object, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"original", "before", "after", nullptr};
  PyObject *original, *before = Py_None, *after = Py_None;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OO:Wrapper", const_cast<char**>(names), &original, &before, &after)) return -1;
  auto* self = reinterpret_cast<WrapperObject*>(object);
  clear_wrapper(object);
  self->original = Py_NewRef(original);
  self->before = new_ref_or_null(before);
  self->after = new_ref_or_null(after);
  return 0;
}

inline PyObject* bind_wrapper(PyObject* self, PyObject* object, PyObject*) {
  return !object || object == Py_None ? Py_NewRef(self) : PyMethod_New(self, object);
}

// What a function says about itself is the original's; how a callable works is ours.
inline bool is_own_attribute(std::string_view name) {
  return name == "original" || name == "__class__" || name == "__call__" || name == "__get__" || name == "__reduce__" || name == "__reduce_ex__" ||
         name == "__init__" || name == "__new__" || name == "__repr__" || name == "__hash__" || name == "__eq__" || name == "__ne__";
}

inline PyObject* get_wrapper_attribute(PyObject* object, PyObject* name) {
  auto* self = reinterpret_cast<WrapperObject*>(object);
  const char* text = PyUnicode_AsUTF8(name);
  if (!text) return nullptr;
  if (is_own_attribute(text) || !self->original) return PyObject_GenericGetAttr(object, name);
  return PyObject_GetAttr(self->original, name);
}

inline int set_wrapper_attribute(PyObject* object, PyObject* name, PyObject* value) {
  auto* self = reinterpret_cast<WrapperObject*>(object);
  return PyObject_SetAttr(self->original, name, value);
}

// Pickled by reference, as functions are: pickle finds it under its original's qualified name.
inline PyObject* reduce_wrapper(PyObject* object, PyObject*) { return PyObject_GetAttrString(reinterpret_cast<WrapperObject*>(object)->original, "__qualname__"); }

inline PyObject* repr_wrapper(PyObject* object) { return PyObject_Repr(reinterpret_cast<WrapperObject*>(object)->original); }

inline PyMethodDef wrapper_methods[] = {{"__reduce__", reduce_wrapper, METH_NOARGS, nullptr}, {"__reduce_ex__", reduce_wrapper, METH_O, nullptr}, {}};
inline PyMemberDef wrapper_members[] = {{"original", T_OBJECT_EX, offsetof(WrapperObject, original), READONLY, nullptr},
                                        {"__vectorcalloffset__", T_PYSSIZET, offsetof(WrapperObject, vectorcall), READONLY, nullptr},
                                        {}};

inline PyType_Slot wrapper_slots[] = {{Py_tp_new, reinterpret_cast<void*>(make_wrapper)},
                                      {Py_tp_init, reinterpret_cast<void*>(init_wrapper)},
                                      {Py_tp_dealloc, reinterpret_cast<void*>(free_wrapper)},
                                      {Py_tp_traverse, reinterpret_cast<void*>(traverse_wrapper)},
                                      {Py_tp_clear, reinterpret_cast<void*>(clear_wrapper)},
                                      {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                      {Py_tp_descr_get, reinterpret_cast<void*>(bind_wrapper)},
                                      {Py_tp_getattro, reinterpret_cast<void*>(get_wrapper_attribute)},
                                      {Py_tp_setattro, reinterpret_cast<void*>(set_wrapper_attribute)},
                                      {Py_tp_repr, reinterpret_cast<void*>(repr_wrapper)},
                                      {Py_tp_methods, wrapper_methods},
                                      {Py_tp_members, wrapper_members},
                                      {0, nullptr}};
constexpr unsigned kWrapperFlags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR;
inline PyType_Spec wrapper_spec = {"_tensorscope_probe.Wrapper", sizeof(WrapperObject), 0, kWrapperFlags, wrapper_slots};

inline PyType_Slot untraced_slots[] = {{Py_tp_new, reinterpret_cast<void*>(make_untraced)},
                                       {Py_tp_init, reinterpret_cast<void*>(init_wrapper)},
                                       {Py_tp_dealloc, reinterpret_cast<void*>(free_wrapper)},
                                       {Py_tp_traverse, reinterpret_cast<void*>(traverse_wrapper)},
                                       {Py_tp_clear, reinterpret_cast<void*>(clear_wrapper)},
                                       {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                       {0, nullptr}};
inline PyType_Spec untraced_spec = {"_tensorscope_probe.Untraced", sizeof(WrapperObject), 0, kWrapperFlags & ~Py_TPFLAGS_BASETYPE, untraced_slots};

}  // namespace tensorscope
