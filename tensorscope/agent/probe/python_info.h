// tensor_info, tensor_stats and frame_locals: what Python asks about live tensors and frames without disturbing them.
#pragma once

#include "allocator.h"
#include "python_tensors.h"
#include "python_frames.h"
#include "readable.h"

namespace tensorscope {

inline bool put(PyObject* dict, const char* key, PyObject* value) {
  const bool is_put = value && PyDict_SetItemString(dict, key, value) == 0;
  Py_XDECREF(value);
  return is_put;
}

inline PyObject* tuple_of_numbers(c10::IntArrayRef numbers) {
  PyObject* tuple = PyTuple_New(Py_ssize_t(numbers.size()));
  for (size_t at = 0; tuple && at < numbers.size(); ++at) PyTuple_SET_ITEM(tuple, Py_ssize_t(at), PyLong_FromLongLong(numbers[at]));
  return tuple;
}

// The name as Python writes it after "torch.".
inline const char* dtype_name(c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Byte: return "uint8";
    case c10::ScalarType::Char: return "int8";
    case c10::ScalarType::Short: return "int16";
    case c10::ScalarType::Int: return "int32";
    case c10::ScalarType::Long: return "int64";
    case c10::ScalarType::Half: return "float16";
    case c10::ScalarType::Float: return "float32";
    case c10::ScalarType::Double: return "float64";
    case c10::ScalarType::ComplexHalf: return "complex32";
    case c10::ScalarType::ComplexFloat: return "complex64";
    case c10::ScalarType::ComplexDouble: return "complex128";
    case c10::ScalarType::Bool: return "bool";
    case c10::ScalarType::BFloat16: return "bfloat16";
    case c10::ScalarType::QInt8: return "qint8";
    case c10::ScalarType::QUInt8: return "quint8";
    case c10::ScalarType::QInt32: return "qint32";
    default: return c10::toString(type);
  }
}

inline void put_layout(PyObject* dict, c10::TensorImpl* impl) {
  const bool is_known = !impl->has_symbolic_sizes_strides() && !impl->key_set().has(c10::DispatchKey::NestedTensor);
  put(dict, "shape", tuple_of_numbers(is_known ? impl->sizes_default() : c10::IntArrayRef()));
  put(dict, "stride", tuple_of_numbers(is_known && is_strided(impl) ? impl->strides_default() : c10::IntArrayRef()));
  put(dict, "offset", PyLong_FromLongLong(is_known ? impl->storage_offset_default() : 0));
}

inline PyObject* base_address(const at::Tensor& tensor) {
  auto* meta = torch::autograd::impl::get_view_autograd_meta(tensor);
  const bool has_base = meta && meta->has_bw_view();
  return PyLong_FromUnsignedLongLong(has_base ? address_of(meta->get_backward_view().base_.unsafeGetTensorImpl()) : 0);
}

// Memory that torch's own CPU allocator did not give: NumPy's, shared or mapped memory. Never known to be so on other devices.
inline bool is_external(c10::StorageImpl* storage) {
  const c10::DataPtr& block = storage->_mutable_data_ptr_no_checks();
  if (!block.get() || block.device().type() != c10::DeviceType::CPU) return false;
  const auto deleter = block.get_deleter();
  if (deleter == &free_block || deleter == base_deleter) return false;
  return std::find(earlier_deleters.begin(), earlier_deleters.end(), uint64_t(reinterpret_cast<uintptr_t>(deleter))) == earlier_deleters.end();
}

// Memory that came through our allocator wrapper, as ``watched_blocks`` counts.
inline bool is_watched(c10::StorageImpl* storage) {
  const c10::DataPtr& block = storage->_mutable_data_ptr_no_checks();
  return block.get() && block.get_deleter() == &free_block;
}

inline PyObject* info_of(const at::Tensor& tensor) {
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  c10::StorageImpl* storage = impl->has_storage() ? impl->unsafe_storage().unsafeGetStorageImpl() : nullptr;
  PyObject* dict = PyDict_New();
  if (!dict) return nullptr;
  put(dict, "impl", PyLong_FromUnsignedLongLong(address_of(impl)));
  put(dict, "storage", PyLong_FromUnsignedLongLong(address_of(storage)));
  put(dict, "data", PyLong_FromUnsignedLongLong(storage ? address_of(storage_data(storage)) : 0));
  put(dict, "nbytes", PyLong_FromUnsignedLongLong(storage ? storage_bytes(storage) : 0));
  put(dict, "is_external", PyBool_FromLong(storage && is_external(storage)));
  put(dict, "is_watched", PyBool_FromLong(storage && is_watched(storage)));
  put_layout(dict, impl);
  put(dict, "dtype", PyUnicode_FromString(dtype_name(c10::typeMetaToScalarType(impl->dtype()))));
  put(dict, "itemsize", PyLong_FromSize_t(impl->dtype().itemsize()));
  put(dict, "device", PyUnicode_FromString(device_of(impl).str().c_str()));
  put(dict, "version", PyLong_FromUnsignedLong(version_of(impl)));
  put(dict, "is_view", PyBool_FromLong(is_view(tensor)));
  put(dict, "base", base_address(tensor));
  put(dict, "requires_grad", PyBool_FromLong(impl->requires_grad()));
  auto* meta = torch::autograd::impl::get_autograd_meta(tensor);
  put(dict, "output_nr", PyLong_FromUnsignedLong(meta ? meta->output_nr_ : 0));
  return dict;
}

// What the inspector shows of a tensor's elements; of the finite ones only. Complex numbers count by their magnitude.
struct Summary {
  double sum = 0, min = std::numeric_limits<double>::infinity(), max = -std::numeric_limits<double>::infinity();
  uint64_t finite = 0;
  uint64_t bins[64] = {};
};

template <typename T>
double plain(T value) {
  return double(value);
}
template <typename T>
double plain(c10::complex<T> value) {
  return magnitude(value);
}

// Bins 32…63 hold positive numbers (and 0 the lowest) by their power of two from 2⁻²⁴ on, bins 31…0 negative ones; both ends take what is beyond.
inline int bin_of(double value) {
  constexpr int kLowest = -24, kBins = 32;
  if (value == 0) return kBins;
  const int power = std::min(std::max(std::ilogb(value) - kLowest, 0), kBins - 1);
  return value > 0 ? kBins + power : kBins - 1 - power;
}

template <typename T>
Summary summary_of(const Strided& elements, bool with_bins) {
  Summary result;
  elements.for_each_run([&](const char* first, int64_t count, int64_t stride) {
    for (int64_t at = 0; at < count; ++at) {
      const double value = plain(reinterpret_cast<const T*>(first)[at * stride]);
      if (!std::isfinite(value)) continue;
      ++result.finite;
      result.sum += value;
      result.min = std::min(result.min, value);
      result.max = std::max(result.max, value);
      if (with_bins) ++result.bins[bin_of(value)];
    }
  });
  return result;
}

inline PyObject* stats_of(const at::Tensor& tensor, bool with_histogram) {
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  PyObject* dict = PyDict_New();
  if (!dict) return nullptr;
  put_layout(dict, impl);
  PyDict_DelItemString(dict, "stride");
  PyDict_DelItemString(dict, "offset");
  put(dict, "dtype", PyUnicode_FromString(dtype_name(c10::typeMetaToScalarType(impl->dtype()))));
  const char* why = why_unreadable(impl);
  Statistics statistics;
  Summary summary;
  bool is_known = false;
  if (!why) {
    Py_BEGIN_ALLOW_THREADS;
    is_known = with_element_type(c10::typeMetaToScalarType(impl->dtype()), [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      statistics = statistics_of<T>(strided(impl));
      summary = summary_of<T>(strided(impl), with_histogram);
    });
    Py_END_ALLOW_THREADS;
    if (!is_known) why = "of a type without plain numbers";
  }
  put(dict, "numel", PyLong_FromUnsignedLongLong(is_known ? statistics.numel : is_strided(impl) ? numel_of(impl) : 0));
  if (why) {
    put(dict, "why", PyUnicode_FromString(why));
    return dict;
  }
  put(dict, "norm", PyFloat_FromDouble(std::sqrt(statistics.sum_squares)));
  put(dict, "nonfinite", PyLong_FromUnsignedLongLong(statistics.nonfinite));
  if (summary.finite) {
    put(dict, "min", PyFloat_FromDouble(summary.min));
    put(dict, "max", PyFloat_FromDouble(summary.max));
    put(dict, "mean", PyFloat_FromDouble(summary.sum / double(summary.finite)));
  }
  if (with_histogram) {
    PyObject* bins = PyList_New(64);
    for (int at = 0; bins && at < 64; ++at) PyList_SET_ITEM(bins, at, PyLong_FromUnsignedLongLong(summary.bins[at]));
    put(dict, "histogram", bins);
  }
  return dict;
}

}  // namespace tensorscope
