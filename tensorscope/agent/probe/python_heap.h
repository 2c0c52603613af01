// Every object that the garbage collector knows, without the list of them all that gc.get_objects builds.
#pragma once

#include <array>
#include <vector>

#include "gil.h"

#if PY_VERSION_HEX < 0x030C0000
#define Py_BUILD_CORE
#include <internal/pycore_gc.h>
#undef Py_BUILD_CORE
#endif

namespace tensorscope {

// fn(object) for every tracked object of every generation, with the GIL. Nothing may be made or freed meanwhile.
template <typename Fn>
void for_each_tracked(Fn fn) {
#if PY_VERSION_HEX >= 0x030C0000
  PyUnstable_GC_VisitObjects([](PyObject* object, void* context) { return (*static_cast<Fn*>(context))(object), 1; }, &fn);
#else
  // A fresh object stands last in the youngest generation, so behind it comes that generation's head; the generations lie side by side.
  PyObject* newest = PyList_New(0);
  if (!newest) return PyErr_Clear();
  const auto head_of = [](PyObject* object) { return reinterpret_cast<PyGC_Head*>(object) - 1; };
  auto* youngest = reinterpret_cast<gc_generation*>(_PyGCHead_NEXT(head_of(newest)));
  for (int age = 0; age < NUM_GENERATIONS; ++age) {
    PyGC_Head* head = &youngest[age].head;
    for (PyGC_Head* at = _PyGCHead_NEXT(head); at != head; at = _PyGCHead_NEXT(at)) {
      PyObject* object = reinterpret_cast<PyObject*>(at + 1);
      if (object != newest) fn(object);
    }
  }
  Py_DECREF(newest);
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
