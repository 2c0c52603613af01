// GRADIENT records: the statistics of every registered parameter's .grad, and of its weights, as they stand now; HISTOGRAM records of some.
#pragma once

#include "histogram.h"
#include "readable.h"

namespace tensorscope {

enum GradientStage : uint8_t { kRaw = 1, kUnscaled = 2, kClipped = 3, kUpdate = 4 };

// nullptr where there is none. TensorImpl::grad neither warns nor makes anything.
inline c10::TensorImpl* gradient_of(const TensorPointer& parameter) {
  const at::Tensor& gradient = parameter->grad();
  return gradient.defined() ? gradient.unsafeGetTensorImpl() : nullptr;
}

// Which weights a pass over the parameters, in order of their ids, reads. They move little from step to step and cost as much as gradients to read:
// all of them after the first backwards, then so many elements after each backward, in turn; none at other stages, which come right after a backward.
class WeightTurn {
 public:
  WeightTurn(uint8_t stage, uint32_t backward)
      : left_(stage != kRaw ? 0 : backward <= kFirstBackwards ? kAll : kElements), after_(left_ == kAll ? 0 : newest_.load(std::memory_order_relaxed)) {}

  bool take(uint32_t id, uint64_t numel) {
    if (id <= after_ || left_ == 0) return false;
    left_ -= std::min(left_, numel);
    newest_.store(id, std::memory_order_relaxed);
    return true;
  }

  ~WeightTurn() {
    if (left_) newest_.store(0, std::memory_order_relaxed);  // the last one has had its turn
  }

 private:
  static constexpr uint32_t kFirstBackwards = 3;
  static constexpr uint64_t kElements = 1 << 18, kAll = std::numeric_limits<uint64_t>::max();
  static inline std::atomic<uint32_t> newest_{0};
  uint64_t left_;
  uint32_t after_;
};

inline void write_gradient(ThreadState* thread, uint8_t stage, uint32_t backward, uint32_t id, const Statistics& found, double weight_sum_squares,
                           double update_sum_squares = std::numeric_limits<double>::quiet_NaN()) {
  auto* record = thread->writer.begin<GradientRecord>(kGradient);
  if (!record) return;
  record->stage = stage;
  record->flags = found.is_known ? 0 : kStatisticsUnknown;
  record->parameter = id;
  record->backward = backward;
  record->nonfinite = uint32_t(std::min<uint64_t>(found.nonfinite, 0xFFFFFFFFu));
  record->time_ns = now_ns();
  record->sum_squares = found.sum_squares;
  record->max_abs = found.max_abs;
  record->numel = found.numel;
  record->weight_sum_squares = weight_sum_squares;
  record->update_sum_squares = update_sum_squares;
  thread->writer.commit();
}

// Of all registered parameters, or only of those with an id in ``wanted`` (sorted); returns of how many.
inline uint32_t write_gradients(ThreadState* thread, uint8_t stage, uint32_t backward, const std::vector<uint32_t>* wanted = nullptr) {
  const auto all = parameters.alive();
  uint32_t count = 0;
  WeightTurn weights(stage, backward);
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [id, parameter] : all) {
    c10::TensorImpl* gradient = !wanted || std::binary_search(wanted->begin(), wanted->end(), id) ? gradient_of(parameter) : nullptr;
    if (!gradient) continue;
    const bool is_turn = weights.take(id, numel_of(parameter.get()));
    write_gradient(thread, stage, backward, id, statistics(gradient), is_turn ? statistics(parameter.get()).sum_squares : unknown);
    ++count;
  }
  for (const auto& [id, tensor] : wanted ? std::vector<std::pair<uint32_t, TensorPointer>>() : retained.alive())
    if (c10::TensorImpl* gradient = gradient_of(tensor)) {
      write_gradient(thread, stage, backward, id, statistics(gradient), unknown);
      ++count;
    }
  const int64_t begin = now_ns();
  if (!histogram_turns.is_now(begin)) return count;
  for (const auto& [id, parameter] : all) {
    if (wanted && !std::binary_search(wanted->begin(), wanted->end(), id)) continue;
    if (c10::TensorImpl* gradient = gradient_of(parameter)) write_histogram(thread, gradient, stage, id, backward);
  }
  histogram_turns.spent(now_ns() - begin);
  return count;
}

}  // namespace tensorscope
