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

inline uint64_t storage_bytes(c10::StorageImpl* storage) {
  const auto bytes = storage->sym_nbytes().maybe_as_int();
  return bytes ? uint64_t(*bytes) : 0;
}

inline uint32_t version_of(c10::TensorImpl* impl) {
  if (impl->is_inference() || !impl->version_counter().enabled()) return 0;
  return impl->version_counter().current_version();
}

inline bool is_view(const at::TensorBase& tensor) { return torch::autograd::impl::get_view_autograd_meta(tensor) != nullptr; }

inline void write_tensor(ThreadState* thread, const at::TensorBase& tensor, TensorRole role, uint64_t op, uint16_t argument) {
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  auto* record = thread->writer.begin<TensorRecord>(kTensor);
  if (!record) return;
  record->role = role;
  record->argument = argument;
  record->op = op;
  record->impl = address_of(impl);
  record->dtype = uint8_t(c10::typeMetaToScalarType(impl->dtype()));
  const c10::Device device = impl->device();
  record->device_type = uint8_t(device.type());
  record->device_index = device.index();
  record->version = version_of(impl);
  uint8_t flags = 0;
  if (is_view(tensor)) flags |= kIsView;
  if (impl->requires_grad()) flags |= kRequiresGrad;
  if (parameters.id(impl)) flags |= kIsLeafParameter;
  c10::StorageImpl* storage = impl->has_storage() ? impl->unsafe_storage().unsafeGetStorageImpl() : nullptr;
  if (storage) {
    record->storage = address_of(storage);
    record->data = address_of(storage_data(storage));
    record->nbytes = storage_bytes(storage);
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
