// Methods of the Python module about the probe itself: on and off, quiet and compiling, who is called back.
#pragma once

#include "cuda_allocations.h"
#include "lifetime.h"
#include "wrapper.h"

namespace tensorscope::methods {

inline PyObject* start(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"area_fd", "area_size", "stacks", "keep_blocks", "most_entries", nullptr};
  int fd, stacks = 1, keep_blocks = 0;
  unsigned most = most_entries.load();
  unsigned long long size;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "iK|$ppI:start", const_cast<char**>(names), &fd, &size, &stacks, &keep_blocks, &most))
    return nullptr;
  if (!start_probe(fd, size, stacks, keep_blocks, most)) return nullptr;
  PyObject* compiler = PyImport_GetModule(PyUnicode_InternFromString("torch.compiler"));
  if (compiler) compiler_namespace = Py_XNewRef(PyModule_GetDict(compiler));
  Py_XDECREF(compiler);
  PyErr_Clear();
  Py_RETURN_NONE;
}

inline PyObject* stop(PyObject*, PyObject*) {
  stop_probe();
  Py_RETURN_NONE;
}

// As the host does it: the script's next operator, or its main thread, meets the word and detaches.
inline PyObject* switch_off(PyObject*, PyObject*) {
  if (is_on()) {
    area.header().armed.store(kRun);
    area.header().enabled.store(0);
    notice_switch();
  }
  Py_RETURN_NONE;
}

inline PyObject* attach_cuda(PyObject*, PyObject*) {
  if (!attach_to_cuda()) return nullptr;
  Py_RETURN_NONE;
}

inline PyObject* is_on_(PyObject*, PyObject*) { return PyBool_FromLong(is_on()); }
inline PyObject* now(PyObject*, PyObject*) { return PyLong_FromLongLong(now_ns()); }
inline PyObject* thread_id(PyObject*, PyObject*) { return PyLong_FromUnsignedLongLong(at::RecordFunction::currentThreadId()); }

inline PyObject* set_quiet(PyObject*, PyObject* value) {
  const int wanted = PyObject_IsTrue(value);
  if (wanted < 0) return nullptr;
  ThreadState* thread = this_thread();
  return PyBool_FromLong(thread && std::exchange(thread->is_quiet, bool(wanted)));
}

// Dynamo tells the begin and the end of overlapping compilations once, the end perhaps on another thread: it ends for the thread that began.
inline PyObject* set_compiling(PyObject*, PyObject* value) {
  static ThreadState* compiling = nullptr;
  const int wanted = PyObject_IsTrue(value);
  if (wanted < 0) return nullptr;
  const bool before = compiling != nullptr;
  if (compiling) compiling->is_compiling = false;
  compiling = wanted ? this_thread() : nullptr;
  if (compiling) compiling->is_compiling = true;
  return PyBool_FromLong(before);
}

inline PyObject* set_library_prefixes(PyObject*, PyObject* prefixes) {
  PyObject* sequence = PySequence_Fast(prefixes, "a list of paths is needed");
  if (!sequence) return nullptr;
  std::vector<std::string> read;
  for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(sequence); ++at) {
    std::string prefix(text_of(PySequence_Fast_GET_ITEM(sequence, at)));
    if (!prefix.empty() && prefix.back() != '/') prefix += '/';
    read.push_back(std::move(prefix));
  }
  Py_DECREF(sequence);
  library_prefixes.swap(read);
  Py_RETURN_NONE;
}

template <Callback& callback>
PyObject* set_callback(PyObject*, PyObject* function) {
  callback.set(function);
  Py_RETURN_NONE;
}

inline PyObject* set_failure_handler(PyObject*, PyObject* handler) {
  Py_XSETREF(failure_handler, handler == Py_None ? nullptr : Py_NewRef(handler));
  Py_RETURN_NONE;
}

}  // namespace tensorscope::methods
