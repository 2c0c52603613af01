// The gate: while the area's word is armed, the next node's run is held, before it begins, by a callback into Python.
// AccumulateGrad is held where its function starts: there its gradient is known, and no hook of ours may go on it.
#pragma once

#include <ATen/core/ivalue.h>

#include "gil.h"
#include "running.h"

namespace tensorscope {

enum Armed : uint32_t { kRun = 0, kHoldNextNode = 1, kHoldNextBackward = 2 };

inline Callback on_hold("on_hold"), on_node_end("on_node_end");

inline int node_index(const NodeRecord& node) { return int(node.index) - 1; }

// True if the node was held. The word goes to 0 first, so that one thread holds and no other follows it; Python arms it again to step.
inline bool pass_gate(const NodeRecord& node, const char* name, bool is_first_of_backward) {
  uint32_t armed = area.header().armed.load(std::memory_order_relaxed);
  if (armed == kRun) return false;
  if (!on_hold.is_set() || (armed == kHoldNextBackward && !is_first_of_backward)) return false;
  if (!area.header().armed.compare_exchange_strong(armed, kRun)) return false;
  Gil gil;
  if (!gil) return false;
  on_hold.call("(IisL)", node.backward, node_index(node), name, static_cast<long long>(node.sequence_nr));
  return true;
}

inline thread_local c10::ArrayRef<const c10::IValue> gradients_at_gate;  // into the AccumulateGrad that this thread holds now

// The function of an AccumulateGrad starts: hold it if its event has passed the gate by.
inline void pass_gate_with_gradients(Running* event, c10::ArrayRef<const c10::IValue> gradients) {
  if (!event || !event->is_node || !event->is_gate_ahead) return;
  event->is_gate_ahead = false;
  gradients_at_gate = gradients;
  event->is_held = pass_gate(event->node, "AccumulateGrad", event->opens_backward);
  gradients_at_gate = {};
}

inline void leave_gate(const NodeRecord& node) {
  if (!on_node_end.is_set()) return;
  Gil gil;
  if (gil) on_node_end.call("(Ii)", node.backward, node_index(node));
}

}  // namespace tensorscope
