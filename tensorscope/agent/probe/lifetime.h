// Start and stop: once a process. After stop, and in a forked child, every callback of ours returns at its first load.
#pragma once

#include <unistd.h>

#include "allocator.h"
#include "observing.h"

namespace tensorscope {

inline at::CallbackHandle operator_callback = at::INVALID_CALLBACK_HANDLE;
inline bool was_started = false;

inline void go_on() { enabled_word.store(&area.header().enabled); }

// False with a Python exception set.
inline bool start_probe(int fd, uint64_t size, bool with_stacks, bool keep_blocks, uint32_t most) {
  if (was_started) {
    PyErr_SetString(PyExc_RuntimeError, "the probe was started before; it starts once a process");
    return false;
  }
  if (!area.map(fd, size)) {
    if (errno) {
      PyErr_SetFromErrno(PyExc_OSError);
    } else {
      PyErr_SetString(PyExc_ValueError, "the file descriptor is no TensorScope area");
    }
    return false;
  }
  was_started = true;
  most_entries.store(most);
  are_stacks_wanted = with_stacks;
  if (keep_blocks) block_book.enable();
  pthread_atfork(nullptr, nullptr, go_off);
  start_clock();
  operator_callback = add_measured_callback();
  go_on();
  this_thread();
  watching_allocator.install();
  return true;
}

// In a forked child, which is off already, it takes off what is still there. Idempotent.
inline void stop_probe() {
  if (!was_started) return;
  if (enabled_word.load() != &never) {
    if (ThreadState* thread = this_thread()) mark_failed_backwards(thread, nullptr);
    if (definitions.is_waiting()) definitions.flush();
    go_off();
  }
  if (operator_callback != at::INVALID_CALLBACK_HANDLE) at::removeCallback(operator_callback);
  operator_callback = at::INVALID_CALLBACK_HANDLE;
  watching_allocator.remove();
}

}  // namespace tensorscope
