// The shared-memory area: its header words and the lending of blocks to threads (the bytes are drawn in protocol/area.py).
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <ctime>

#include <sys/mman.h>

#include "clock.h"

namespace tensorscope {

constexpr uint32_t kHeaderSize = 4096;
constexpr uint32_t kBlockHeaderSize = 64;
constexpr uint32_t kDefinitionReserve = 8;

// A block is prepared while its header is neither the old lending's nor the new one's: the reader leaves it alone.
enum BlockState : uint32_t { kUnused = 0, kWriting = 1, kFull = 2, kPrepared = 3 };
enum BlockKind : uint32_t { kRecords = 1, kDefinitions = 2 };

struct AreaHeader {
  char magic[8];
  uint32_t block_size, block_count;
  std::atomic<uint32_t> enabled, armed;
  std::atomic<uint64_t> heartbeat_ns, dropped_events, cost_ns, events;
  std::atomic<uint32_t> next_sequence, reader_present, breakpoints;
};
static_assert(offsetof(AreaHeader, heartbeat_ns) == 24 && offsetof(AreaHeader, reader_present) == 60);

struct Block {
  std::atomic<uint32_t> state;
  uint32_t kind, thread;
  std::atomic<uint32_t> sequence, committed;
  std::atomic<uint32_t> running_name, running_stack, running_flags;
  std::atomic<int64_t> running_begin_ns;
  std::atomic<uint64_t> running_id;
  uint32_t zeros[4];
  char content[];
};
static_assert(sizeof(Block) == kBlockHeaderSize && offsetof(Block, committed) == 16 && offsetof(Block, running_begin_ns) == 32 && offsetof(Block, zeros) == 48);

// "Off" is one relaxed load away: the pointer leads to the area's word, or to this zero before start, after stop and in a forked child.
inline std::atomic<uint32_t> never{0};
inline std::atomic<std::atomic<uint32_t>*> enabled_word{&never};
inline bool is_on() { return enabled_word.load(std::memory_order_relaxed)->load(std::memory_order_relaxed) == 1; }
inline void go_off() { enabled_word.store(&never); }

class Area {
 public:
  // Maps the area that the host made; false with errno set, or errno 0 when it is no area of ours.
  bool map(int fd, uint64_t size) {
    errno = 0;
    if (size < kHeaderSize) return false;
    void* address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (address == MAP_FAILED) return false;
    auto* header = static_cast<AreaHeader*>(address);
    const uint64_t needed = kHeaderSize + uint64_t(header->block_size) * header->block_count;
    if (memcmp(header->magic, "TSAREA01", 8) != 0 || header->block_count < 2 || needed > size || header->block_size < 4096) {
      munmap(address, size);
      return false;
    }
    header_ = header;
    capacity_ = header->block_size - kBlockHeaderSize;
    reserve_ = header->block_count / 2 < kDefinitionReserve ? header->block_count / 2 : kDefinitionReserve;
    return true;
  }

  AreaHeader& header() { return *header_; }
  uint32_t capacity() const { return capacity_; }
  void add_cost(int64_t ns) { header_->cost_ns.fetch_add(uint64_t(ns), std::memory_order_relaxed); }
  void drop(uint64_t events) { header_->dropped_events.fetch_add(events, std::memory_order_relaxed); }

  // A block for records; nullptr when none came free within the time that the script may be kept waiting.
  Block* take_for_records(uint32_t thread) {
    if (Block* block = try_take(kRecords, thread, reserve_)) return block;
    if (!header_->reader_present.load(std::memory_order_relaxed)) return reuse_oldest(thread);
    return wait_for_block(thread);
  }

  Block* take_for_definitions() { return try_take(kDefinitions, 0, 0); }

  // Hands a block to the reader. One without content goes back at once.
  static void hand_over(Block* block) {
    block->state.store(block->committed.load(std::memory_order_relaxed) ? kFull : kUnused, std::memory_order_release);
  }

 private:
  Block* block(uint32_t index) { return reinterpret_cast<Block*>(reinterpret_cast<char*>(header_) + kHeaderSize + uint64_t(index) * header_->block_size); }

  // The first free block: with a quick reader few are in use, and they stay in the processor's cache.
  Block* try_take(BlockKind kind, uint32_t thread, uint32_t first) {
    const uint32_t count = header_->block_count - first;
    for (uint32_t step = 0; step < count; ++step) {
      Block* candidate = block(first + step);
      uint32_t expected = kUnused;
      if (candidate->state.load(std::memory_order_relaxed) == kUnused && candidate->state.compare_exchange_strong(expected, kPrepared, std::memory_order_acquire))
        return lend(candidate, kind, thread);
    }
    return nullptr;
  }

  Block* lend(Block* block, BlockKind kind, uint32_t thread) {
    block->committed.store(0, std::memory_order_relaxed);
    block->running_begin_ns.store(0, std::memory_order_relaxed);
    block->kind = kind;
    block->thread = thread;
    block->sequence.store(header_->next_sequence.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
    block->state.store(kWriting, std::memory_order_release);
    return block;
  }

  // Flight recorder: nobody reads, so the oldest full block of records is lost, and counted.
  Block* reuse_oldest(uint32_t thread) {
    for (int attempt = 0; attempt < 4; ++attempt) {
      Block* oldest = nullptr;
      for (uint32_t index = reserve_; index < header_->block_count; ++index) {
        Block* candidate = block(index);
        if (candidate->state.load(std::memory_order_acquire) != kFull || candidate->kind != kRecords) continue;
        if (!oldest || int32_t(candidate->sequence.load() - oldest->sequence.load()) < 0) oldest = candidate;
      }
      uint32_t expected = kFull;
      if (!oldest) return nullptr;
      if (!oldest->state.compare_exchange_strong(expected, kPrepared, std::memory_order_acquire)) continue;
      drop(oldest->committed.load(std::memory_order_relaxed) / 64);
      return lend(oldest, kRecords, thread);
    }
    return nullptr;
  }

  // The script waits for the host at most 50 ms in any second, all threads together, and only while the host's heart beats.
  Block* wait_for_block(uint32_t thread) {
    constexpr int64_t kWindow = 1'000'000'000, kLimit = 50'000'000, kFresh = 100'000'000, kNap = 200'000;
    for (int64_t now = now_ns();;) {
      if (now - window_begin_.load() > kWindow) {
        window_begin_.store(now);
        waited_.store(0);
      }
      const bool is_fresh = now - int64_t(header_->heartbeat_ns.load(std::memory_order_relaxed)) < kFresh;
      if (!is_fresh || waited_.load() >= kLimit || !is_on()) return nullptr;
      timespec nap{0, kNap};
      nanosleep(&nap, nullptr);
      const int64_t after = now_ns();
      waited_.fetch_add(after - now);
      now = after;
      if (Block* block = try_take(kRecords, thread, reserve_)) return block;
    }
  }

  AreaHeader* header_ = nullptr;
  uint32_t capacity_ = 0, reserve_ = 0;
  std::atomic<int64_t> window_begin_{0}, waited_{0};
};

inline Area area;

}  // namespace tensorscope
