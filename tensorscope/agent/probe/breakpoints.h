// Breakpoints: which nodes are held though nobody paused, up to 64 at a time, one bit each.
//
// Python is asked once for each name, line, module and parameter which of them it fits; the answers are kept. What a gradient must be is looked at here.
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <ATen/core/ivalue.h>

#include "gil.h"
#include "graph_walk.h"
#include "places.h"
#include "readable.h"
#include "records.h"
#include "stacks.h"

namespace tensorscope {

struct GradientLimit {
  bool is_nonfinite = false;
  double above = 0, below = 0;
};

inline Callback on_judge("on_judge"), on_breakpoints_changed("on_breakpoints_changed");

class Breakpoints {
 public:
  // ``active``: those that may hold now; ``by_gradient``: those of them that also ask what flows into the node.
  void set(uint64_t active, uint64_t by_gradient, const std::vector<GradientLimit>& limits, bool are_others) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (are_others) {
      for (auto& answers : answers_) answers.clear();
      ++generation_;
    }
    limits_ = limits;
    by_gradient_.store(by_gradient, std::memory_order_relaxed);
    active_.store(active, std::memory_order_relaxed);
  }

  bool are_set() const { return active_.load(std::memory_order_relaxed) != 0; }
  uint64_t by_gradient() const { return by_gradient_.load(std::memory_order_relaxed); }

  // Those that a node fits, but for what flows into it.
  uint64_t matching(const NodeRecord& record, const Node& node, const char* name) {
    uint64_t fitting = active_.load(std::memory_order_relaxed) & judged(kName, record.name, name);
    if (is_accumulate_grad(node)) return fitting ? fitting & judged(kParameter, parameter_of(node), "") : 0;
    const Place place = fitting ? place_of(node) : Place{};
    if (fitting) fitting &= judged(kModule, place.module, "");
    return fitting ? fitting & judged(kLine, place.stack, "") : 0;
  }

  // Those of ``asked`` that the gradients into a node fit.
  uint64_t fitting(uint64_t asked, c10::ArrayRef<const c10::IValue> gradients) {
    double sum_squares = 0;
    uint64_t nonfinite = 0;
    for (const c10::IValue& value : gradients) {
      if (!value.isTensor() || !value.toTensor().defined()) continue;
      const Statistics found = statistics(value.toTensor().unsafeGetTensorImpl());
      if (!found.is_known) continue;
      sum_squares += found.sum_squares;
      nonfinite += found.nonfinite;
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double norm = nonfinite ? kInfinity : std::sqrt(sum_squares);
    std::lock_guard<std::mutex> lock(mutex_);
    uint64_t fits = 0;
    for (size_t bit = 0; bit < limits_.size(); ++bit) {
      const GradientLimit& limit = limits_[bit];
      if ((asked >> bit & 1) && norm > limit.above && (norm < limit.below || limit.below == kInfinity) && (nonfinite || !limit.is_nonfinite)) fits |= uint64_t(1) << bit;
    }
    return fits;
  }

 private:
  enum Kind { kName, kLine, kModule, kParameter, kKinds };

  uint64_t judged(Kind kind, uint32_t id, const char* text) {
    uint32_t generation;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      const auto found = answers_[kind].find(id);
      if (found != answers_[kind].end()) return found->second;
      generation = generation_;
    }
    const uint64_t answer = ask(kind, id, text);
    std::lock_guard<std::mutex> lock(mutex_);
    if (generation == generation_) answers_[kind][id] = answer;
    return answer;
  }

  static uint64_t ask(Kind kind, uint32_t id, const char* text) {
    Gil gil;
    if (!gil) return 0;
    if (kind != kLine) return on_judge.ask("(iIsi)", int(kind), id, text, 0);
    const auto [file, line] = stack_table.users_line(id);
    return on_judge.ask("(iIsi)", int(kind), id, file.c_str(), line);
  }

  std::atomic<uint64_t> active_{0}, by_gradient_{0};
  std::mutex mutex_;  // guards what follows; never held while the GIL is waited for
  std::vector<GradientLimit> limits_;
  std::array<std::unordered_map<uint32_t, uint64_t>, kKinds> answers_;
  uint32_t generation_ = 0;
};
inline Breakpoints& breakpoints = *new Breakpoints;
inline std::atomic<uint32_t> breakpoints_number{0};  // the number of the host's list that Python has taken

// The host has another list: Python reads it. Nothing more than a look at the area's word where it has not.
inline void notice_breakpoints() {
  const uint32_t number = area.header().breakpoints.load(std::memory_order_relaxed);
  if (number == breakpoints_number.load(std::memory_order_relaxed) || !on_breakpoints_changed.is_set()) return;
  Gil gil;
  if (gil) on_breakpoints_changed.call("(I)", number);
}

}  // namespace tensorscope
