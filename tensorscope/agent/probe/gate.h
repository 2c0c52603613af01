// The gate: a node is held before it runs, by a callback into Python, while the area's word is armed or where a breakpoint fits it.
// AccumulateGrad is held where its function starts: there its gradient is known, and no hook of ours may go on it. So is a node for what flows into it.
#pragma once

#include <ATen/core/ivalue.h>

#include "breakpoints.h"
#include "gil.h"
#include "running.h"

namespace tensorscope {

enum Armed : uint32_t { kRun = 0, kHoldNextNode = 1, kHoldNextBackward = 2, kAsk = 3 };

inline Callback on_hold("on_hold"), on_node_end("on_node_end");

inline int node_index(const NodeRecord& node) { return int(node.index) - 1; }

inline thread_local const Node* node_at_gate;  // that this thread holds now

// True if the node was held, or Python was asked. The word goes to 0 first, so that one thread holds and no other follows it; Python arms it again to
// step. A word that asks stays, and a breakpoint needs none.
inline bool pass_gate(const NodeRecord& record, const Node& node, const char* name, bool is_first_of_backward, uint64_t breaks) {
  uint32_t armed = area.header().armed.load(std::memory_order_relaxed);
  if (armed == kRun && !breaks) return false;
  if (!on_hold.is_set()) return false;
  if (!breaks && armed == kHoldNextBackward && !is_first_of_backward) return false;
  if (armed != kAsk && !area.header().armed.compare_exchange_strong(armed, kRun) && !breaks) return false;
  Gil gil;
  if (!gil) return false;
  node_at_gate = &node;
  on_hold.call("(IisLK)", record.backward, node_index(record), name, static_cast<long long>(record.sequence_nr), static_cast<unsigned long long>(breaks));
  node_at_gate = nullptr;
  return true;
}

inline thread_local c10::ArrayRef<const c10::IValue> gradients_at_gate;  // into the node that this thread holds in the start of its function

// A node's event begins: hold it here, or let its function's start do it.
inline void arrive_at_gate(Running* event, const Node& node, const char* name) {
  notice_breakpoints();
  const uint64_t fitting = breakpoints.are_set() ? breakpoints.matching(event->node, node, name) : 0;
  event->breaks = fitting;
  event->is_gate_ahead = is_accumulate_grad(node);
  if (event->is_gate_ahead) return;
  const uint64_t at_once = fitting & ~breakpoints.by_gradient();
  event->is_held = pass_gate(event->node, node, name, event->opens_backward, at_once);
  event->is_gate_ahead = !event->is_held && fitting != at_once;
}

// The function of a node starts whose event has passed the gate by.
inline void pass_gate_with_gradients(Running* event, c10::ArrayRef<const c10::IValue> gradients) {
  if (!event || !event->is_node || !event->is_gate_ahead) return;
  event->is_gate_ahead = false;
  const auto node = torch::autograd::get_current_node();
  if (!node) return;
  const bool is_leaf = is_accumulate_grad(*node);
  const uint64_t asked = event->breaks & breakpoints.by_gradient();
  uint64_t breaks = is_leaf ? event->breaks & ~asked : 0;
  if (asked) breaks |= breakpoints.fitting(asked, gradients);
  if (!is_leaf && !breaks) return;
  const std::string name = is_leaf ? "AccumulateGrad" : std::string(short_name(node->name()));
  gradients_at_gate = gradients;
  event->is_held = pass_gate(event->node, *node, name.c_str(), event->opens_backward, breaks);
  gradients_at_gate = {};
}

inline void leave_gate(const NodeRecord& node) {
  if (!on_node_end.is_set()) return;
  Gil gil;
  if (gil) on_node_end.call("(Ii)", node.backward, node_index(node));
}

}  // namespace tensorscope
