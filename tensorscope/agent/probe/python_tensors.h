// From Python tensor objects to torch's TensorImpl, without pybind11: its header alone would double the build's time.
#pragma once

#include "gil.h"

#include <ATen/core/Tensor.h>
#include <c10/util/MaybeOwned.h>

extern PyObject* THPVariableClass;

namespace tensorscope {

// The head of THPVariable (torch/csrc/autograd/python_variable.h); build.py reads there which of the two it is.
struct TensorObject {
  PyObject_HEAD
#ifdef TENSORSCOPE_CDATA_IS_MAYBE_OWNED
  c10::MaybeOwned<at::Tensor> cdata;
  const at::Tensor& tensor() const { return *cdata; }
#else
  at::Tensor cdata;
  const at::Tensor& tensor() const { return cdata; }
#endif
};

inline bool is_tensor(PyObject* object) { return THPVariableClass && PyType_IsSubtype(Py_TYPE(object), reinterpret_cast<PyTypeObject*>(THPVariableClass)); }

inline const at::Tensor& tensor_of(PyObject* object) { return reinterpret_cast<TensorObject*>(object)->tensor(); }

// The tensor of a Python object; nullptr with TypeError set when it is none.
inline const at::Tensor* checked_tensor(PyObject* object) {
  if (is_tensor(object) && tensor_of(object).defined()) return &tensor_of(object);
  PyErr_Format(PyExc_TypeError, "a tensor is needed, not %.100s", Py_TYPE(object)->tp_name);
  return nullptr;
}

}  // namespace tensorscope
