// The host writes 0 into the area's enabled word: our Python is told once, by the main thread, between two of its instructions.
#pragma once

#include "gil.h"

namespace tensorscope {

inline Callback on_switched_off("on_switched_off");
inline std::atomic<bool> is_switch_noticed{false};

inline int tell_switched_off(void*) {
  if (on_switched_off.is_set()) on_switched_off.call("()");
  return 0;
}

// For callbacks that find the probe off, on any thread, with or without the GIL. After stop, and in a forked child, there is nothing to tell.
inline void notice_switch() {
  if (enabled_word.load(std::memory_order_relaxed) == &never || is_switch_noticed.load(std::memory_order_relaxed)) return;
  if (is_switch_noticed.exchange(true) || is_python_ending()) return;
  if (Py_AddPendingCall(tell_switched_off, nullptr) != 0) is_switch_noticed.store(false);  // the queue is full: at the next callback
}

}  // namespace tensorscope
