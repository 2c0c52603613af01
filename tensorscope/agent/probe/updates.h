// Update norms: what an optimizer's step changes, from copies of the weights that are made before it and go after it. Only where they are asked for.
// The copies are malloc's, not torch's: the script's allocations stay as they are.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "gradients.h"

namespace tensorscope {

struct WeightCopy {
  uint32_t id;
  const void* impl;  // to be compared, never followed
  c10::ScalarType type;
  std::vector<int64_t> sizes, strides;
  std::unique_ptr<char[]> data;  // in the order of Strided::for_each_run

  bool is_of(c10::TensorImpl* other) const {
    return other == impl && c10::typeMetaToScalarType(other->dtype()) == type && other->sizes_default().equals(sizes) && other->strides_default().equals(strides);
  }
};

// Of each optimizer's step that runs now.
class WeightCopies {
 public:
  struct Made {
    uint64_t copied = 0, left_out = 0, unreadable = 0;  // parameters: copied, beyond the budget (their turn comes at a later step), not to be read as memory
  };

  // Of the parameters in ``wanted`` (sorted ids) that have a gradient, as many as ``budget`` bytes hold, from the one after the last that had its turn.
  Made make(uint32_t step, const std::vector<uint32_t>& wanted, uint64_t budget) {
    std::vector<std::pair<uint32_t, TensorPointer>> all;
    for (auto& [id, parameter] : parameters.alive())
      if (std::binary_search(wanted.begin(), wanted.end(), id) && gradient_of(parameter)) all.emplace_back(id, std::move(parameter));
    std::lock_guard<std::mutex> lock(mutex_);
    uint32_t& last = last_[step];
    size_t first = 0;
    while (first < all.size() && all[first].first <= last) ++first;
    std::vector<WeightCopy> copies;
    Made made;
    bool is_full = false;
    for (size_t count = 0; count < all.size(); ++count) {
      const auto& [id, parameter] = all[(first + count) % all.size()];
      c10::TensorImpl* impl = parameter.get();
      const c10::ScalarType type = c10::typeMetaToScalarType(impl->dtype());
      if (why_unreadable(impl) || !with_element_type(type, [](auto*) {})) {
        ++made.unreadable;
        continue;
      }
      const uint64_t bytes = numel_of(impl) * impl->dtype().itemsize();
      std::unique_ptr<char[]> data(!is_full && bytes <= budget ? new (std::nothrow) char[bytes] : nullptr);
      if (!data) {
        is_full = is_full || !copies.empty();
        ++made.left_out;
        continue;
      }
      budget -= bytes;
      last = id;
      copy(impl, type, data.get());
      copies.push_back({id, impl, type, impl->sizes_default().vec(), impl->strides_default().vec(), std::move(data)});
      ++made.copied;
    }
    running_[step] = std::move(copies);
    return made;
  }

  std::vector<WeightCopy> take(uint32_t step) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = running_.find(step);
    if (found == running_.end()) return {};
    std::vector<WeightCopy> copies = std::move(found->second);
    running_.erase(found);
    return copies;
  }

 private:
  static void copy(c10::TensorImpl* impl, c10::ScalarType type, char* to) {
    with_element_type(type, [&](auto* element) {
      using T = std::remove_pointer_t<decltype(element)>;
      T* at = reinterpret_cast<T*>(to);
      strided(impl).for_each_run([&](const char* first, int64_t count, int64_t stride) {
        const T* values = reinterpret_cast<const T*>(first);
        for (int64_t index = 0; index < count; ++index) *at++ = values[index * stride];
      });
    });
  }

  std::mutex mutex_;
  std::map<uint32_t, std::vector<WeightCopy>> running_;
  std::map<uint32_t, uint32_t> last_;
};

inline WeightCopies& weight_copies = *new WeightCopies;

template <typename T>
double squared_difference(T before, T after) {
  const double difference = double(after) - double(before);
  return difference * difference;
}
template <typename T>
double squared_difference(c10::complex<T> before, c10::complex<T> after) {
  return squared_difference(before.real(), after.real()) + squared_difference(before.imag(), after.imag());
}

// Sums of squares, in several sums side by side, so that one addition need not wait for the other.
struct Change {
  double weight = 0, update = 0;
};

template <typename T>
void add_run(const T* before, const T* after, int64_t count, int64_t stride, Change& change) {
  constexpr int kLanes = 8;
  double weights[kLanes] = {}, updates[kLanes] = {};
  int64_t at = 0;
  for (; at + kLanes <= count; at += kLanes)
    for (int lane = 0; lane < kLanes; ++lane) {
      weights[lane] += square(before[at + lane]);
      updates[lane] += squared_difference(before[at + lane], after[(at + lane) * stride]);
    }
  for (; at < count; ++at) {
    weights[0] += square(before[at]);
    updates[0] += squared_difference(before[at], after[at * stride]);
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    change.weight += weights[lane];
    change.update += updates[lane];
  }
}

inline Change change_of(const WeightCopy& copy, c10::TensorImpl* impl) {
  Change change;
  with_element_type(copy.type, [&](auto* element) {
    using T = std::remove_pointer_t<decltype(element)>;
    const T* before = reinterpret_cast<const T*>(copy.data.get());
    strided(impl).for_each_run([&](const char* first, int64_t count, int64_t stride) {
      add_run(before, reinterpret_cast<const T*>(first), count, stride, change);
      before += count;
    });
  });
  return change;
}

// A GRADIENT record of stage kUpdate for every copy whose parameter is the same as before; returns of how many.
inline uint32_t write_updates(ThreadState* thread, uint32_t step, uint32_t backward) {
  const std::vector<WeightCopy> copies = weight_copies.take(step);
  if (copies.empty()) return 0;
  const auto alive = parameters.alive();
  uint32_t count = 0;
  for (const WeightCopy& copy : copies) {
    const auto found = std::lower_bound(alive.begin(), alive.end(), copy.id, [](const auto& one, uint32_t id) { return one.first < id; });
    if (found == alive.end() || found->first != copy.id || !copy.is_of(found->second.get()) || why_unreadable(found->second.get())) continue;
    const Change change = change_of(copy, found->second.get());
    write_gradient(thread, kUpdate, backward, copy.id, unknown_statistics(numel_of(found->second.get())), change.weight, change.update);
    ++count;
  }
  return count;
}

}  // namespace tensorscope
