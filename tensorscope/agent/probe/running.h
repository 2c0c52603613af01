// What a thread runs now: one Running an operator or node, in a list with the innermost at its top. They are reused, never freed.
#pragma once

#include <exception>
#include <mutex>
#include <new>

#include "thread.h"

namespace tensorscope {

struct Running {
  // torch owns this handle and deletes it after the end callback; its memory is the Running's own.
  struct Handle : at::ObserverContext {
    static void operator delete(void* memory) { reinterpret_cast<Running*>(memory)->released(); }
  };

  alignas(Handle) unsigned char handle[sizeof(Handle)];
  ThreadState* owner;  // nullptr once its thread is gone
  Running *below, *above;
  std::atomic<bool> is_abandoned;  // let go on another thread: the owner takes it out of its list
  bool is_linked, is_node, opens_stacks;
  bool is_held, is_gate_ahead, opens_backward;  // of a node
  int uncaught;
  uint32_t stack;
  uint64_t breaks;  // breakpoints that the node fits, but for what flows into it
  union {
    OperatorRecord op;
    NodeRecord node;
  };

  uint64_t id() const { return is_node ? node.id : op.id; }
  void released();
};
static_assert(offsetof(Running, handle) == 0);

inline std::mutex released_mutex;  // guards handing a Running to another thread, which is rare

inline void unlink(ThreadState* thread, Running* running) {
  (running->above ? running->above->below : thread->top) = running->below;
  if (running->below) running->below->above = running->above;
  running->is_linked = false;
}

inline void put_spare(ThreadState* thread, Running* running) {
  running->below = thread->spare;
  thread->spare = running;
}

inline void take_out_abandoned(ThreadState* thread) {
  while (thread->top && thread->top->is_abandoned.load(std::memory_order_acquire)) {
    Running* running = thread->top;
    unlink(thread, running);
    put_spare(thread, running);
  }
}

inline Running* push_running(ThreadState* thread) {
  take_out_abandoned(thread);
  Running* running = thread->spare;
  if (running) {
    thread->spare = running->below;
  } else {
    running = new Running;
  }
  running->owner = thread;
  running->below = thread->top;
  running->above = nullptr;
  if (thread->top) thread->top->above = running;
  thread->top = running;
  running->is_linked = true;
  running->is_abandoned.store(false, std::memory_order_relaxed);
  running->is_held = running->is_gate_ahead = false;
  running->uncaught = thread->uncaught_exceptions();
  return running;
}

// torch lets go of the handle: at the operator's end, or when Python drops a scope that ended long before.
inline void Running::released() {
  ThreadState* thread = this_thread_state;
  if (thread && owner == thread) {
    if (is_linked) unlink(thread, this);
    put_spare(thread, this);
    return;
  }
  std::lock_guard<std::mutex> lock(released_mutex);
  if (owner && is_linked) {
    is_abandoned.store(true, std::memory_order_release);
  } else {
    delete this;
  }
}

// A thread that ends gives its block to the reader; its state serves the next thread.
struct ThreadEnd {
  ThreadState* state = nullptr;
  ~ThreadEnd();
};

inline std::mutex states_mutex;
inline std::vector<ThreadState*> spare_states;
static thread_local bool is_thread_over __attribute__((tls_model("initial-exec"))) = false;

void end_stacks(ThreadState* thread);
void end_backward(ThreadState* thread);

inline ThreadEnd::~ThreadEnd() {
  is_thread_over = true;
  this_thread_state = nullptr;
  if (!state) return;
  state->writer.release();
  end_backward(state);
  {
    std::lock_guard<std::mutex> lock(released_mutex);
    for (Running* running = state->top; running; running = running->below) running->owner = nullptr;
    state->top = nullptr;
  }
  std::lock_guard<std::mutex> lock(states_mutex);
  spare_states.push_back(state);
}

inline void define_thread(const ThreadState* state) {
  char name[32] = "";
  const auto native = uint64_t(syscall(SYS_gettid));
  pthread_getname_np(pthread_self(), name, sizeof name);
  const std::string_view shown = native == uint64_t(getpid()) ? std::string_view("main") : std::string_view(name);
  Payload payload;
  payload.u64(native).u32(uint32_t(shown.size())).bytes(shown);
  definitions.write(kThread, state->id, payload.view());
}

inline ThreadState* make_this_thread() {
  if (is_thread_over || !is_on()) return nullptr;
  ThreadState* state = nullptr;
  {
    std::lock_guard<std::mutex> lock(states_mutex);
    if (!spare_states.empty()) {
      state = spare_states.back();
      spare_states.pop_back();
    }
  }
  if (!state) state = new ThreadState;
  state->id = uint32_t(at::RecordFunction::currentThreadId());
  state->exceptions = reinterpret_cast<const ThreadState::Exceptions*>(abi::__cxa_get_globals());
  state->is_quiet = state->is_compiling = false;
  state->module_call = 0;
  state->modules = nullptr;
  state->operators = 0;
  state->writer.set_thread(state->id);
  static thread_local ThreadEnd end;
  end.state = state;
  this_thread_state = state;
  define_thread(state);
  return state;
}

}  // namespace tensorscope
