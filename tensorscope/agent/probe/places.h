// Where the forward operators stood, by (thread, sequence number): what a node is asked for when it runs.
#pragma once

#include <atomic>
#include <memory>

#include <torch/csrc/autograd/node.h>

namespace tensorscope {

struct Place {
  uint32_t stack = 0, module = 0;
  bool is_known() const { return stack || module; }
};

// The last 131,072 numbers, in 2 MiB whose pages are taken as they are used.
class PlaceTable {
 public:
  void keep(uint32_t thread, int64_t sequence_nr, Place place) {
    Entry* entries = entries_.load(std::memory_order_acquire);
    if (!entries) entries = make();
    Entry& entry = entries[slot(thread, sequence_nr)];
    entry.key.store(0, std::memory_order_relaxed);
    entry.place.store(uint64_t(place.module) << 32 | place.stack, std::memory_order_release);
    entry.key.store(key(thread, sequence_nr), std::memory_order_release);
  }

  Place find(uint64_t thread, int64_t sequence_nr) const {
    const Entry* entries = entries_.load(std::memory_order_acquire);
    if (!entries || sequence_nr < 0) return {};
    const Entry& entry = entries[slot(thread, sequence_nr)];
    const uint64_t wanted = key(thread, sequence_nr);
    if (entry.key.load(std::memory_order_acquire) != wanted) return {};
    const uint64_t place = entry.place.load(std::memory_order_acquire);
    if (entry.key.load(std::memory_order_relaxed) != wanted) return {};
    return {uint32_t(place), uint32_t(place >> 32)};
  }

 private:
  struct Entry {
    std::atomic<uint64_t> key, place;
  };
  static constexpr uint64_t kEntries = 1 << 17;

  static uint64_t key(uint64_t thread, int64_t sequence_nr) { return uint64_t(sequence_nr + 1) << 20 | (thread & 0xFFFFF); }
  static uint64_t slot(uint64_t thread, int64_t sequence_nr) { return (uint64_t(sequence_nr) + thread * 0x9E37) & (kEntries - 1); }

  Entry* make() {
    auto* made = static_cast<Entry*>(calloc(kEntries, sizeof(Entry)));
    Entry* none = nullptr;
    if (!made) throw std::bad_alloc();
    if (entries_.compare_exchange_strong(none, made)) return made;
    free(made);
    return none;
  }

  std::atomic<Entry*> entries_{nullptr};
};
inline PlaceTable& places = *new PlaceTable;

// Of the operator that made a node; the nodes that a write into a view makes come right after that operator's own number.
inline Place place_of(const torch::autograd::Node& node) {
  const auto number = int64_t(node.sequence_nr());
  const Place place = places.find(node.thread_id(), number);
  return place.is_known() ? place : places.find(node.thread_id(), number - 1);
}

}  // namespace tensorscope
