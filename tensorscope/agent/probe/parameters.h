// The registered parameters: held weakly, so none lives longer because of us, and known by address without a lock.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <c10/core/TensorImpl.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/util/intrusive_ptr.h>

namespace tensorscope {

using TensorPointer = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

// A functorch transform's view of another tensor, which a weak reference would keep alive: it lets go of it only when its memory goes.
inline bool wraps_another(const c10::TensorImpl* impl) {
  return impl->key_set().has_any(c10::DispatchKeySet({c10::DispatchKey::FuncTorchGradWrapper, c10::DispatchKey::FuncTorchBatched, c10::DispatchKey::Functionalize}));
}

class ParameterTable {
 public:
  void add(const TensorPointer& tensor, uint32_t id) {
    if (wraps_another(tensor.get())) return;
    std::lock_guard<std::mutex> lock(mutex_);
    by_id_.erase(id);
    by_id_.emplace(id, WeakTensor(tensor));
    indexed_.emplace_back(id, WeakTensor(tensor));
    if (!index_.load() || indexed_.size() * 2 > index_.load()->slots.size()) {
      rebuild();
    } else {
      insert(*index_.load(), tensor.get(), id);
    }
  }

  // The parameter's id, 0 for any other tensor. A weak reference keeps a TensorImpl's memory, so an indexed address is never another tensor's.
  uint32_t id(const c10::TensorImpl* impl) const {
    const Index* index = index_.load(std::memory_order_acquire);
    if (!index) return 0;
    for (size_t at = hash(impl) & index->mask;; at = (at + 1) & index->mask) {
      const c10::TensorImpl* found = index->slots[at].impl.load(std::memory_order_acquire);
      if (found == impl) return index->slots[at].id.load(std::memory_order_relaxed);
      if (!found) return 0;
    }
  }

  // Strong references to those alive now, for one pass over them. Taking one may ask for the GIL (a tensor with a Python object), and whoever has the GIL
  // may wait for the lock in `add`: so the lock is not held then.
  std::vector<std::pair<uint32_t, TensorPointer>> alive() {
    std::vector<std::pair<uint32_t, TensorPointer>> result;
    for (const auto& [id, weak] : known())
      if (TensorPointer tensor = weak.lock()) result.emplace_back(id, std::move(tensor));
    return result;
  }

 private:
  struct Slot {
    std::atomic<const c10::TensorImpl*> impl{nullptr};
    std::atomic<uint32_t> id{0};
  };
  struct Index {
    explicit Index(size_t size) : mask(size - 1), slots(size) {}
    size_t mask;
    std::vector<Slot> slots;
  };

  // All that are not dead; the dead are forgotten.
  std::vector<std::pair<uint32_t, WeakTensor>> known() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto at = by_id_.begin(); at != by_id_.end();) at = at->second.expired() ? by_id_.erase(at) : std::next(at);
    return {by_id_.begin(), by_id_.end()};
  }

  static size_t hash(const void* pointer) { return (reinterpret_cast<uintptr_t>(pointer) >> 4) * 0x9E3779B97F4A7C15u >> 20; }

  static void insert(Index& index, const c10::TensorImpl* impl, uint32_t id) {
    size_t at = hash(impl) & index.mask;
    while (index.slots[at].impl.load() && index.slots[at].impl.load() != impl) at = (at + 1) & index.mask;
    index.slots[at].id.store(id, std::memory_order_relaxed);
    index.slots[at].impl.store(impl, std::memory_order_release);
  }

  // A larger index without the dead. Readers take no lock and are in an index for nanoseconds, so the one before the last can go.
  void rebuild() {
    std::vector<std::pair<uint32_t, WeakTensor>> kept;
    for (auto& [id, weak] : indexed_)
      if (!weak.expired()) kept.emplace_back(id, std::move(weak));
    size_t size = 256;
    while (size < kept.size() * 4) size *= 2;
    auto made = std::make_unique<Index>(size);
    for (const auto& [id, weak] : kept) insert(*made, weak._unsafe_get_target(), id);
    index_.store(made.get(), std::memory_order_release);
    before_ = std::move(newest_);
    newest_ = std::move(made);
    retired_.swap(indexed_);
    indexed_.swap(kept);
  }

  std::mutex mutex_;
  std::map<uint32_t, WeakTensor> by_id_;
  std::vector<std::pair<uint32_t, WeakTensor>> indexed_, retired_;
  std::atomic<Index*> index_{nullptr};
  std::unique_ptr<Index> newest_, before_;
};

inline ParameterTable& parameters = *new ParameterTable;
inline ParameterTable& retained = *new ParameterTable;  // tensors that are no leaves and keep their gradient: retain_grad()

}  // namespace tensorscope
