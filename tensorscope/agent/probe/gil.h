// Taking the GIL from torch's threads, and what becomes of exceptions of our own callbacks.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <atomic>

#include "area.h"

namespace tensorscope {

inline bool is_python_ending() {
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

// The GIL for a scope. While the interpreter ends it must not be taken: test before use.
class Gil {
 public:
  Gil() : is_held_(!is_python_ending()) {
    if (is_held_) state_ = PyGILState_Ensure();
  }
  ~Gil() {
    if (is_held_) PyGILState_Release(state_);
  }
  Gil(const Gil&) = delete;
  explicit operator bool() const { return is_held_; }

 private:
  bool is_held_;
  PyGILState_STATE state_{};
};

// Keeps an exception of the script's aside while our Python runs.
class KeptException {
 public:
  KeptException() { PyErr_Fetch(&type_, &value_, &traceback_); }
  ~KeptException() { PyErr_Restore(type_, value_, traceback_); }
  KeptException(const KeptException&) = delete;

 private:
  PyObject *type_, *value_, *traceback_;
};

// A scope in which the script's own tracer or profiler (sys.settrace, sys.setprofile) sees nothing of ours. With the GIL.
class Untraced {
 public:
#if PY_VERSION_HEX >= 0x030B0000
  Untraced() { PyThreadState_EnterTracing(thread_); }
  ~Untraced() { PyThreadState_LeaveTracing(thread_); }
#else
  Untraced() {
    ++thread_->tracing;
    thread_->cframe->use_tracing = 0;
  }
  ~Untraced() {
    --thread_->tracing;
    thread_->cframe->use_tracing = !thread_->tracing && (thread_->c_tracefunc || thread_->c_profilefunc) ? 255 : 0;
  }
#endif
  Untraced(const Untraced&) = delete;

 private:
  PyThreadState* thread_ = PyThreadState_Get();
};

// Adds the time of a scope to the cost that the window shows; of scopes within each other the outermost.
class Cost {
 public:
  ~Cost() {
    if (--depth == 0 && is_on()) area.add_cost(now_ns() - begin_);
  }

 private:
  static inline thread_local int depth = 0;
  int64_t begin_ = depth++ ? 0 : now_ns();
};

inline PyObject* failure_handler = nullptr;

// Passes the current exception to the failure handler: it never reaches the script. Ctrl+C does, later, as its own signal.
inline void report_failure(const char* where) {
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
    PyErr_Clear();
    PyErr_SetInterrupt();
    return;
  }
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback && value) PyException_SetTraceback(value, traceback);
  if (failure_handler && value) {
    PyObject* handler = Py_NewRef(failure_handler);
    Py_XDECREF(PyObject_CallFunction(handler, "sO", where, value));
    Py_DECREF(handler);
    PyErr_Clear();
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
}

// One callback into Python; dropped at its first failure.
class Callback {
 public:
  explicit Callback(const char* name) : name_(name) {}

  bool is_set() const { return function_.load(std::memory_order_relaxed) != nullptr; }

  void set(PyObject* function) {
    PyObject* old = function_.exchange(function == Py_None ? nullptr : Py_NewRef(function));
    Py_XDECREF(old);
  }

  // Calls with the GIL held. ``format`` as in Py_BuildValue, a tuple.
  template <typename... Values>
  void call(const char* format, Values... values) {
    ask(format, values...);
  }

  // The same; the number that it gives, 0 where it gives none.
  template <typename... Values>
  uint64_t ask(const char* format, Values... values) {
    PyObject* function = function_.load();
    if (!function) return 0;
    KeptException kept;
    Untraced untraced;
    Py_INCREF(function);
    PyObject* arguments = Py_BuildValue(format, values...);
    PyObject* result = arguments ? PyObject_CallObject(function, arguments) : nullptr;
    Py_XDECREF(arguments);
    const uint64_t answer = result && PyLong_Check(result) ? PyLong_AsUnsignedLongLongMask(result) : 0;
    Py_XDECREF(result);
    if (!result) {
      if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) set(Py_None);
      report_failure(name_);
    }
    Py_DECREF(function);
    return answer;
  }

 private:
  const char* name_;
  std::atomic<PyObject*> function_{nullptr};
};

}  // namespace tensorscope
