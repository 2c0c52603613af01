// The sum of squares (in double) and the largest magnitude of contiguous elements, as fast as memory gives them: with AVX2 where the processor has it.
// Each way adds in an order of its own that never changes; between processors the last digits may differ.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

namespace tensorscope {

struct Sums {
  double squares = 0, max_abs = 0;
  int64_t count = 0;  // elements taken, from the first on; those that are not finite show in ``squares``
};

// Eight sums at a time, which the compiler makes vectors of.
template <typename T>
Sums sums_in_lanes(const T* values, int64_t count) {
  constexpr int kLanes = 8;
  double sums[kLanes] = {};
  T largest[kLanes] = {};
  Sums result;
  for (; result.count + kLanes <= count; result.count += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const double value = double(values[result.count + lane]);
      sums[lane] += value * value;
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      const T size = std::fabs(values[result.count + lane]);
      largest[lane] = size > largest[lane] ? size : largest[lane];
    }
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    result.squares += sums[lane];
    result.max_abs = std::max(result.max_abs, double(largest[lane]));
  }
  return result;
}

#if defined(__x86_64__)

#define TENSORSCOPE_AVX2 __attribute__((target("avx2,fma,f16c")))
inline const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");

TENSORSCOPE_AVX2 inline __m256 load_eight(const float* values) { return _mm256_loadu_ps(values); }
TENSORSCOPE_AVX2 inline __m256 load_eight(const c10::Half* values) { return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values))); }
TENSORSCOPE_AVX2 inline __m256 load_eight(const c10::BFloat16* values) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values))), 16));
}

template <typename T>
TENSORSCOPE_AVX2 Sums sums_with_avx2(const T* values, int64_t count) {
  constexpr int kVectors = 4;
  const __m256 no_sign = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFFFF));
  __m256d sums[2 * kVectors];
  __m256 largest[kVectors];
  for (__m256d& sum : sums) sum = _mm256_setzero_pd();
  for (__m256& size : largest) size = _mm256_setzero_ps();
  Sums result;
  for (; result.count + 8 * kVectors <= count; result.count += 8 * kVectors) {
    for (int vector = 0; vector < kVectors; ++vector) {
      const __m256 loaded = load_eight(values + result.count + 8 * vector);
      const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(loaded)), high = _mm256_cvtps_pd(_mm256_extractf128_ps(loaded, 1));
      sums[2 * vector] = _mm256_fmadd_pd(low, low, sums[2 * vector]);
      sums[2 * vector + 1] = _mm256_fmadd_pd(high, high, sums[2 * vector + 1]);
      largest[vector] = _mm256_max_ps(_mm256_and_ps(loaded, no_sign), largest[vector]);
    }
  }
  double lanes[4];
  float sizes[8];
  for (const __m256d& sum : sums) {
    _mm256_storeu_pd(lanes, sum);
    for (const double lane : lanes) result.squares += lane;
  }
  for (const __m256& size : largest) {
    _mm256_storeu_ps(sizes, size);
    for (const float lane : sizes) result.max_abs = std::max(result.max_abs, double(lane));
  }
  return result;
}

template <typename T>
Sums vector_sums(const T* values, int64_t count) {
  if constexpr (!std::is_same_v<T, double>) {
    if (has_avx2) return sums_with_avx2(values, count);
  }
  if constexpr (std::is_floating_point_v<T>) return sums_in_lanes(values, count);
  return {};
}

#else

template <typename T>
Sums vector_sums(const T* values, int64_t count) {
  if constexpr (std::is_floating_point_v<T>) return sums_in_lanes(values, count);
  return {};
}

#endif

}  // namespace tensorscope
