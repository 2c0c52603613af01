// Definitions: what records name by number. Without a free block they wait in private memory; those over 16 MiB there, when nobody reads at all,
// are dropped and counted.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "area.h"
#include "records.h"

namespace tensorscope {

// Builds a payload of little-endian numbers and bytes.
class Payload {
 public:
  Payload& u32(uint32_t value) { return raw(&value, 4); }
  Payload& u64(uint64_t value) { return raw(&value, 8); }
  Payload& bytes(std::string_view text) { return raw(text.data(), text.size()); }
  Payload& raw(const void* data, size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
    return *this;
  }
  const std::string& view() const { return bytes_; }

 private:
  std::string bytes_;
};

class DefinitionWriter {
 public:
  void write(DefinitionKind kind, uint32_t id, std::string_view payload) {
    std::lock_guard<std::mutex> lock(mutex_);
    const size_t largest = area.capacity() - 2 * kEntryHeader - kPartHeader;
    if (payload.size() <= largest) return add_entry(kind, id, payload);
    const uint32_t whole = ++wholes_, parts = uint32_t((payload.size() + largest - 1) / largest);
    for (uint32_t part = 0; part < parts; ++part) {
      const std::string_view piece = payload.substr(part * largest, largest);
      Payload entry;
      entry.u32(whole).u32(kind).u32(part).u32(parts).u32(uint32_t(piece.size())).u32(0).bytes(piece);
      add_entry(kPart, id, entry.view());
    }
  }

  void message(std::string_view body) {
    const uint32_t number = ++messages_;
    const size_t largest = area.capacity() - 2 * kEntryHeader - kPartHeader;
    const uint32_t parts = body.empty() ? 1 : uint32_t((body.size() + largest - 1) / largest);
    for (uint32_t part = 0; part < parts; ++part) {
      const std::string_view piece = body.substr(part * largest, largest);
      Payload entry;
      entry.u32(part).u32(parts).u32(uint32_t(piece.size())).bytes(piece);
      write(kMessage, number, entry.view());
    }
  }

  bool is_waiting() const { return has_waiting_.load(std::memory_order_relaxed); }

  // Moves what waits into blocks that came free.
  void flush() {
    std::lock_guard<std::mutex> lock(mutex_);
    flush_waiting();
  }

 private:
  static constexpr size_t kEntryHeader = 16, kPartHeader = 24;
  static constexpr size_t kMaxWaiting = 16 << 20;

  void add_entry(DefinitionKind kind, uint32_t id, std::string_view payload) {
    const uint32_t size = uint32_t((kEntryHeader + payload.size() + 7) / 8 * 8);
    std::string entry(size, '\0');
    memcpy(entry.data(), &size, 4);
    entry[4] = char(kind);
    memcpy(entry.data() + 8, &id, 4);
    memcpy(entry.data() + kEntryHeader, payload.data(), payload.size());
    flush_waiting();
    if (waiting_.empty() && put(entry)) return;
    if (waiting_bytes_ + size > kMaxWaiting) return area.drop(1);
    waiting_bytes_ += size;
    waiting_.push_back(std::move(entry));
    has_waiting_.store(true, std::memory_order_relaxed);
  }

  void flush_waiting() {
    while (!waiting_.empty() && put(waiting_.front())) {
      waiting_bytes_ -= waiting_.front().size();
      waiting_.pop_front();
    }
    has_waiting_.store(!waiting_.empty(), std::memory_order_relaxed);
  }

  bool put(const std::string& entry) {
    if (!is_on()) return true;
    if (block_ && used_ + entry.size() > area.capacity()) {
      Area::hand_over(block_);
      block_ = nullptr;
    }
    if (!block_) {
      block_ = area.take_for_definitions();
      used_ = 0;
      if (!block_) return false;
    }
    memcpy(block_->content + used_, entry.data(), entry.size());
    used_ += uint32_t(entry.size());
    block_->committed.store(used_, std::memory_order_release);
    return true;
  }

  std::mutex mutex_;
  Block* block_ = nullptr;
  uint32_t used_ = 0, wholes_ = 0;
  std::atomic<uint32_t> messages_{0};
  std::deque<std::string> waiting_;
  size_t waiting_bytes_ = 0;
  std::atomic<bool> has_waiting_{false};
};

inline DefinitionWriter definitions;

}  // namespace tensorscope
