// Methods of the Python module that write into the rings what trackers know.
#pragma once

#include "modules.h"
#include "operators.h"

namespace tensorscope::methods {

inline PyObject* current_stack(PyObject*, PyObject*) {
  Cost cost;
  ThreadState* thread = this_thread();
  return PyLong_FromUnsignedLong(thread ? stack_here(thread) : 0);
}

inline PyObject* current_source(PyObject*, PyObject*) {
  Cost cost;
  return users_line();
}

inline PyObject* mark(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"kind", "begin_ns", "end_ns", "a", "b", "x", "y", "flags", nullptr};
  int kind, flags = 0;
  long long begin, end;
  unsigned long long a = 0, b = 0;
  double x = 0, y = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "iLL|KKddi:mark", const_cast<char**>(names), &kind, &begin, &end, &a, &b, &x, &y, &flags)) return nullptr;
  ThreadState* thread = is_on() ? this_thread() : nullptr;
  if (!thread) Py_RETURN_NONE;
  Cost cost;
  const uint32_t stack = stack_here(thread);
  if (auto* record = thread->writer.begin<MarkRecord>(kMark)) {
    record->mark = uint8_t(kind);
    record->flags = uint16_t(flags);
    record->stack = stack;
    record->begin_ns = begin;
    record->end_ns = end;
    record->a = a;
    record->b = b;
    record->x = x;
    record->y = y;
    record->module_call = thread->module_call;
    thread->writer.commit();
  }
  Py_RETURN_NONE;
}

inline PyObject* message(PyObject*, PyObject* body) {
  char* bytes;
  Py_ssize_t size;
  if (PyBytes_AsStringAndSize(body, &bytes, &size) != 0) return nullptr;
  if (is_on()) {
    Cost cost;
    definitions.message(std::string_view(bytes, size_t(size)));
  }
  Py_RETURN_NONE;
}

inline PyObject* flush_open(PyObject*, PyObject*) {
  ThreadState* thread = is_on() ? this_thread() : nullptr;
  if (!thread) Py_RETURN_NONE;
  for (Running* running = thread->top; running; running = running->below) {
    (running->is_node ? running->node.end_ns : running->op.end_ns) = 0;
    thread->writer.write(running->is_node ? static_cast<const void*>(&running->node) : &running->op);
  }
  for (ModuleScope* scope = thread->modules; scope; scope = scope->outer) thread->writer.write(&scope->record);
  Py_RETURN_NONE;
}

inline PyObject* add_cost(PyObject*, PyObject* duration) {
  const long long ns = PyLong_AsLongLong(duration);
  if (PyErr_Occurred()) return nullptr;
  if (is_on()) area.add_cost(ns);
  Py_RETURN_NONE;
}

inline PyObject* observing_ns_(PyObject*, PyObject*) { return PyLong_FromLongLong(observing_ns); }

inline PyObject* record_layout(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
#define TENSORSCOPE_ADD_FIELD(record, field)                                                                                                   \
  if (PyObject* row = Py_BuildValue("(issnn)", int(k##record), #record, #field, Py_ssize_t(offsetof(record##Record, field)),                    \
                                    Py_ssize_t(sizeof(record##Record::field)))) {                                                              \
    PyList_Append(list, row);                                                                                                                  \
    Py_DECREF(row);                                                                                                                            \
  }
  TENSORSCOPE_FIELDS(TENSORSCOPE_ADD_FIELD)
#undef TENSORSCOPE_ADD_FIELD
  return list;
}

}  // namespace tensorscope::methods
