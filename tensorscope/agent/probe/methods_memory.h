// Methods of the Python module that look at tensors, Python's heap and blocks of memory.
#pragma once

#include "allocator.h"
#include "live_nodes.h"
#include "python_heap.h"
#include "python_info.h"
#include "python_locals.h"

namespace tensorscope::methods {

inline PyObject* tensor_stats(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"tensor", "histogram", nullptr};
  PyObject* object;
  int histogram = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|p:tensor_stats", const_cast<char**>(names), &object, &histogram)) return nullptr;
  const at::Tensor* tensor = checked_tensor(object);
  return tensor ? stats_of(*tensor, histogram) : nullptr;
}

inline PyObject* tensor_info(PyObject*, PyObject* object) {
  const at::Tensor* tensor = checked_tensor(object);
  return tensor ? info_of(*tensor) : nullptr;
}

inline PyObject* live_instances(PyObject*, PyObject* type) {
  if (PyType_Check(type)) return live_instances_of(reinterpret_cast<PyTypeObject*>(type));
  PyErr_SetString(PyExc_TypeError, "a class is needed");
  return nullptr;
}

inline PyObject* live_nodes_(PyObject*, PyObject* arguments) {
  PyObject* tensors;
  unsigned backward;
  return PyArg_ParseTuple(arguments, "O!I:live_nodes", &PyList_Type, &tensors, &backward) ? live_nodes(tensors, backward) : nullptr;
}

inline PyObject* watched_block_count(PyObject*, PyObject*) { return PyLong_FromLongLong(watched_blocks.load()); }

inline PyObject* frame_locals(PyObject*, PyObject* frame) {
  if (PyFrame_Check(frame)) return locals_of(reinterpret_cast<PyFrameObject*>(frame));
  PyErr_SetString(PyExc_TypeError, "a frame is needed");
  return nullptr;
}

inline PyObject* open_blocks(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
  for (const auto& [address, size] : block_book.copy()) {
    PyObject* pair = Py_BuildValue("(KK)", static_cast<unsigned long long>(address_of(address)), static_cast<unsigned long long>(size));
    if (list && pair) PyList_Append(list, pair);
    Py_XDECREF(pair);
  }
  return list;
}

inline PyObject* write_block(PyObject*, PyObject* arguments) {
  int action;
  unsigned long long address, size;
  if (!PyArg_ParseTuple(arguments, "iKK:write_block", &action, &address, &size)) return nullptr;
  if (is_on()) write_allocation(AllocationAction(action), reinterpret_cast<const void*>(uintptr_t(address)), size);
  Py_RETURN_NONE;
}

inline PyObject* deleter(PyObject*, PyObject*) { return PyLong_FromVoidPtr(reinterpret_cast<void*>(&free_block)); }

inline PyObject* know_deleter(PyObject*, PyObject* address) {
  const unsigned long long known = PyLong_AsUnsignedLongLong(address);
  if (PyErr_Occurred()) return nullptr;
  earlier_deleters.push_back(known);
  Py_RETURN_NONE;
}

}  // namespace tensorscope::methods
