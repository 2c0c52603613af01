// Methods of the Python module about backwards, breakpoints and holds.
#pragma once

#include "graphs.h"
#include "python_info.h"

namespace tensorscope::methods {

inline PyObject* last_backward(PyObject*, PyObject*) { return PyLong_FromUnsignedLong(newest_backward.load()); }

inline PyObject* backward_of_task(PyObject*, PyObject* task) {
  const long number = PyLong_AsLong(task);
  if (PyErr_Occurred()) return nullptr;
  const auto run = run_table.find(int(number));
  return PyLong_FromUnsignedLong(run ? run->id : 0);
}

inline PyObject* nodes_run(PyObject*, PyObject* backward) {
  const unsigned long id = PyLong_AsUnsignedLong(backward);
  if (PyErr_Occurred()) return nullptr;
  const auto run = run_table.find_backward(uint32_t(id));
  return PyLong_FromUnsignedLong(run ? run->nodes_run.load() : 0);
}

inline PyObject* running_backward(PyObject*, PyObject* backward) {
  const unsigned long id = PyLong_AsUnsignedLong(backward);
  if (PyErr_Occurred()) return nullptr;
  const auto run = run_table.find_backward(uint32_t(id));
  if (!run) Py_RETURN_NONE;
  return Py_BuildValue("(LIn)", static_cast<long long>(run->begin_ns), run->parent, Py_ssize_t(run->index.nodes().size()));
}

inline PyObject* held_gradients(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
  for (const c10::IValue& value : gradients_at_gate) {
    if (!list || !value.isTensor() || !value.toTensor().defined()) continue;
    PyObject *info = info_of(value.toTensor()), *stats = stats_of(value.toTensor(), true);
    PyObject* pair = info && stats ? PyTuple_Pack(2, info, stats) : nullptr;
    if (!pair || PyList_Append(list, pair) != 0) Py_CLEAR(list);
    Py_XDECREF(info);
    Py_XDECREF(stats);
    Py_XDECREF(pair);
  }
  return list;
}

// True if the item of a list of (is_nonfinite, above, below) was read.
inline bool read_limit(PyObject* item, std::vector<GradientLimit>* limits) {
  GradientLimit limit;
  int is_nonfinite;
  if (!PyArg_ParseTuple(item, "pdd:set_breakpoints", &is_nonfinite, &limit.above, &limit.below)) return false;
  limit.is_nonfinite = is_nonfinite;
  limits->push_back(limit);
  return true;
}

inline PyObject* set_breakpoints(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"active", "by_gradient", "limits", "are_others", nullptr};
  unsigned long long active, by_gradient;
  PyObject* list;
  int are_others;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "KKO!p:set_breakpoints", const_cast<char**>(names), &active, &by_gradient, &PyList_Type, &list, &are_others)) return nullptr;
  std::vector<GradientLimit> limits;
  for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list); ++at)
    if (!read_limit(PyList_GET_ITEM(list, at), &limits)) return nullptr;
  breakpoints.set(active, by_gradient, limits, are_others);
  Py_RETURN_NONE;
}

inline PyObject* breakpoints_wanted(PyObject*, PyObject*) { return PyLong_FromUnsignedLong(is_on() ? area.header().breakpoints.load() : 0); }

inline PyObject* breakpoints_taken(PyObject*, PyObject* number) {
  const unsigned long taken = PyLong_AsUnsignedLong(number);
  if (PyErr_Occurred()) return nullptr;
  breakpoints_number.store(uint32_t(taken));
  Py_RETURN_NONE;
}

inline PyObject* held_place(PyObject*, PyObject*) {
  if (!node_at_gate) Py_RETURN_NONE;
  const Place place = place_of(*node_at_gate);
  const auto [file, line] = stack_table.users_line(place.stack);
  return Py_BuildValue("(siI)", file.c_str(), line, place.module);
}

inline PyObject* arm(PyObject*, PyObject* value) {
  const unsigned long wanted = PyLong_AsUnsignedLong(value);
  if (PyErr_Occurred()) return nullptr;
  if (is_on()) area.header().armed.store(uint32_t(wanted));
  Py_RETURN_NONE;
}

}  // namespace tensorscope::methods
