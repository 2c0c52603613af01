// One TENSOR record for each tensor that an operator takes or gives. Reads only what torch keeps ready: nothing regenerates a grad_fn.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/TensorImpl.h>
#include <torch/csrc/autograd/variable.h>

#include "parameters.h"
#include "thread.h"

namespace tensorscope {

inline uint64_t address_of(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

// A COW or fake storage must not be touched through its checking getters.
inline const void* storage_data(c10::StorageImpl* storage) { return storage->_mutable_data_ptr_no_checks().get(); }

// 0 where only a symbol knows, as it may under a tensor with symbolic sizes. Elsewhere the symbol, whose copying takes its time, is not asked for.
inline uint64_t storage_bytes(c10::StorageImpl* storage, bool may_be_symbolic = true) {
  if (!may_be_symbolic) {
    try {
      return storage->nbytes();
    } catch (...) {  // a symbol after all
    }
  }
  const auto bytes = storage->sym_nbytes().maybe_as_int();
  return bytes ? uint64_t(*bytes) : 0;
}

inline uint32_t version_of(c10::TensorImpl* impl) {
  if (impl->is_inference() || !impl->version_counter().enabled()) return 0;
  return impl->version_counter().current_version();
}

// TensorImpl's own answers: layout(), device() and numel() ask the Python of a subclass that has them dispatched.
struct OwnAnswers : c10::TensorImpl {
  using c10::TensorImpl::device_default;
};

inline c10::Device device_of(const c10::TensorImpl* impl) {
  constexpr c10::Device (c10::TensorImpl::*device_default)() const = &OwnAnswers::device_default;
  return (impl->*device_default)();
}

inline bool is_strided(const c10::TensorImpl* impl) { return !impl->key_set().has_any(c10::sparse_ks | c10::sparse_csr_ks | c10::mkldnn_ks); }

// 0 where only Python or a symbol knows.
inline uint64_t numel_of(const c10::TensorImpl* impl) {
  if (impl->has_symbolic_sizes_strides()) return 0;
  const bool is_nested = impl->key_set().has(c10::DispatchKey::NestedTensor) && !impl->key_set().has(c10::DispatchKey::Python);
  return uint64_t(is_nested ? impl->numel() : impl->numel_default());
}

// What autograd knows of a tensor, in one call into torch's library; nullptr where it knows nothing.
inline const torch::autograd::AutogradMeta* meta_of(const c10::TensorImpl* impl) { return static_cast<const torch::autograd::AutogradMeta*>(impl->autograd_meta()); }

inline bool is_view(const at::TensorBase& tensor) {
  const auto* meta = meta_of(tensor.unsafeGetTensorImpl());
  return meta && meta->is_view_;
}

inline void write_tensor(ThreadState* thread, const at::TensorBase& tensor, TensorRole role, uint64_t op, uint16_t argument) {
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  auto* record = thread->writer.begin<TensorRecord>(kTensor);
  if (!record) return;
  record->role = role;
  record->argument = argument;
  record->op = op;
  record->impl = address_of(impl);
  record->dtype = uint8_t(c10::typeMetaToScalarType(impl->dtype()));
  const c10::Device device = device_of(impl);
  record->device_type = uint8_t(device.type());
  record->device_index = device.index();
  record->version = version_of(impl);
  uint8_t flags = 0;
  if (const auto* meta = meta_of(impl)) flags |= (meta->is_view_ ? kIsView : 0) | (meta->requires_grad_ || meta->grad_fn_ ? kRequiresGrad : 0);
  if (parameters.id(impl)) flags |= kIsLeafParameter;
  c10::StorageImpl* storage = impl->has_storage() ? impl->unsafe_storage().unsafeGetStorageImpl() : nullptr;
  if (storage) {
    record->storage = address_of(storage);
    record->data = address_of(storage_data(storage));
    record->nbytes = storage_bytes(storage, impl->has_symbolic_sizes_strides());
  }
  if (!storage || !record->data) flags |= record->nbytes || !storage ? kNoStorage : 0;
  record->flags = flags;
  if (!impl->has_symbolic_sizes_strides()) {
    const c10::IntArrayRef sizes = impl->sizes_default(), strides = impl->strides_default();
    record->shape = thread->shape_ids.id(sizes.data(), strides.data(), sizes.size());
    record->offset = impl->storage_offset_default();
  }
  thread->writer.commit();
}

// Writes the tensors of a call's values, those in lists too; returns how many.
template <typename Values>
uint16_t write_tensors(ThreadState* thread, const Values& values, TensorRole role, uint64_t op) {
  uint32_t count = 0;
  const auto write = [&](const c10::IValue& value) {
    const at::Tensor& tensor = value.toTensor();
    if (tensor.defined() && count < 65535) write_tensor(thread, tensor, role, op, uint16_t(count++));
  };
  for (const c10::IValue& value : values) {
    if (value.isTensor()) {
      write(value);
    } else if (value.isList()) {
      for (const c10::IValue& item : value.toListRef()) {
        if (!item.isTensor()) break;
        write(item);
      }
    }
  }
  return uint16_t(count);
}

}  // namespace tensorscope
