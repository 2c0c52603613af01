// ModuleCall: the Wrapper for nn.Module.__call__. Keeps the thread's stack of module calls and writes a record for each.
#pragma once

#include <unordered_map>

#include "python_tensors.h"
#include "stacks.h"
#include "tensors.h"
#include "wrapper.h"

namespace tensorscope {

// A module call that runs now; lives on the C stack of the call.
struct ModuleScope {
  ModuleScope* outer;
  ModuleCallRecord record;
};

// Module ids by the module's address. Guarded by the GIL.
inline std::unordered_map<PyObject*, uint32_t>& module_ids = *new std::unordered_map<PyObject*, uint32_t>;
inline std::atomic<uint32_t> module_calls{0};

inline uint32_t module_id(WrapperObject* self, PyObject* module) {
  const auto found = module_ids.find(module);
  if (found != module_ids.end()) return found->second;
  if (!self->before) return 0;
  Cost cost;
  PyObject* result = call_guarded(self, &self->before, PyTuple_Pack(1, module));
  const uint32_t id = result ? uint32_t(PyLong_AsUnsignedLong(result)) : 0;
  PyErr_Clear();
  Py_XDECREF(result);
  return module_ids[module] = id;
}

// The tensors that a root module is given: in its arguments and the lists, tuples and dicts among them.
inline void write_root_inputs(ThreadState* thread, PyObject* value, uint64_t call, uint16_t* count, int depth) {
  if (is_tensor(value)) {
    if (tensor_of(value).defined()) write_tensor(thread, tensor_of(value), kRootInput, call, (*count)++);
  } else if (depth == 0) {
    return;
  } else if (PyTuple_Check(value) || PyList_Check(value)) {
    for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(value); ++at) write_root_inputs(thread, PySequence_Fast_GET_ITEM(value, at), call, count, depth - 1);
  } else if (PyDict_Check(value)) {
    PyObject *key, *item;
    for (Py_ssize_t at = 0; PyDict_Next(value, &at, &key, &item);) write_root_inputs(thread, item, call, count, depth - 1);
  }
}

inline void enter_module(ThreadState* thread, ModuleScope* scope, uint32_t module) {
  ModuleCallRecord& record = scope->record;
  record = {};
  record.kind = kModuleCall;
  record.module = module;
  record.call = module_calls.fetch_add(1, std::memory_order_relaxed) + 1;
  record.parent = thread->module_call;
  record.stack = stack_here(thread);
  scope->outer = thread->modules;
  thread->modules = scope;
  thread->module_call = record.call;
  record.begin_ns = now_ns();
}

inline void leave_module(ThreadState* thread, ModuleScope* scope, bool is_raised) {
  scope->record.end_ns = now_ns();
  scope->record.flags = is_raised;
  thread->modules = scope->outer;
  thread->module_call = scope->record.parent;
  if (is_on()) thread->writer.write(&scope->record);
}

inline PyObject* call_module(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
  auto* self = reinterpret_cast<WrapperObject*>(object);
  const Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (!is_on()) notice_switch();
  ThreadState* thread = is_on() && count > 0 ? this_thread() : nullptr;
  if (!thread || is_compiling(thread)) return PyObject_Vectorcall(self->original, arguments, flags, names);
  ModuleScope scope;
  const uint32_t module = module_id(self, arguments[0]);
  enter_module(thread, &scope, module);
  if (!scope.outer) {
    constexpr int kDepth = 3;
    uint16_t position = 0;
    const Py_ssize_t all = count + (names ? PyTuple_GET_SIZE(names) : 0);
    try {
      for (Py_ssize_t at = 1; at < all; ++at) write_root_inputs(thread, arguments[at], scope.record.call, &position, kDepth);
    } catch (...) {
      area.drop(1);
    }
  }
  PyObject* result = PyObject_Vectorcall(self->original, arguments, flags, names);
  leave_module(thread, &scope, !result);
  return result;
}

inline PyObject* make_module_call(PyTypeObject* type, PyObject*, PyObject*) {
  auto* self = reinterpret_cast<WrapperObject*>(type->tp_alloc(type, 0));
  if (self) self->vectorcall = call_module;
  return reinterpret_cast<PyObject*>(self);
}

inline int init_module_call(PyObject* object, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"original", "on_new_module", nullptr};
  PyObject *original, *on_new_module;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO:ModuleCall", const_cast<char**>(names), &original, &on_new_module)) return -1;
  auto* self = reinterpret_cast<WrapperObject*>(object);
  clear_wrapper(object);
  self->original = Py_NewRef(original);
  self->before = new_ref_or_null(on_new_module);
  return 0;
}

inline PyType_Slot module_call_slots[] = {{Py_tp_new, reinterpret_cast<void*>(make_module_call)},
                                          {Py_tp_init, reinterpret_cast<void*>(init_module_call)},
                                          {Py_tp_dealloc, reinterpret_cast<void*>(free_wrapper)},
                                          {Py_tp_traverse, reinterpret_cast<void*>(traverse_wrapper)},
                                          {Py_tp_clear, reinterpret_cast<void*>(clear_wrapper)},
                                          {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                          {0, nullptr}};
inline PyType_Spec module_call_spec = {"_tensorscope_probe.ModuleCall", sizeof(WrapperObject), 0, kWrapperFlags & ~Py_TPFLAGS_BASETYPE, module_call_slots};

}  // namespace tensorscope
