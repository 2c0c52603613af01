// What torch itself pays for every operator that somebody observes: the lookup of callbacks and boxing the operator's tensors. Our callbacks cannot
// see that time, so it is measured once, before they are on.
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/add.h>
#include <ATen/ops/zeros.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "operators.h"

namespace tensorscope {

// Nobody but us sees these operators: below autograd, modes and transforms, on tensors of one element made before the allocator is watched.
class PrivateOperators {
 public:
  // The shortest time of an operator over some rounds, in ns.
  double shortest_ns() {
    double shortest = 1e9;
    for (int round = 0; round < kRounds; ++round) {
      const int64_t begin = ask_clock();
      for (int turn = 0; turn < kTurns; ++turn) sum_.add_(one_);
      shortest = std::min(shortest, double(ask_clock() - begin) / kTurns);
    }
    return shortest;
  }

 private:
  static constexpr int kRounds = 8, kTurns = 64;
  at::AutoDispatchBelowADInplaceOrView below_autograd_;
  c10::impl::ExcludeDispatchKeyGuard without_modes_{c10::DispatchKeySet({c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot,
                                                                          c10::DispatchKey::FuncTorchDynamicLayerFrontMode})};
  const at::TensorOptions options_ = at::TensorOptions().dtype(at::kFloat).device(at::kCPU);
  at::Tensor sum_ = at::zeros({1}, options_), one_ = at::zeros({1}, options_);
};

// Puts the callback on, which is off as yet and returns at once; what an operator takes longer with it than without is the price of observing.
inline at::CallbackHandle add_measured_callback() {
  try {
    PrivateOperators operators;
    const double plain_ns = operators.shortest_ns();
    const at::CallbackHandle handle = add_operator_callback();
    observing_ns = std::max<int64_t>(0, int64_t(operators.shortest_ns() - plain_ns));
    return handle;
  } catch (const c10::Error&) {
    return add_operator_callback();
  }
}

}  // namespace tensorscope
