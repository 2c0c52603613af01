// The CPU allocator's wrapper: every block that torch allocates and frees, on every thread. The library is never unloaded: live blocks point at its deleter.
#pragma once

#include <unordered_map>

#include <c10/core/CPUAllocator.h>

#include "running.h"
#include "tensors.h"

namespace tensorscope {

constexpr uint8_t kAllocatorPriority = 200;

inline void fill_allocation(AllocationRecord& record, const ThreadState* thread, AllocationAction action, uint64_t address, uint64_t size) {
  const Running* running = thread ? thread->top : nullptr;
  record.kind = kAllocation;
  record.action = action;
  record.device_index = -1;
  record.module_call = thread ? thread->module_call : 0;
  record.op = running ? running->id() : 0;
  record.address = address;
  record.size = size;
  record.time_ns = now_ns();
  record.stack = running ? running->stack : 0;
}

// For threads that are being torn down: they still free blocks.
class LateWriter {
 public:
  void write(const AllocationRecord& record) {
    std::lock_guard<std::mutex> lock(mutex_);
    writer_.write(&record);
  }

 private:
  std::mutex mutex_;
  RecordWriter writer_;
};
inline LateWriter& late_writer = *new LateWriter;

inline void write_allocation(AllocationAction action, const void* block, uint64_t size) {
  ThreadState* thread = this_thread();
  AllocationRecord record{};
  fill_allocation(record, thread, action, address_of(block), size);
  if (thread) {
    thread->writer.write(&record);
  } else {
    late_writer.write(record);
  }
}

// Live blocks, kept only when a test asks for it.
class BlockBook {
 public:
  void enable() { is_kept_ = true; }
  bool is_kept() const { return is_kept_; }

  void add(void* block, uint64_t size) {
    std::lock_guard<std::mutex> lock(mutex_);
    sizes_[block] = size;
  }

  void remove(void* block) {
    std::lock_guard<std::mutex> lock(mutex_);
    sizes_.erase(block);
  }

  std::unordered_map<void*, uint64_t> copy() {
    std::lock_guard<std::mutex> lock(mutex_);
    return sizes_;
  }

 private:
  bool is_kept_ = false;
  std::mutex mutex_;
  std::unordered_map<void*, uint64_t> sizes_;
};
inline BlockBook& block_book = *new BlockBook;

inline c10::DeleterFnPtr base_deleter = nullptr;
inline std::atomic<int64_t> watched_blocks{0};
inline std::vector<uint64_t>& earlier_deleters = *new std::vector<uint64_t>;  // of probes that watched this process before: their blocks still live

inline void free_block(void* block) {
  if (block) watched_blocks.fetch_sub(1, std::memory_order_relaxed);
  if (block_book.is_kept()) block_book.remove(block);
  if (block && is_on()) {  // oneDNN frees null blocks
    try {
      write_allocation(kFree, block, 0);
    } catch (...) {
      area.drop(1);
    }
  }
  base_deleter(block);
}

class WatchingAllocator final : public c10::Allocator {
 public:
  void install() {
    base_ = c10::GetCPUAllocator();
    base_deleter = base_->raw_deleter();
    if (base_deleter) c10::SetCPUAllocator(this, kAllocatorPriority);
  }

  void remove() {
    if (base_ && c10::GetCPUAllocator() == this) c10::SetCPUAllocator(base_, kAllocatorPriority);
  }

  c10::DataPtr allocate(size_t size) override {
    if (!is_on()) return base_->allocate(size);
    c10::DataPtr block = allocate_counting_failure(size);
    void* address = block.get();
    const bool is_ours = address && address == block.get_context() && block.compare_exchange_deleter(base_deleter, &free_block);
    if (is_ours) {
      watched_blocks.fetch_add(1, std::memory_order_relaxed);
      if (block_book.is_kept()) block_book.add(address, size);
      try {
        write_allocation(kAlloc, address, size);
      } catch (...) {
        area.drop(1);
      }
    }
    return block;
  }

  bool is_simple_data_ptr(const c10::DataPtr& block) const override { return base_->is_simple_data_ptr(block); }
  c10::DeleterFnPtr raw_deleter() const override { return &free_block; }
  void copy_data(void* target, const void* source, size_t size) const override { base_->copy_data(target, source, size); }

 private:
  c10::DataPtr allocate_counting_failure(size_t size) {
    try {
      return base_->allocate(size);
    } catch (...) {
      write_allocation(kOom, nullptr, size);
      throw;
    }
  }

  c10::Allocator* base_ = nullptr;
};
inline WatchingAllocator& watching_allocator = *new WatchingAllocator;

}  // namespace tensorscope
