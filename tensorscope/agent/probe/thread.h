// What the probe knows of one thread: its ring block, what it runs now, and its caches.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <cxxabi.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ATen/record_function.h>

#include "area.h"
#include "definitions.h"
#include "records.h"

namespace tensorscope {

class RecordWriter {
 public:
  // Room for one record in this thread's block, zeroed but for its kind; nullptr when it must be dropped (and is counted).
  template <typename Record>
  Record* begin(RecordKind kind) {
    if (used_ + kRecordSize > room_ && !renew()) return nullptr;
    auto* record = reinterpret_cast<Record*>(block_->content + used_);
    __builtin_prefetch(block_->content + used_ + 8 * kRecordSize, 1);
    memset(static_cast<void*>(record), 0, kRecordSize);
    *reinterpret_cast<uint8_t*>(record) = kind;
    return record;
  }

  void commit() {
    used_ += kRecordSize;
    block_->committed.store(used_, std::memory_order_release);
    if ((++events_ & 255) == 0) area.header().events.fetch_add(256, std::memory_order_relaxed);
  }

  void write(const void* record) {
    if (used_ + kRecordSize > room_ && !renew()) return;
    memcpy(block_->content + used_, record, kRecordSize);
    commit();
  }

  void set_thread(uint32_t thread) { thread_ = thread; }

  void release() {
    if (!block_) return;
    if (is_on()) {
      area.header().events.fetch_add(events_ & 255, std::memory_order_relaxed);
      Area::hand_over(block_);
    }
    block_ = nullptr;
    used_ = room_ = 0;
    events_ = 0;
  }

 private:
  bool renew() {
    if (!is_on()) return false;
    if (block_) Area::hand_over(block_);
    block_ = nullptr;
    used_ = room_ = 0;
    const int64_t now = next_try_ns_ ? now_ns() : 0;
    if (now < next_try_ns_) return drop();
    if (definitions.is_waiting()) definitions.flush();
    block_ = area.take_for_records(thread_);
    next_try_ns_ = block_ ? 0 : now_ns() + 1'000'000;
    if (!block_) return drop();
    room_ = area.capacity() / kRecordSize * kRecordSize;
    return true;
  }

  bool drop() {
    area.drop(1);
    return false;
  }

  Block* block_ = nullptr;
  uint32_t used_ = 0, room_ = 0, thread_ = 0;
  uint64_t events_ = 0;
  int64_t next_try_ns_ = 0;
};

struct Running;      // running.h
struct ModuleScope;  // modules.h
struct BackwardRun;  // graphs.h

// Two direct-mapped caches from a name to its id: by its address, checked against the text since addresses are reused, and by its text.
class NameCache {
 public:
  uint32_t id(const char* name) {
    Line& line = by_address_[(reinterpret_cast<uintptr_t>(name) >> 4 ^ reinterpret_cast<uintptr_t>(name) >> 13) & (kLines - 1)];
    if (line.address == name && strcmp(line.text->c_str(), name) == 0) return line.id;
    const StringTable::Entry entry = find(name);
    line = {name, entry.text, entry.id};
    return entry.id;
  }

  // For names whose address says nothing, such as those of nodes, which torch makes anew each time.
  uint32_t id_of_text(std::string_view name) { return find(name).id; }

 private:
  static constexpr size_t kLines = 4096;
  struct Line {
    const char* address = nullptr;
    const std::string* text = nullptr;
    uint32_t id = 0;
  };

  StringTable::Entry find(std::string_view name) {
    uint64_t hash = name.size();
    for (const char letter : name) hash = (hash ^ uint8_t(letter)) * 0x100000001B3u;
    StringTable::Entry& entry = by_text_[(hash ^ hash >> 20) & (kLines - 1)];
    if (!entry.text || *entry.text != name) entry = strings.intern(name);
    return entry;
  }

  Line by_address_[kLines];
  StringTable::Entry by_text_[kLines] = {};
};

struct ShapeCache {
  static constexpr size_t kMaxDimensions = 8;
  struct Line {
    uint32_t id = 0;
    uint32_t dimensions = 0;
    int64_t numbers[2 * kMaxDimensions];
  };
  Line lines[1024];

  uint32_t id(const int64_t* sizes, const int64_t* strides, size_t dimensions) {
    if (dimensions > kMaxDimensions) {
      std::vector<int64_t> numbers(sizes, sizes + dimensions);
      numbers.insert(numbers.end(), strides, strides + dimensions);
      return shapes.intern(numbers.data(), dimensions);
    }
    uint64_t hash = dimensions;
    for (size_t axis = 0; axis < dimensions; ++axis) hash = (hash ^ uint64_t(sizes[axis]) ^ uint64_t(strides[axis]) << 32) * 0x9E3779B97F4A7C15u;
    Line& line = lines[hash >> 54];
    const size_t half = dimensions * sizeof(int64_t);
    if (line.id && line.dimensions == dimensions && memcmp(line.numbers, sizes, half) == 0 && memcmp(line.numbers + dimensions, strides, half) == 0) return line.id;
    memcpy(line.numbers, sizes, half);
    memcpy(line.numbers + dimensions, strides, half);
    line.dimensions = uint32_t(dimensions);
    return line.id = shapes.intern(line.numbers, dimensions);
  }
};

// See stacks.h.
struct StackCache;

struct ThreadState {
  uint32_t id = 0;
  bool is_quiet = false, is_compiling = false;
  uint32_t module_call = 0;
  uint64_t operators = 0, samples = 0;
  Running* top = nullptr;
  Running* spare = nullptr;
  ModuleScope* modules = nullptr;
  std::shared_ptr<BackwardRun> backward;
  RecordWriter writer;
  NameCache names;
  ShapeCache shape_ids;
  StackCache* stacks = nullptr;

  // std::uncaught_exceptions() without its search for this thread's count, which every operator would make twice (the C++ ABI's __cxa_eh_globals).
  int uncaught_exceptions() const { return int(exceptions->uncaught); }
  struct Exceptions {
    void* caught;
    unsigned uncaught;
  };
  const Exceptions* exceptions = nullptr;

  uint64_t next_id() { return uint64_t(id) << 40 | ++operators; }
};

ThreadState* make_this_thread();
static thread_local ThreadState* this_thread_state __attribute__((tls_model("initial-exec"))) = nullptr;

// This thread's state; nullptr when the thread is being torn down.
inline ThreadState* this_thread() {
  ThreadState* state = this_thread_state;
  return state ? state : make_this_thread();
}

}  // namespace tensorscope
