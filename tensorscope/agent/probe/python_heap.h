// Every object that the garbage collector knows, without the list of them all that gc.get_objects builds.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "gil.h"

#if PY_VERSION_HEX < 0x030C0000
#define Py_BUILD_CORE
#include <internal/pycore_gc.h>
#undef Py_BUILD_CORE
#endif

namespace tensorscope {

#if PY_VERSION_HEX < 0x030C0000
inline PyGC_Head* gc_head(PyObject* object) { return reinterpret_cast<PyGC_Head*>(object) - 1; }

// The collector's lists, walked at many places at once: one after the other, each object would wait for memory by itself.
class TrackedObjects {
 public:
  template <typename Fn>
  void for_each(Fn fn) {
    // A fresh object stands last in the youngest generation, so behind it comes that generation's head; the generations lie side by side.
    PyObject* newest = PyList_New(0);
    if (!newest) return PyErr_Clear();
    auto* youngest = reinterpret_cast<gc_generation*>(_PyGCHead_NEXT(gc_head(newest)));
    PyObject_GC_UnTrack(newest);
    Py_DECREF(newest);
    auto* collector = reinterpret_cast<_gc_runtime_state*>(reinterpret_cast<char*>(youngest) - offsetof(_gc_runtime_state, generations));
    PyGC_Head* lists[] = {&youngest[0].head, &youngest[1].head, &youngest[2].head, &collector->permanent_generation.head};
    for (PyGC_Head* list : lists) add_stop(list);
    add_modules();
    for (PyGC_Head* list : lists) add_walk(_PyGCHead_NEXT(list));
    while (count_) {
      for (size_t place = 0; place < count_; ++place) {
        PyGC_Head* at = walks_[place];
        PyGC_Head* next = _PyGCHead_NEXT(at);
        __builtin_prefetch(next);
        fn(reinterpret_cast<PyObject*>(at + 1));
        walks_[place] = is_stop(next) ? walks_[--count_] : next;
      }
    }
  }

 private:
  static constexpr size_t kWalks = 48, kSlots = 256;

  // Some objects from all over the heap; each begins a walk and ends another.
  void add_modules() {
    PyObject *modules = PyImport_GetModuleDict(), *name, *module;
    const Py_ssize_t every = PyDict_GET_SIZE(modules) / Py_ssize_t(kWalks) + 1;
    Py_ssize_t at = 0, number = 0;
    while (count_ < kWalks && PyDict_Next(modules, &at, &name, &module)) {
      if (number++ % every || !PyModule_CheckExact(module) || !PyObject_GC_IsTracked(module) || is_stop(gc_head(module))) continue;
      add_stop(gc_head(module));
      walks_[count_++] = gc_head(module);
    }
  }

  void add_walk(PyGC_Head* first) {
    if (!is_stop(first)) walks_[count_++] = first;
  }

  static size_t slot_of(const PyGC_Head* head) { return (reinterpret_cast<uintptr_t>(head) >> 4) * 0x9E3779B97F4A7C15u >> 56; }

  void add_stop(const PyGC_Head* head) {
    size_t slot = slot_of(head);
    while (stops_[slot % kSlots]) ++slot;
    stops_[slot % kSlots] = head;
  }

  bool is_stop(const PyGC_Head* head) const {
    for (size_t slot = slot_of(head);; ++slot) {
      const PyGC_Head* found = stops_[slot % kSlots];
      if (found == head || !found) return found;
    }
  }

  std::array<PyGC_Head*, kWalks + NUM_GENERATIONS + 1> walks_;
  std::array<const PyGC_Head*, kSlots> stops_{};
  size_t count_ = 0;
};
#endif

// fn(object) for every tracked object of every generation, with the GIL. Nothing may be made or freed meanwhile.
template <typename Fn>
void for_each_tracked(Fn fn) {
#if PY_VERSION_HEX >= 0x030C0000
  PyUnstable_GC_VisitObjects([](PyObject* object, void* context) { return (*static_cast<Fn*>(context))(object), 1; }, &fn);
#else
  TrackedObjects().for_each(fn);
#endif
}

// Answers "is it a subtype?" from memory: most objects are of few types.
class SubtypeTest {
 public:
  explicit SubtypeTest(PyTypeObject* base) : base_(base) {}

  bool operator()(PyTypeObject* type) {
    Known& known = known_[(reinterpret_cast<uintptr_t>(type) >> 4) % known_.size()];
    if (known.type != type) known = {type, bool(PyType_IsSubtype(type, base_))};
    return known.is_subtype;
  }

 private:
  struct Known {
    PyTypeObject* type = nullptr;
    bool is_subtype = false;
  };
  PyTypeObject* base_;
  std::array<Known, 256> known_;
};

// A list of the live objects whose class is ``base`` or derives from it; nullptr with a Python exception set.
inline PyObject* live_instances_of(PyTypeObject* base) {
  std::vector<PyObject*> found;
  SubtypeTest is_instance(base);
  for_each_tracked([&](PyObject* object) {
    if (is_instance(Py_TYPE(object))) found.push_back(Py_NewRef(object));
  });
  PyObject* list = PyList_New(Py_ssize_t(found.size()));
  for (size_t at = 0; at < found.size(); ++at) {
    if (list) {
      PyList_SET_ITEM(list, Py_ssize_t(at), found[at]);
    } else {
      Py_DECREF(found[at]);
    }
  }
  return list;
}

}  // namespace tensorscope
