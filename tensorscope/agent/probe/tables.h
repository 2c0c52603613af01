// Strings and shapes, each with the id by which records name it. Like all tables of the probe they hold so much and no more: a script that makes ever
// new shapes or names grows nothing here and nothing in the host.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "definitions.h"

namespace tensorscope {

inline std::atomic<uint32_t> most_entries{1 << 18};  // of a table; start() may want fewer

// How much a table may still take in: entries, and 128 bytes an entry all in all. What comes after is told once, and stays unknown (id 0).
class TableRoom {
 public:
  // ``share``: the part of ``most_entries`` that the table may have.
  explicit constexpr TableRoom(const char* what, uint32_t share = 1) : what_(what), share_(share) {}

  bool take(size_t bytes) {
    const size_t most = std::max<size_t>(1, most_entries.load(std::memory_order_relaxed) / share_);
    if (entries_ < most && bytes_ + bytes <= most * kEntryBytes) {
      ++entries_;
      bytes_ += bytes;
      return true;
    }
    if (!is_full_.exchange(true, std::memory_order_relaxed)) tell(most);
    return false;
  }

  bool is_full() const { return is_full_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kEntryBytes = 128;

  void tell(size_t most) const {
    const std::string number = std::to_string(most);
    definitions.message(R"({"type":"tracker_off","tracker":")" + std::string(what_) + R"(","reason":"The script has made more than )" + number + " (or " +
                        std::to_string(most * kEntryBytes >> 10) + R"( KiB) of them; those it makes from now on are shown as unknown."})");
  }

  const char* what_;
  uint32_t share_;
  size_t entries_ = 0, bytes_ = 0;
  std::atomic<bool> is_full_{false};
};

// Equal texts get one id. Threads keep a cache in front (thread.h).
class StringTable {
 public:
  struct Entry {
    const std::string* text;
    uint32_t id;
  };

  Entry intern(std::string_view text) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = ids_.find(std::string(text));
    if (found == ids_.end()) {
      if (!room_.take(text.size())) return {&unknown_, 0};
      found = ids_.emplace(text, uint32_t(ids_.size() + 1)).first;
      Payload payload;
      payload.u32(uint32_t(text.size())).bytes(text);
      definitions.write(kString, found->second, payload.view());
    }
    return {&found->first, found->second};
  }

 private:
  const std::string unknown_ = "?";
  std::mutex mutex_;
  TableRoom room_{"names"};
  std::unordered_map<std::string, uint32_t> ids_;
};

// A shape is its sizes followed by its strides.
class ShapeTable {
 public:
  uint32_t intern(const int64_t* numbers, size_t dimensions) {
    std::string key(reinterpret_cast<const char*>(numbers), 16 * dimensions);
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = ids_.find(key);
    if (found == ids_.end()) {
      if (!room_.take(key.size())) return 0;
      found = ids_.emplace(std::move(key), uint32_t(ids_.size() + 1)).first;
      Payload payload;
      payload.u32(uint32_t(dimensions)).u32(0).bytes(found->first);
      definitions.write(kShape, found->second, payload.view());
    }
    return found->second;
  }

 private:
  std::mutex mutex_;
  TableRoom room_{"shapes"};
  std::unordered_map<std::string, uint32_t> ids_;
};

inline StringTable strings;
inline ShapeTable shapes;

}  // namespace tensorscope
