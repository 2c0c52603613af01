// HISTOGRAM records: how the elements of a gradient are spread over the powers of two (protocol/records.py says which bin is which), from a sample of them.
#pragma once

#include <algorithm>
#include <cmath>

#include "readable.h"
#include "thread.h"

namespace tensorscope {

constexpr int kLowestPower = -32, kHighestPower = 7, kPowers = kHighestPower - kLowestPower + 1;

struct Histogram {
  uint32_t bins[2 * kPowers] = {};
  uint32_t zeros = 0, sampled = 0, nonfinite = 0;

  void add(double value) {
    ++sampled;
    if (value == 0) {
      ++zeros;
    } else if (!std::isfinite(value)) {
      ++nonfinite;
    } else {
      const int power = std::clamp(std::ilogb(value), kLowestPower, kHighestPower) - kLowestPower;
      ++bins[value > 0 ? kPowers + power : kPowers - 1 - power];
    }
  }
};
static_assert(2 * kPowers % kHistogramRowBins == 0);

template <typename T>
double signed_size(T value) {
  return double(value);
}
template <typename T>
double signed_size(c10::complex<T> value) {
  return magnitude(value);
}

// Every ``step``th element in the order of memory.
template <typename T>
Histogram histogram_of(const Strided& elements, int64_t step) {
  Histogram result;
  int64_t next = 0;
  elements.for_each_run([&](const char* first, int64_t count, int64_t stride) {
    for (; next < count; next += step) result.add(signed_size(reinterpret_cast<const T*>(first)[next * stride]));
    next -= count;
  });
  return result;
}

// Writes the rows that have counts, and the first one in any case. Of a gradient whose elements cannot be read: nothing.
inline void write_histogram(ThreadState* thread, c10::TensorImpl* gradient, uint8_t stage, uint32_t parameter, uint32_t backward) {
  constexpr int64_t kSample = 4096;
  if (why_unreadable(gradient)) return;
  Histogram found;
  const int64_t step = std::max<int64_t>(1, int64_t(numel_of(gradient)) / kSample);
  const bool is_known = with_element_type(c10::typeMetaToScalarType(gradient->dtype()),
                                          [&](auto* type) { found = histogram_of<std::remove_pointer_t<decltype(type)>>(strided(gradient), step); });
  if (!is_known) return;
  const int64_t now = now_ns();
  for (int row = 0; row < 2 * kPowers / kHistogramRowBins; ++row) {
    const uint32_t* bins = found.bins + row * kHistogramRowBins;
    if (row > 0 && std::all_of(bins, bins + kHistogramRowBins, [](uint32_t count) { return count == 0; })) continue;
    auto* record = thread->writer.begin<HistogramRecord>(kHistogram);
    if (!record) continue;
    record->stage = stage;
    record->row = uint16_t(row);
    record->parameter = parameter;
    record->backward = backward;
    record->zeros = found.zeros;
    record->sampled = found.sampled;
    record->nonfinite = found.nonfinite;
    record->time_ns = now;
    memcpy(&record->count0, bins, sizeof(uint32_t) * kHistogramRowBins);
    thread->writer.commit();
  }
}

// When histograms are made: while asked for, else as often as a share of the run time allows.
class HistogramTurns {
 public:
  void ask(bool is_wanted) { is_asked_.store(is_wanted, std::memory_order_relaxed); }

  bool is_now(int64_t now) {
    int64_t never = 0;
    begin_ns_.compare_exchange_strong(never, now);
    const int64_t run = now - begin_ns_.load(), spent = spent_ns_.load(), looks = looks_.load();
    return is_asked_.load(std::memory_order_relaxed) || spent + spent / std::max<int64_t>(looks, 1) <= run / kShare;
  }

  void spent(int64_t ns) {
    spent_ns_.fetch_add(ns);
    looks_.fetch_add(1);
  }

 private:
  static constexpr int64_t kShare = 400;
  std::atomic<bool> is_asked_{true};
  std::atomic<int64_t> begin_ns_{0}, spent_ns_{0}, looks_{0};
};
inline HistogramTurns histogram_turns;

}  // namespace tensorscope
