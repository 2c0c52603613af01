// Statistics of a sparse tensor whose indices may repeat: values of equal indices are summed first, in double.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "statistics.h"

namespace tensorscope {

// One entry's dense part, [dense…], of values [entries, dense…].
inline Strided entry_of(const Strided& values, int64_t entry) {
  return {values.data + entry * values.strides[0] * int64_t(values.item_size), values.item_size, values.sizes.slice(1), values.strides.slice(1)};
}

template <typename T>
struct SumType {
  using type = double;
};
template <typename T>
struct SumType<c10::complex<T>> {
  using type = c10::complex<double>;
};

// Numbers the distinct columns of indices [dimensions, entries]; gives each entry its number.
inline std::vector<size_t> group_entries(const Strided& indices, size_t* groups) {
  std::unordered_map<std::string, size_t> numbers;
  std::vector<size_t> result;
  const auto* data = reinterpret_cast<const int64_t*>(indices.data);
  for (int64_t entry = 0; entry < indices.sizes[1]; ++entry) {
    std::string key;
    for (int64_t axis = 0; axis < indices.sizes[0]; ++axis) {
      const int64_t index = data[axis * indices.strides[0] + entry * indices.strides[1]];
      key.append(reinterpret_cast<const char*>(&index), sizeof index);
    }
    result.push_back(numbers.try_emplace(std::move(key), numbers.size()).first->second);
  }
  *groups = numbers.size();
  return result;
}

template <typename T>
Statistics summed(const Strided& values, const std::vector<size_t>& group_of, size_t groups) {
  using Sum = typename SumType<T>::type;
  int64_t width = 1;
  for (const int64_t size : values.sizes.slice(1)) width *= size;
  std::vector<Sum> sums(groups * size_t(width), Sum(0));
  for (size_t entry = 0; entry < group_of.size(); ++entry) {
    Sum* target = sums.data() + group_of[entry] * size_t(width);
    const Strided part = entry_of(values, int64_t(entry));
    part.for_each_in_order([&](const char* element) { *target++ += Sum(*reinterpret_cast<const T*>(element)); });
  }
  const int64_t count = int64_t(sums.size()), step = 1;
  return statistics_of<Sum>({reinterpret_cast<const char*>(sums.data()), sizeof(Sum), c10::IntArrayRef(&count, 1), c10::IntArrayRef(&step, 1)});
}

// Unknown where the sums would take more than 64 MiB, or for types that hold no plain numbers.
inline Statistics summed_statistics(const Strided& indices, const Strided& values, c10::ScalarType type) {
  constexpr int64_t kMaxSums = 8 << 20;
  int64_t numel = 1;
  for (const int64_t size : values.sizes) numel *= size;
  Statistics result = unknown_statistics(0);
  if (numel > kMaxSums) return result;
  size_t groups = 0;
  const std::vector<size_t> group_of = group_entries(indices, &groups);
  with_element_type(type, [&](auto* pointer) { result = summed<std::remove_pointer_t<decltype(pointer)>>(values, group_of, groups); });
  return result;
}

}  // namespace tensorscope
