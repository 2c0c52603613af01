// Which tensors can be read as memory: dense ones on the CPU, of a plain type. Says why where it cannot be done.
#pragma once

#include <ATen/SparseTensorImpl.h>

#include "sparse.h"
#include "statistics.h"
#include "tensors.h"

namespace tensorscope {

// nullptr if the tensor's elements can be read; otherwise the reason.
inline const char* why_unreadable(c10::TensorImpl* impl) {
  if (!is_strided(impl)) return "not strided";
  if (device_of(impl).type() != c10::DeviceType::CPU) return "not on the CPU";
  if (impl->has_symbolic_sizes_strides() || !impl->has_storage()) return "has no memory of its own";
  if (impl->key_set().has_any(c10::DispatchKeySet({c10::DispatchKey::NestedTensor, c10::DispatchKey::Functionalize, c10::DispatchKey::FuncTorchBatched}))) return "is not plain";
  if (!storage_data(impl->unsafe_storage().unsafeGetStorageImpl()) && numel_of(impl) != 0) return "has no memory now";
  return nullptr;
}

inline Strided strided(c10::TensorImpl* impl) {
  const size_t item_size = impl->dtype().itemsize();
  const char* data = static_cast<const char*>(storage_data(impl->unsafe_storage().unsafeGetStorageImpl()));
  return {data + impl->storage_offset_default() * int64_t(item_size), item_size, impl->sizes_default(), impl->strides_default()};
}

inline Statistics dense_statistics(c10::TensorImpl* impl) {
  Statistics result = unknown_statistics(numel_of(impl));
  if (why_unreadable(impl)) return result;
  with_element_type(c10::typeMetaToScalarType(impl->dtype()), [&](auto* type) { result = statistics_of<std::remove_pointer_t<decltype(type)>>(strided(impl)); });
  return result;
}

// A sparse tensor's norm is that of its values once those of equal indices are summed.
inline Statistics statistics(c10::TensorImpl* impl) {
  if (!impl->is_sparse()) return dense_statistics(impl);
  auto* sparse = static_cast<at::SparseTensorImpl*>(impl);
  const at::Tensor indices = sparse->indices(), values = sparse->values();
  Statistics result = unknown_statistics(0);
  if (sparse->coalesced()) {
    result = dense_statistics(values.unsafeGetTensorImpl());
  } else if (!why_unreadable(indices.unsafeGetTensorImpl()) && !why_unreadable(values.unsafeGetTensorImpl())) {
    result = summed_statistics(strided(indices.unsafeGetTensorImpl()), strided(values.unsafeGetTensorImpl()),
                               c10::typeMetaToScalarType(values.unsafeGetTensorImpl()->dtype()));
  }
  result.numel = numel_of(impl);
  return result;
}

}  // namespace tensorscope
