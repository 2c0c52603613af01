// What the probe knows of one thread: its ring block, what it runs now, and its caches.
#pragma once

#include <memory>
#include <vector>

#include <cxxabi.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ATen/record_function.h>

#include "area.h"
#include "records.h"
#include "thread_caches.h"

namespace tensorscope {

// What a thread runs now, for the host to find where the process is killed: its outermost operator, or the node.
struct NowRunning {
  uint64_t id = 0;
  int64_t begin_ns = 0;  // 0: nothing
  uint32_t name = 0, stack = 0, is_node = 0;
};

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

  // The begin comes last: with it the rest counts.
  void now_runs(const NowRunning& running) {
    running_ = running;
    if (block_ || renew()) write_running();
  }

  void runs_nothing() {
    if (!running_.begin_ns) return;
    running_.begin_ns = 0;
    if (block_) block_->running_begin_ns.store(0, std::memory_order_relaxed);
  }

  bool runs(uint64_t id) const { return running_.begin_ns && running_.id == id; }

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
    running_ = {};
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
    if (running_.begin_ns) write_running();
    return true;
  }

  bool drop() {
    area.drop(1);
    return false;
  }

  void write_running() {
    block_->running_begin_ns.store(0, std::memory_order_relaxed);
    block_->running_name.store(running_.name, std::memory_order_release);
    block_->running_stack.store(running_.stack, std::memory_order_relaxed);
    block_->running_flags.store(running_.is_node, std::memory_order_relaxed);
    block_->running_id.store(running_.id, std::memory_order_relaxed);
    block_->running_begin_ns.store(running_.begin_ns, std::memory_order_release);
  }

  Block* block_ = nullptr;
  NowRunning running_;
  uint32_t used_ = 0, room_ = 0, thread_ = 0;
  uint64_t events_ = 0;
  int64_t next_try_ns_ = 0;
};

struct Running;      // running.h
struct ModuleScope;  // modules.h
struct BackwardRun;  // graphs.h

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
