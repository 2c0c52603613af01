// Methods of the Python module about modules, parameters and their gradients.
#pragma once

#include "gradients.h"
#include "modules.h"
#include "python_tensors.h"
#include "updates.h"

namespace tensorscope::methods {

inline PyObject* forget_module(PyObject*, PyObject* address) {
  const auto pointer = PyLong_AsUnsignedLongLong(address);
  if (PyErr_Occurred()) return nullptr;
  module_ids.erase(reinterpret_cast<PyObject*>(pointer));
  Py_RETURN_NONE;
}

inline PyObject* register_parameter(PyObject*, PyObject* arguments) {
  PyObject* object;
  unsigned id;
  if (!PyArg_ParseTuple(arguments, "OI:register_parameter", &object, &id)) return nullptr;
  const at::Tensor* tensor = checked_tensor(object);
  if (!tensor) return nullptr;
  parameters.add(tensor->getIntrusivePtr(), id);
  Py_RETURN_NONE;
}

inline PyObject* register_retained(PyObject*, PyObject* arguments) {
  PyObject* object;
  unsigned id;
  if (!PyArg_ParseTuple(arguments, "OI:register_retained", &object, &id)) return nullptr;
  const at::Tensor* tensor = checked_tensor(object);
  if (!tensor) return nullptr;
  if (retained.id(tensor->unsafeGetTensorImpl()) != id) retained.add(tensor->getIntrusivePtr(), id);
  Py_RETURN_NONE;
}

// Past any __torch_function__ of its class.
inline PyObject* retains_grad(PyObject*, PyObject* object) {
  const at::Tensor* tensor = checked_tensor(object);
  return tensor ? PyBool_FromLong(tensor->retains_grad()) : nullptr;
}

// False with a Python exception set.
inline bool read_ids(PyObject* list, std::vector<uint32_t>* ids) {
  PyObject* sequence = PySequence_Fast(list, "a list of parameter ids is needed");
  if (!sequence) return false;
  for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(sequence); ++at) ids->push_back(uint32_t(PyLong_AsUnsignedLong(PySequence_Fast_GET_ITEM(sequence, at))));
  Py_DECREF(sequence);
  std::sort(ids->begin(), ids->end());
  return !PyErr_Occurred();
}

inline PyObject* write_gradients_(PyObject*, PyObject* arguments) {
  int stage;
  unsigned backward, count = 0;
  PyObject* list = Py_None;
  std::vector<uint32_t> wanted;
  if (!PyArg_ParseTuple(arguments, "iI|O:write_gradients", &stage, &backward, &list)) return nullptr;
  if (list != Py_None && !read_ids(list, &wanted)) return nullptr;
  if (ThreadState* thread = is_on() ? this_thread() : nullptr) {
    Cost cost;
    Py_BEGIN_ALLOW_THREADS;
    try {
      count = write_gradients(thread, uint8_t(stage), backward, list == Py_None ? nullptr : &wanted);
    } catch (...) {
      area.drop(1);
    }
    Py_END_ALLOW_THREADS;
  }
  return PyLong_FromUnsignedLong(count);
}

inline PyObject* copy_weights(PyObject*, PyObject* arguments) {
  unsigned step;
  PyObject* list;
  unsigned long long budget;
  std::vector<uint32_t> wanted;
  if (!PyArg_ParseTuple(arguments, "IOK:copy_weights", &step, &list, &budget) || !read_ids(list, &wanted)) return nullptr;
  WeightCopies::Made made;
  if (is_on()) {
    Cost cost;
    Py_BEGIN_ALLOW_THREADS;
    try {
      made = weight_copies.make(step, wanted, budget);
    } catch (...) {
      weight_copies.take(step);
    }
    Py_END_ALLOW_THREADS;
  }
  return Py_BuildValue("KKK", (unsigned long long)made.copied, (unsigned long long)made.left_out, (unsigned long long)made.unreadable);
}

inline PyObject* write_updates_(PyObject*, PyObject* arguments) {
  unsigned step, backward, count = 0;
  if (!PyArg_ParseTuple(arguments, "II:write_updates", &step, &backward)) return nullptr;
  if (ThreadState* thread = is_on() ? this_thread() : nullptr) {
    Cost cost;
    Py_BEGIN_ALLOW_THREADS;
    try {
      count = write_updates(thread, step, backward);
    } catch (...) {
      area.drop(1);
    }
    Py_END_ALLOW_THREADS;
  }
  return PyLong_FromUnsignedLong(count);
}

inline PyObject* ask_histograms(PyObject*, PyObject* value) {
  const int wanted = PyObject_IsTrue(value);
  if (wanted < 0) return nullptr;
  histogram_turns.ask(wanted);
  Py_RETURN_NONE;
}

// A dict from the ids of parameters that have a gradient to what ``describe`` makes of it.
template <typename Describe>
PyObject* of_gradients(Describe describe) {
  PyObject* dict = PyDict_New();
  for (const auto& [id, parameter] : parameters.alive()) {
    c10::TensorImpl* gradient = dict ? gradient_of(parameter) : nullptr;
    if (!gradient) continue;
    PyObject *key = PyLong_FromUnsignedLong(id), *value = describe(gradient);
    if (key && value) PyDict_SetItem(dict, key, value);
    Py_XDECREF(key);
    Py_XDECREF(value);
  }
  return dict;
}

inline PyObject* gradient_norms(PyObject*, PyObject*) {
  return of_gradients([](c10::TensorImpl* gradient) { return PyFloat_FromDouble(std::sqrt(statistics(gradient).sum_squares)); });
}

inline PyObject* gradient_versions(PyObject*, PyObject*) {
  return of_gradients([](c10::TensorImpl* gradient) { return PyLong_FromUnsignedLong(version_of(gradient)); });
}

}  // namespace tensorscope::methods
