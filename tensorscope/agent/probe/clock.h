// CLOCK_MONOTONIC at the price of reading the processor's own counter. A tiny operator asks for the time four times, and clock_gettime takes 25 ns and more.
//
// Where the counter runs at one rate on all cores and in all power states (CPUID 0x80000007, EDX bit 8), a thread takes a pair of counter and clock and
// goes on from it by the counter alone for 1 ms at most. The rate is measured against the clock over the probe's first 20 ms, which is right to about
// 10⁻⁵, or 10 ns in that millisecond. No reading goes back on its thread. Everywhere else the clock itself is asked each time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace tensorscope {

inline int64_t ask_clock() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

#if defined(__x86_64__)

struct ClockPair {
  uint64_t ticks = 0;
  int64_t ns = 0;
};

// The counter is read on both sides of the clock; of three tries the one that was interrupted least.
inline ClockPair read_pair() {
  ClockPair best;
  uint64_t shortest = ~uint64_t(0);
  for (int attempt = 0; attempt < 3; ++attempt) {
    const uint64_t before = __rdtsc();
    const int64_t ns = ask_clock();
    const uint64_t took = __rdtsc() - before;
    if (took < shortest) {
      shortest = took;
      best = {before + took / 2, ns};
    }
  }
  return best;
}

struct ThreadClock {
  ClockPair pair;
  int64_t latest = 0;
};

static thread_local ThreadClock this_thread_clock __attribute__((tls_model("initial-exec")));

class Clock {
 public:
  void start() {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (__get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && edx >> 8 & 1) first_ = read_pair();
  }

  int64_t now() {
    ThreadClock& thread = this_thread_clock;
    const uint64_t passed = __rdtsc() - thread.pair.ticks;
    if (passed >= trusted_ticks_.load(std::memory_order_relaxed)) return take_pair(thread);
    const int64_t ns = thread.pair.ns + int64_t(passed * ns_per_tick_.load(std::memory_order_relaxed) >> kShift);
    return thread.latest = std::max(thread.latest, ns);
  }

 private:
  static constexpr int kShift = 32;
  static constexpr int64_t kMeasureNs = 20'000'000, kTrustNs = 1'000'000;

  int64_t take_pair(ThreadClock& thread) {
    if (!first_.ns) return ask_clock();
    thread.pair = read_pair();
    if (!trusted_ticks_.load(std::memory_order_relaxed)) measure(thread.pair);
    return thread.latest = std::max(thread.latest, thread.pair.ns);
  }

  void measure(const ClockPair& pair) {
    const int64_t ns = pair.ns - first_.ns;
    const uint64_t ticks = pair.ticks - first_.ticks;
    const double ns_per_tick = double(ns) / double(ticks);
    if (ns < kMeasureNs || !(ns_per_tick > 0.05 && ns_per_tick < 2)) return;
    ns_per_tick_.store(uint64_t(ns_per_tick * double(uint64_t(1) << kShift)), std::memory_order_relaxed);
    trusted_ticks_.store(uint64_t(double(kTrustNs) / ns_per_tick), std::memory_order_relaxed);
  }

  ClockPair first_;
  std::atomic<uint64_t> ns_per_tick_{0}, trusted_ticks_{0};  // in 2⁻³²; 0 while the rate is not known
};
inline Clock probe_clock;

inline void start_clock() { probe_clock.start(); }
inline int64_t now_ns() { return probe_clock.now(); }

#else

inline void start_clock() {}
inline int64_t now_ns() { return ask_clock(); }

#endif

}  // namespace tensorscope
