// Python stacks, interned by (code object, instruction). A stack that was met before costs a walk over its frames and no GIL.
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gil.h"
#include "python_frames.h"
#include "thread.h"

namespace tensorscope {

inline bool are_stacks_wanted = true;

// One thread's stacks by their frames, each in one of four places. Its code objects are kept alive by CodeTable, so an equal address is the same code.
struct StackCache {
  static constexpr uint64_t kPlaces = 4;
  struct Line {
    uint32_t id = 0;
    std::vector<Frame> frames;
  };
  std::array<Line, 2048> lines;
};

inline std::string_view text_of(PyObject* object) {
  Py_ssize_t size = 0;
  const char* text = object && PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &size) : nullptr;
  if (!text) PyErr_Clear();
  return text ? std::string_view(text, size_t(size)) : std::string_view("?");
}

// Paths under which a file is not the user's, each ending in a slash. Guarded by the GIL.
inline std::vector<std::string> library_prefixes;

inline bool is_users(std::string_view file) {
  if (file.empty() || (file[0] == '<' && file != "<stdin>")) return false;
  return std::none_of(library_prefixes.begin(), library_prefixes.end(), [&](const std::string& prefix) { return file.substr(0, prefix.size()) == prefix; });
}

// Code objects by address, each kept alive from its first meeting on. Guarded by the GIL.
class CodeTable {
 public:
  // 0 where the table is full: such a code object may go, and another come at its address.
  uint32_t id(PyCodeObject* code) {
    auto found = ids_.find(code);
    if (found == ids_.end()) {
      if (!room_.take(0)) return 0;
      found = ids_.emplace(code, uint32_t(ids_.size() + 1)).first;
      Py_INCREF(code);
      by_id_.push_back(code);
#if PY_VERSION_HEX >= 0x030B0000
      const std::string_view name = text_of(code->co_qualname);
#else
      const std::string_view name = text_of(code->co_name);
#endif
      const std::string_view file = text_of(code->co_filename);
      Payload payload;
      payload.u32(uint32_t(code->co_firstlineno)).u32(uint32_t(file.size())).u32(uint32_t(name.size())).bytes(file).bytes(name);
      definitions.write(kCode, found->second, payload.view());
    }
    return found->second;
  }

  std::string_view file_of(uint32_t id) const { return id && id <= by_id_.size() ? text_of(by_id_[id - 1]->co_filename) : std::string_view(); }

 private:
  TableRoom room_{"functions in stacks", 8};
  std::unordered_map<PyCodeObject*, uint32_t> ids_;
  std::vector<PyCodeObject*> by_id_;
};

// Stacks by their (code id, line) pairs, for all threads. Guarded by the GIL.
class StackTable {
 public:
  bool is_full() const { return room_.is_full(); }

  // 0 where a table is full.
  uint32_t intern(const Frame* frames, size_t count) {
    std::string pairs;
    for (size_t at = 0; at < count; ++at) {
      const int line = PyCode_Addr2Line(frames[at].code, int(frames[at].offset));
      const uint32_t code = codes_.id(frames[at].code);
      if (!code) return 0;
      const uint32_t pair[2] = {code, uint32_t(line > 0 ? line : frames[at].code->co_firstlineno)};
      pairs.append(reinterpret_cast<const char*>(pair), sizeof pair);
    }
    auto found = ids_.find(pairs);
    if (found == ids_.end()) {
      if (!room_.take(pairs.size())) return 0;
      found = ids_.emplace(pairs, uint32_t(ids_.size() + 1)).first;
      by_id_.push_back(&found->first);
      Payload payload;
      payload.u32(uint32_t(count)).bytes(pairs);
      definitions.write(kStack, found->second, payload.view());
    }
    return found->second;
  }

  // (file, line) of a stack's innermost frame of the user's files, else its innermost; ("", 0) where there is no such stack.
  std::pair<std::string, int> users_line(uint32_t id) const {
    std::pair<std::string, int> innermost{"", 0};
    if (!id || id > by_id_.size()) return innermost;
    const std::string& pairs = *by_id_[id - 1];
    for (size_t at = 0; at < pairs.size(); at += 2 * sizeof(uint32_t)) {
      uint32_t pair[2];
      memcpy(pair, pairs.data() + at, sizeof pair);
      const std::string_view file = codes_.file_of(pair[0]);
      if (at == 0 || is_users(file)) innermost = {std::string(file), int(pair[1])};
      if (is_users(file)) break;
    }
    return innermost;
  }

 private:
  CodeTable codes_;
  TableRoom room_{"stacks"};
  std::unordered_map<std::string, uint32_t> ids_;
  std::vector<const std::string*> by_id_;
};

inline StackTable& stack_table = *new StackTable;

inline uint32_t find_stack(ThreadState* thread, const Frame* frames, size_t count) {
  uint64_t hash = count;
  for (size_t at = 0; at < count; ++at) hash = (hash ^ reinterpret_cast<uint64_t>(frames[at].code) ^ uint64_t(frames[at].offset) << 40) * 0x9E3779B97F4A7C15u;
  if (!thread->stacks) thread->stacks = new StackCache;
  auto& lines = thread->stacks->lines;
  const uint64_t first = hash >> 53;
  uint64_t free = first;
  for (uint64_t place = first; place < first + StackCache::kPlaces; ++place) {
    const StackCache::Line& line = lines[place % lines.size()];
    if (!line.id) {
      free = place;
      break;
    }
    if (line.frames.size() == count && std::equal(frames, frames + count, line.frames.begin())) return line.id;
  }
  StackCache::Line& line = lines[free % lines.size()];
  if (stack_table.is_full()) return 0;
  Gil gil;
  if (!gil) return 0;
  const uint32_t id = stack_table.intern(frames, count);
  if (!id) return 0;
  line.id = id;
  line.frames.assign(frames, frames + count);
  return id;
}

// The id of this thread's Python stack now; 0 when it runs no Python.
inline uint32_t stack_here(ThreadState* thread) {
  if (!are_stacks_wanted) return 0;
  PyThreadState* python = PyGILState_GetThisThreadState();
  if (!python || is_python_ending()) return 0;
  Frame frames[kMaxFrames];
  if (kReadsFramesWithoutGil) {
    const size_t count = read_frames(python, frames);
    return count ? find_stack(thread, frames, count) : 0;
  }
  Gil gil;
  const size_t count = read_frames(python, frames);
  return count ? find_stack(thread, frames, count) : 0;
}

// (file, line) of the innermost frame of the user's files, or None. With the GIL.
inline PyObject* users_line() {
  Frame frames[kMaxFrames];
  const size_t count = read_frames(PyThreadState_Get(), frames);
  for (size_t at = 0; at < count; ++at) {
    if (is_users(text_of(frames[at].code->co_filename))) return Py_BuildValue("(Oi)", frames[at].code->co_filename, PyCode_Addr2Line(frames[at].code, int(frames[at].offset)));
  }
  Py_RETURN_NONE;
}

}  // namespace tensorscope
