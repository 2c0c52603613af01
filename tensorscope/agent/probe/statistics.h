// Statistics of a tensor's elements in one pass over memory, in double, with no torch operator: any strides, every floating and complex type.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <c10/core/TensorImpl.h>
#include <c10/util/complex.h>

#include "vector_sums.h"

namespace tensorscope {

// Of the finite elements where ``nonfinite`` is not 0.
struct Statistics {
  double sum_squares = 0, max_abs = 0;
  uint64_t nonfinite = 0, numel = 0;
  bool is_known = true;
};

inline Statistics unknown_statistics(uint64_t numel) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, nan, 0, numel, false};
}

// A tensor's elements as runs of equal stride: fn(first element, count, stride in elements).
struct Strided {
  const char* data;
  size_t item_size;
  c10::IntArrayRef sizes, strides;

  // Every element in row-major order, whatever its place in memory: fn(element).
  template <typename Fn>
  void for_each_in_order(Fn fn, size_t axis = 0, const char* at = nullptr) const {
    if (axis == 0) at = data;
    if (axis == sizes.size()) return fn(at);
    for (int64_t index = 0; index < sizes[axis]; ++index) for_each_in_order(fn, axis + 1, at + index * strides[axis] * int64_t(item_size));
  }

  template <typename Fn>
  void for_each_run(Fn fn) const {
    walk_runs([](void* context, const char* first, int64_t count, int64_t stride) { (*static_cast<Fn*>(context))(first, count, stride); }, &fn);
  }

 private:
  using OnRun = void (*)(void* context, const char* first, int64_t count, int64_t stride);

  // No template: compiled once, not once for every type and use.
  void walk_runs(OnRun on_run, void* context) const {
    struct Axis {
      int64_t size, stride;
    };
    std::vector<Axis> axes;
    for (size_t at = 0; at < sizes.size(); ++at) {
      if (sizes[at] == 0) return;
      if (sizes[at] != 1) axes.push_back({sizes[at], strides[at]});
    }
    std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.stride > b.stride; });
    std::vector<Axis> merged;
    for (const Axis& axis : axes) {
      if (!merged.empty() && merged.back().stride == axis.size * axis.stride) {
        merged.back() = {merged.back().size * axis.size, axis.stride};
      } else {
        merged.push_back(axis);
      }
    }
    if (merged.empty()) return on_run(context, data, 1, 1);
    const Axis inner = merged.back();
    merged.pop_back();
    std::vector<int64_t> position(merged.size(), 0);
    for (const char* at = data;;) {
      on_run(context, at, inner.size, inner.stride);
      size_t axis = merged.size();
      for (; axis > 0; --axis) {
        const Axis& outer = merged[axis - 1];
        at += outer.stride * int64_t(item_size);
        if (++position[axis - 1] < outer.size) break;
        at -= outer.size * outer.stride * int64_t(item_size);
        position[axis - 1] = 0;
      }
      if (axis == 0) return;
    }
  }
};

template <typename T>
double magnitude(T value) {
  return std::fabs(double(value));
}
template <typename T>
double magnitude(c10::complex<T> value) {
  return std::hypot(double(value.real()), double(value.imag()));
}
template <typename T>
double square(T value) {
  return double(value) * double(value);
}
template <typename T>
double square(c10::complex<T> value) {
  return double(value.real()) * double(value.real()) + double(value.imag()) * double(value.imag());
}

template <typename T>
void add_run_slowly(const T* values, int64_t count, int64_t stride, bool only_finite, Statistics& result) {
  for (int64_t at = 0; at < count; ++at) {
    const double size = magnitude(values[at * stride]);
    if (only_finite && !std::isfinite(size)) {
      ++result.nonfinite;
      continue;
    }
    result.sum_squares += square(values[at * stride]);
    result.max_abs = size > result.max_abs ? size : result.max_abs;
  }
}

template <typename T>
constexpr bool has_vectors = std::is_floating_point_v<T> || std::is_same_v<T, c10::Half> || std::is_same_v<T, c10::BFloat16>;

template <typename T>
void add_run_fast(const T* values, int64_t count, Statistics& result) {
  const Sums sums = vector_sums(values, count);
  result.sum_squares += sums.squares;
  result.max_abs = std::max(result.max_abs, sums.max_abs);
  add_run_slowly(values + sums.count, count - sums.count, 1, false, result);
}

template <typename T>
Statistics statistics_of(const Strided& elements) {
  Statistics result;
  elements.for_each_run([&](const char* first, int64_t count, int64_t stride) {
    const T* values = reinterpret_cast<const T*>(first);
    result.numel += uint64_t(count);
    if constexpr (has_vectors<T>) {
      if (stride == 1) return add_run_fast(values, count, result);
    }
    add_run_slowly(values, count, stride, false, result);
  });
  if (std::isfinite(result.sum_squares)) return result;
  Statistics finite;
  finite.numel = result.numel;
  elements.for_each_run([&](const char* first, int64_t count, int64_t stride) { add_run_slowly(reinterpret_cast<const T*>(first), count, stride, true, finite); });
  return finite;
}

// Calls fn with a null pointer of the C++ type of a scalar type's elements; false for types that hold no plain numbers.
template <typename Fn>
bool with_element_type(c10::ScalarType type, Fn fn) {
  switch (type) {
    case c10::ScalarType::Float: return fn(static_cast<float*>(nullptr)), true;
    case c10::ScalarType::Double: return fn(static_cast<double*>(nullptr)), true;
    case c10::ScalarType::Half: return fn(static_cast<c10::Half*>(nullptr)), true;
    case c10::ScalarType::BFloat16: return fn(static_cast<c10::BFloat16*>(nullptr)), true;
    case c10::ScalarType::ComplexFloat: return fn(static_cast<c10::complex<float>*>(nullptr)), true;
    case c10::ScalarType::ComplexDouble: return fn(static_cast<c10::complex<double>*>(nullptr)), true;
    case c10::ScalarType::Byte: return fn(static_cast<uint8_t*>(nullptr)), true;
    case c10::ScalarType::Char: return fn(static_cast<int8_t*>(nullptr)), true;
    case c10::ScalarType::Short: return fn(static_cast<int16_t*>(nullptr)), true;
    case c10::ScalarType::Int: return fn(static_cast<int32_t*>(nullptr)), true;
    case c10::ScalarType::Long: return fn(static_cast<int64_t*>(nullptr)), true;
    case c10::ScalarType::Bool: return fn(static_cast<bool*>(nullptr)), true;
    default: return false;
  }
}

}  // namespace tensorscope
