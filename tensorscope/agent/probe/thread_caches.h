// What a thread remembers of names and shapes, so that it takes no lock for those it met before. Direct-mapped: a newer one takes an older one's place.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tables.h"

namespace tensorscope {

// From a name to its id: by its address, checked against the text since addresses are reused, and by its text.
class NameCache {
 public:
  uint32_t id(const char* name) {
    Line& line = by_address_[(reinterpret_cast<uintptr_t>(name) >> 4 ^ reinterpret_cast<uintptr_t>(name) >> 13) & (kLines - 1)];
    if (line.address == name && strcmp(line.text, name) == 0) return line.id;
    const StringTable::Entry entry = find(name);
    if (entry.text->size() < kText) {
      line.address = name;
      line.id = entry.id;
      memcpy(line.text, entry.text->c_str(), entry.text->size() + 1);
    }
    return entry.id;
  }

  // For names whose address says nothing, such as those of nodes, which torch makes anew each time.
  uint32_t id_of_text(std::string_view name) { return find(name).id; }

 private:
  static constexpr size_t kLines = 1024, kText = 52;
  struct alignas(64) Line {
    const char* address = nullptr;
    uint32_t id = 0;
    char text[kText];
  };

  StringTable::Entry find(std::string_view name) {
    uint64_t hash = name.size();
    for (const char letter : name) hash = (hash ^ uint8_t(letter)) * 0x100000001B3u;
    StringTable::Entry& entry = by_text_[(hash ^ hash >> 20) & (kLines - 1)];
    if (!entry.text || *entry.text != name) entry = strings.intern(name);
    return entry;
  }

  Line by_address_[kLines];
  StringTable::Entry by_text_[kLines] = {};
};

class ShapeCache {
 public:
  uint32_t id(const int64_t* sizes, const int64_t* strides, size_t dimensions) {
    if (dimensions > kMaxDimensions) {
      std::vector<int64_t> numbers(sizes, sizes + dimensions);
      numbers.insert(numbers.end(), strides, strides + dimensions);
      return shapes.intern(numbers.data(), dimensions);
    }
    uint64_t hash = dimensions;
    for (size_t axis = 0; axis < dimensions; ++axis) hash = (hash ^ uint64_t(sizes[axis]) ^ uint64_t(strides[axis]) << 32) * 0x9E3779B97F4A7C15u;
    Line& line = lines_[hash >> 54];
    if (line.id && line.is_of(sizes, strides, dimensions)) return line.id;
    memcpy(line.numbers, sizes, dimensions * sizeof(int64_t));
    memcpy(line.numbers + dimensions, strides, dimensions * sizeof(int64_t));
    line.dimensions = uint32_t(dimensions);
    return line.id = shapes.intern(line.numbers, dimensions);
  }

 private:
  static constexpr size_t kMaxDimensions = 8;
  struct Line {
    uint32_t id = 0;
    uint32_t dimensions = 0;
    int64_t numbers[2 * kMaxDimensions];

    bool is_of(const int64_t* sizes, const int64_t* strides, size_t count) const {
      uint64_t difference = count ^ dimensions;
      for (size_t axis = 0; axis < count; ++axis) difference |= uint64_t(sizes[axis] ^ numbers[axis]) | uint64_t(strides[axis] ^ numbers[count + axis]);
      return difference == 0;
    }
  };

  Line lines_[1024];
};

}  // namespace tensorscope
