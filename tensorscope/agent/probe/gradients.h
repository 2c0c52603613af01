// GRADIENT records: the statistics of every registered parameter's .grad, and of its weights, as they stand now.
#pragma once

#include "readable.h"

namespace tensorscope {

enum GradientStage : uint8_t { kRaw = 1, kUnscaled = 2, kClipped = 3 };

// nullptr where there is none. TensorImpl::grad neither warns nor makes anything.
inline c10::TensorImpl* gradient_of(const TensorPointer& parameter) {
  const at::Tensor& gradient = parameter->grad();
  return gradient.defined() ? gradient.unsafeGetTensorImpl() : nullptr;
}

// Of all registered parameters, or only of those with an id in ``wanted`` (sorted).
inline uint32_t write_gradients(ThreadState* thread, uint8_t stage, uint32_t backward, const std::vector<uint32_t>* wanted = nullptr) {
  uint32_t count = 0;
  for (const auto& [id, parameter] : parameters.alive()) {
    if (wanted && !std::binary_search(wanted->begin(), wanted->end(), id)) continue;
    c10::TensorImpl* gradient = gradient_of(parameter);
    if (!gradient) continue;
    const Statistics found = statistics(gradient), weights = statistics(parameter.get());
    auto* record = thread->writer.begin<GradientRecord>(kGradient);
    ++count;
    if (!record) continue;
    record->stage = stage;
    record->flags = found.is_known ? 0 : kStatisticsUnknown;
    record->parameter = id;
    record->backward = backward;
    record->nonfinite = uint32_t(std::min<uint64_t>(found.nonfinite, 0xFFFFFFFFu));
    record->time_ns = now_ns();
    record->sum_squares = found.sum_squares;
    record->max_abs = found.max_abs;
    record->numel = found.numel;
    record->weight_sum_squares = weights.sum_squares;
    record->update_sum_squares = std::numeric_limits<double>::quiet_NaN();
    thread->writer.commit();
  }
  return count;
}

}  // namespace tensorscope
