// The Python module _tensorscope_probe (its signatures: _probe.pyi). One translation unit: torch's headers are read once.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "allocator.h"
#include "cuda_allocations.h"
#include "lifetime.h"
#include "live_nodes.h"
#include "modules.h"
#include "operators.h"
#include "python_heap.h"
#include "python_info.h"
#include "python_locals.h"
#include "trigger.h"
#include "wrapper.h"

namespace tensorscope {
namespace {

PyObject* start(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"area_fd", "area_size", "stacks", "keep_blocks", nullptr};
  int fd, stacks = 1, keep_blocks = 0;
  unsigned long long size;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "iK|$pp:start", const_cast<char**>(names), &fd, &size, &stacks, &keep_blocks)) return nullptr;
  if (!start_probe(fd, size, stacks, keep_blocks)) return nullptr;
  PyObject* compiler = PyImport_GetModule(PyUnicode_InternFromString("torch.compiler"));
  if (compiler) compiler_namespace = Py_XNewRef(PyModule_GetDict(compiler));
  Py_XDECREF(compiler);
  PyErr_Clear();
  Py_RETURN_NONE;
}

PyObject* stop(PyObject*, PyObject*) {
  stop_probe();
  Py_RETURN_NONE;
}

// As the host does it: the script's next operator, or its main thread, meets the word and detaches.
PyObject* switch_off(PyObject*, PyObject*) {
  if (is_on()) {
    area.header().armed.store(kRun);
    area.header().enabled.store(0);
    notice_switch();
  }
  Py_RETURN_NONE;
}

PyObject* attach_cuda(PyObject*, PyObject*) {
  if (!attach_to_cuda()) return nullptr;
  Py_RETURN_NONE;
}

PyObject* is_on_(PyObject*, PyObject*) { return PyBool_FromLong(is_on()); }
PyObject* now(PyObject*, PyObject*) { return PyLong_FromLongLong(now_ns()); }
PyObject* thread_id(PyObject*, PyObject*) { return PyLong_FromUnsignedLongLong(at::RecordFunction::currentThreadId()); }

PyObject* set_quiet(PyObject*, PyObject* value) {
  const int wanted = PyObject_IsTrue(value);
  if (wanted < 0) return nullptr;
  ThreadState* thread = this_thread();
  return PyBool_FromLong(thread && std::exchange(thread->is_quiet, bool(wanted)));
}

// Dynamo tells the begin and the end of overlapping compilations once, the end perhaps on another thread: it ends for the thread that began.
PyObject* set_compiling(PyObject*, PyObject* value) {
  static ThreadState* compiling = nullptr;
  const int wanted = PyObject_IsTrue(value);
  if (wanted < 0) return nullptr;
  const bool before = compiling != nullptr;
  if (compiling) compiling->is_compiling = false;
  compiling = wanted ? this_thread() : nullptr;
  if (compiling) compiling->is_compiling = true;
  return PyBool_FromLong(before);
}

PyObject* set_library_prefixes(PyObject*, PyObject* prefixes) {
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

PyObject* current_stack(PyObject*, PyObject*) {
  Cost cost;
  ThreadState* thread = this_thread();
  return PyLong_FromUnsignedLong(thread ? stack_here(thread) : 0);
}

PyObject* current_source(PyObject*, PyObject*) {
  Cost cost;
  return users_line();
}

PyObject* mark(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"kind", "begin_ns", "end_ns", "a", "b", "x", "y", "flags", nullptr};
  int kind, flags = 0;
  long long begin, end;
  unsigned long long a = 0, b = 0;
  double x = 0, y = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "iLL|KKddi:mark", const_cast<char**>(names), &kind, &begin, &end, &a, &b, &x, &y, &flags)) return nullptr;
  ThreadState* thread = is_on() ? this_thread() : nullptr;
  if (!thread) Py_RETURN_NONE;
  Cost cost;
  const uint32_t stack = stack_here(thread);
  if (auto* record = thread->writer.begin<MarkRecord>(kMark)) {
    record->mark = uint8_t(kind);
    record->flags = uint16_t(flags);
    record->stack = stack;
    record->begin_ns = begin;
    record->end_ns = end;
    record->a = a;
    record->b = b;
    record->x = x;
    record->y = y;
    record->module_call = thread->module_call;
    thread->writer.commit();
  }
  Py_RETURN_NONE;
}

PyObject* message(PyObject*, PyObject* body) {
  char* bytes;
  Py_ssize_t size;
  if (PyBytes_AsStringAndSize(body, &bytes, &size) != 0) return nullptr;
  if (is_on()) {
    Cost cost;
    definitions.message(std::string_view(bytes, size_t(size)));
  }
  Py_RETURN_NONE;
}

PyObject* flush_open(PyObject*, PyObject*) {
  ThreadState* thread = is_on() ? this_thread() : nullptr;
  if (!thread) Py_RETURN_NONE;
  for (Running* running = thread->top; running; running = running->below) {
    (running->is_node ? running->node.end_ns : running->op.end_ns) = 0;
    thread->writer.write(running->is_node ? static_cast<const void*>(&running->node) : &running->op);
  }
  for (ModuleScope* scope = thread->modules; scope; scope = scope->outer) thread->writer.write(&scope->record);
  Py_RETURN_NONE;
}

PyObject* forget_module(PyObject*, PyObject* address) {
  const auto pointer = PyLong_AsUnsignedLongLong(address);
  if (PyErr_Occurred()) return nullptr;
  module_ids.erase(reinterpret_cast<PyObject*>(pointer));
  Py_RETURN_NONE;
}

PyObject* register_parameter(PyObject*, PyObject* arguments) {
  PyObject* object;
  unsigned id;
  if (!PyArg_ParseTuple(arguments, "OI:register_parameter", &object, &id)) return nullptr;
  const at::Tensor* tensor = checked_tensor(object);
  if (!tensor) return nullptr;
  parameters.add(tensor->getIntrusivePtr(), id);
  Py_RETURN_NONE;
}

PyObject* register_retained(PyObject*, PyObject* arguments) {
  PyObject* object;
  unsigned id;
  if (!PyArg_ParseTuple(arguments, "OI:register_retained", &object, &id)) return nullptr;
  const at::Tensor* tensor = checked_tensor(object);
  if (!tensor) return nullptr;
  if (retained.id(tensor->unsafeGetTensorImpl()) != id) retained.add(tensor->getIntrusivePtr(), id);
  Py_RETURN_NONE;
}

// Past any __torch_function__ of its class.
PyObject* retains_grad(PyObject*, PyObject* object) {
  const at::Tensor* tensor = checked_tensor(object);
  return tensor ? PyBool_FromLong(tensor->retains_grad()) : nullptr;
}

// False with a Python exception set.
bool read_ids(PyObject* list, std::vector<uint32_t>* ids) {
  PyObject* sequence = PySequence_Fast(list, "a list of parameter ids is needed");
  if (!sequence) return false;
  for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(sequence); ++at) ids->push_back(uint32_t(PyLong_AsUnsignedLong(PySequence_Fast_GET_ITEM(sequence, at))));
  Py_DECREF(sequence);
  std::sort(ids->begin(), ids->end());
  return !PyErr_Occurred();
}

PyObject* write_gradients_(PyObject*, PyObject* arguments) {
  int stage;
  unsigned backward, count = 0;
  PyObject* list = Py_None;
  std::vector<uint32_t> wanted;
  if (!PyArg_ParseTuple(arguments, "iI|O:write_gradients", &stage, &backward, &list)) return nullptr;
  if (list != Py_None && !read_ids(list, &wanted)) return nullptr;
  if (ThreadState* thread = is_on() ? this_thread() : nullptr) {
    Cost cost;
    Py_BEGIN_ALLOW_THREADS;
    try {
      count = write_gradients(thread, uint8_t(stage), backward, list == Py_None ? nullptr : &wanted);
    } catch (...) {
      area.drop(1);
    }
    Py_END_ALLOW_THREADS;
  }
  return PyLong_FromUnsignedLong(count);
}

PyObject* ask_histograms(PyObject*, PyObject* value) {
  const int wanted = PyObject_IsTrue(value);
  if (wanted < 0) return nullptr;
  histogram_turns.ask(wanted);
  Py_RETURN_NONE;
}

// A dict from the ids of parameters that have a gradient to what ``describe`` makes of it.
template <typename Describe>
PyObject* of_gradients(Describe describe) {
  PyObject* dict = PyDict_New();
  for (const auto& [id, parameter] : parameters.alive()) {
    c10::TensorImpl* gradient = dict ? gradient_of(parameter) : nullptr;
    if (!gradient) continue;
    PyObject *key = PyLong_FromUnsignedLong(id), *value = describe(gradient);
    if (key && value) PyDict_SetItem(dict, key, value);
    Py_XDECREF(key);
    Py_XDECREF(value);
  }
  return dict;
}

PyObject* gradient_norms(PyObject*, PyObject*) {
  return of_gradients([](c10::TensorImpl* gradient) { return PyFloat_FromDouble(std::sqrt(statistics(gradient).sum_squares)); });
}

PyObject* gradient_versions(PyObject*, PyObject*) {
  return of_gradients([](c10::TensorImpl* gradient) { return PyLong_FromUnsignedLong(version_of(gradient)); });
}

PyObject* tensor_stats(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"tensor", "histogram", nullptr};
  PyObject* object;
  int histogram = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|p:tensor_stats", const_cast<char**>(names), &object, &histogram)) return nullptr;
  const at::Tensor* tensor = checked_tensor(object);
  return tensor ? stats_of(*tensor, histogram) : nullptr;
}

PyObject* tensor_info(PyObject*, PyObject* object) {
  const at::Tensor* tensor = checked_tensor(object);
  return tensor ? info_of(*tensor) : nullptr;
}

PyObject* live_instances(PyObject*, PyObject* type) {
  if (PyType_Check(type)) return live_instances_of(reinterpret_cast<PyTypeObject*>(type));
  PyErr_SetString(PyExc_TypeError, "a class is needed");
  return nullptr;
}

PyObject* live_nodes_(PyObject*, PyObject* arguments) {
  PyObject* tensors;
  unsigned backward;
  return PyArg_ParseTuple(arguments, "O!I:live_nodes", &PyList_Type, &tensors, &backward) ? live_nodes(tensors, backward) : nullptr;
}

PyObject* watched_block_count(PyObject*, PyObject*) { return PyLong_FromLongLong(watched_blocks.load()); }

PyObject* frame_locals(PyObject*, PyObject* frame) {
  if (PyFrame_Check(frame)) return locals_of(reinterpret_cast<PyFrameObject*>(frame));
  PyErr_SetString(PyExc_TypeError, "a frame is needed");
  return nullptr;
}

PyObject* last_backward(PyObject*, PyObject*) { return PyLong_FromUnsignedLong(newest_backward.load()); }

PyObject* backward_of_task(PyObject*, PyObject* task) {
  const long number = PyLong_AsLong(task);
  if (PyErr_Occurred()) return nullptr;
  const auto run = run_table.find(int(number));
  return PyLong_FromUnsignedLong(run ? run->id : 0);
}

PyObject* nodes_run(PyObject*, PyObject* backward) {
  const unsigned long id = PyLong_AsUnsignedLong(backward);
  if (PyErr_Occurred()) return nullptr;
  const auto run = run_table.find_backward(uint32_t(id));
  return PyLong_FromUnsignedLong(run ? run->nodes_run.load() : 0);
}

PyObject* running_backward(PyObject*, PyObject* backward) {
  const unsigned long id = PyLong_AsUnsignedLong(backward);
  if (PyErr_Occurred()) return nullptr;
  const auto run = run_table.find_backward(uint32_t(id));
  if (!run) Py_RETURN_NONE;
  return Py_BuildValue("(LIn)", static_cast<long long>(run->begin_ns), run->parent, Py_ssize_t(run->index.nodes().size()));
}

PyObject* add_cost(PyObject*, PyObject* duration) {
  const long long ns = PyLong_AsLongLong(duration);
  if (PyErr_Occurred()) return nullptr;
  if (is_on()) area.add_cost(ns);
  Py_RETURN_NONE;
}

PyObject* held_gradients(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
  for (const c10::IValue& value : gradients_at_gate) {
    if (!list || !value.isTensor() || !value.toTensor().defined()) continue;
    PyObject *info = info_of(value.toTensor()), *stats = stats_of(value.toTensor(), true);
    PyObject* pair = info && stats ? PyTuple_Pack(2, info, stats) : nullptr;
    if (!pair || PyList_Append(list, pair) != 0) Py_CLEAR(list);
    Py_XDECREF(info);
    Py_XDECREF(stats);
    Py_XDECREF(pair);
  }
  return list;
}

template <Callback& callback>
PyObject* set_callback(PyObject*, PyObject* function) {
  callback.set(function);
  Py_RETURN_NONE;
}

PyObject* set_failure_handler(PyObject*, PyObject* handler) {
  Py_XSETREF(failure_handler, handler == Py_None ? nullptr : Py_NewRef(handler));
  Py_RETURN_NONE;
}

// True if the item of a list of (is_nonfinite, above, below) was read.
bool read_limit(PyObject* item, std::vector<GradientLimit>* limits) {
  GradientLimit limit;
  int is_nonfinite;
  if (!PyArg_ParseTuple(item, "pdd:set_breakpoints", &is_nonfinite, &limit.above, &limit.below)) return false;
  limit.is_nonfinite = is_nonfinite;
  limits->push_back(limit);
  return true;
}

PyObject* set_breakpoints(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"active", "by_gradient", "limits", "are_others", nullptr};
  unsigned long long active, by_gradient;
  PyObject* list;
  int are_others;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "KKO!p:set_breakpoints", const_cast<char**>(names), &active, &by_gradient, &PyList_Type, &list, &are_others)) return nullptr;
  std::vector<GradientLimit> limits;
  for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list); ++at)
    if (!read_limit(PyList_GET_ITEM(list, at), &limits)) return nullptr;
  breakpoints.set(active, by_gradient, limits, are_others);
  Py_RETURN_NONE;
}

PyObject* breakpoints_wanted(PyObject*, PyObject*) { return PyLong_FromUnsignedLong(is_on() ? area.header().breakpoints.load() : 0); }

PyObject* breakpoints_taken(PyObject*, PyObject* number) {
  const unsigned long taken = PyLong_AsUnsignedLong(number);
  if (PyErr_Occurred()) return nullptr;
  breakpoints_number.store(uint32_t(taken));
  Py_RETURN_NONE;
}

PyObject* held_place(PyObject*, PyObject*) {
  if (!node_at_gate) Py_RETURN_NONE;
  const Place place = place_of(*node_at_gate);
  const auto [file, line] = stack_table.users_line(place.stack);
  return Py_BuildValue("(siI)", file.c_str(), line, place.module);
}

PyObject* arm(PyObject*, PyObject* value) {
  const unsigned long wanted = PyLong_AsUnsignedLong(value);
  if (PyErr_Occurred()) return nullptr;
  if (is_on()) area.header().armed.store(uint32_t(wanted));
  Py_RETURN_NONE;
}

PyObject* open_blocks(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
  for (const auto& [address, size] : block_book.copy()) {
    PyObject* pair = Py_BuildValue("(KK)", static_cast<unsigned long long>(address_of(address)), static_cast<unsigned long long>(size));
    if (list && pair) PyList_Append(list, pair);
    Py_XDECREF(pair);
  }
  return list;
}

PyObject* write_block(PyObject*, PyObject* arguments) {
  int action;
  unsigned long long address, size;
  if (!PyArg_ParseTuple(arguments, "iKK:write_block", &action, &address, &size)) return nullptr;
  if (is_on()) write_allocation(AllocationAction(action), reinterpret_cast<const void*>(uintptr_t(address)), size);
  Py_RETURN_NONE;
}

PyObject* deleter(PyObject*, PyObject*) { return PyLong_FromVoidPtr(reinterpret_cast<void*>(&free_block)); }

PyObject* know_deleter(PyObject*, PyObject* address) {
  const unsigned long long known = PyLong_AsUnsignedLongLong(address);
  if (PyErr_Occurred()) return nullptr;
  earlier_deleters.push_back(known);
  Py_RETURN_NONE;
}

PyObject* record_layout(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
#define TENSORSCOPE_ADD_FIELD(record, field)                                                                                                   \
  if (PyObject* row = Py_BuildValue("(issnn)", int(k##record), #record, #field, Py_ssize_t(offsetof(record##Record, field)),                    \
                                    Py_ssize_t(sizeof(record##Record::field)))) {                                                              \
    PyList_Append(list, row);                                                                                                                  \
    Py_DECREF(row);                                                                                                                            \
  }
  TENSORSCOPE_FIELDS(TENSORSCOPE_ADD_FIELD)
#undef TENSORSCOPE_ADD_FIELD
  return list;
}

template <typename Function>
PyCFunction as_method(Function function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef methods[] = {
    {"start", as_method(start), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"stop", stop, METH_NOARGS, nullptr},
    {"switch_off", switch_off, METH_NOARGS, nullptr},
    {"attach_cuda", attach_cuda, METH_NOARGS, nullptr},
    {"is_on", is_on_, METH_NOARGS, nullptr},
    {"now_ns", now, METH_NOARGS, nullptr},
    {"thread_id", thread_id, METH_NOARGS, nullptr},
    {"set_quiet", set_quiet, METH_O, nullptr},
    {"set_compiling", set_compiling, METH_O, nullptr},
    {"set_library_prefixes", set_library_prefixes, METH_O, nullptr},
    {"current_stack", current_stack, METH_NOARGS, nullptr},
    {"current_source", current_source, METH_NOARGS, nullptr},
    {"mark", as_method(mark), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"message", message, METH_O, nullptr},
    {"flush_open", flush_open, METH_NOARGS, nullptr},
    {"forget_module", forget_module, METH_O, nullptr},
    {"register_parameter", register_parameter, METH_VARARGS, nullptr},
    {"register_retained", register_retained, METH_VARARGS, nullptr},
    {"retains_grad", retains_grad, METH_O, nullptr},
    {"write_gradients", write_gradients_, METH_VARARGS, nullptr},
    {"ask_histograms", ask_histograms, METH_O, nullptr},
    {"gradient_norms", gradient_norms, METH_NOARGS, nullptr},
    {"gradient_versions", gradient_versions, METH_NOARGS, nullptr},
    {"tensor_stats", as_method(tensor_stats), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"tensor_info", tensor_info, METH_O, nullptr},
    {"live_instances", live_instances, METH_O, nullptr},
    {"live_nodes", live_nodes_, METH_VARARGS, nullptr},
    {"watched_block_count", watched_block_count, METH_NOARGS, nullptr},
    {"frame_locals", frame_locals, METH_O, nullptr},
    {"last_backward", last_backward, METH_NOARGS, nullptr},
    {"backward_of_task", backward_of_task, METH_O, nullptr},
    {"set_on_unknown_leaves", set_callback<on_unknown_leaves>, METH_O, nullptr},
    {"set_on_retained", set_callback<on_retained>, METH_O, nullptr},
    {"nodes_run", nodes_run, METH_O, nullptr},
    {"set_on_backward_begin", set_callback<on_backward_begin>, METH_O, nullptr},
    {"set_on_backward_end", set_callback<on_backward_end>, METH_O, nullptr},
    {"set_on_hold", set_callback<on_hold>, METH_O, nullptr},
    {"running_backward", running_backward, METH_O, nullptr},
    {"add_cost", add_cost, METH_O, nullptr},
    {"held_gradients", held_gradients, METH_NOARGS, nullptr},
    {"set_on_node_end", set_callback<on_node_end>, METH_O, nullptr},
    {"set_on_switched_off", set_callback<on_switched_off>, METH_O, nullptr},
    {"set_failure_handler", set_failure_handler, METH_O, nullptr},
    {"set_breakpoints", as_method(set_breakpoints), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"breakpoints_wanted", breakpoints_wanted, METH_NOARGS, nullptr},
    {"breakpoints_taken", breakpoints_taken, METH_O, nullptr},
    {"set_on_judge", set_callback<on_judge>, METH_O, nullptr},
    {"set_on_breakpoints_changed", set_callback<on_breakpoints_changed>, METH_O, nullptr},
    {"held_place", held_place, METH_NOARGS, nullptr},
    {"arm", arm, METH_O, nullptr},
    {"open_blocks", open_blocks, METH_NOARGS, nullptr},
    {"write_block", write_block, METH_VARARGS, nullptr},
    {"deleter", deleter, METH_NOARGS, nullptr},
    {"know_deleter", know_deleter, METH_O, nullptr},
    {"record_layout", record_layout, METH_NOARGS, nullptr},
    {},
};

PyModuleDef module_definition = {PyModuleDef_HEAD_INIT, "_tensorscope_probe", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace tensorscope

PyMODINIT_FUNC PyInit__tensorscope_probe() {
  using namespace tensorscope;
  PyObject* module = PyModule_Create(&module_definition);
  PyObject* wrapper = module ? PyType_FromSpec(&wrapper_spec) : nullptr;
  PyObject* bases = wrapper ? PyTuple_Pack(1, wrapper) : nullptr;
  PyObject* module_call = bases ? PyType_FromSpecWithBases(&module_call_spec, bases) : nullptr;
  PyObject* untraced = bases ? PyType_FromSpecWithBases(&untraced_spec, bases) : nullptr;
  PyObject* trigger = bases ? PyType_FromSpecWithBases(&trigger_spec, bases) : nullptr;
  Py_XDECREF(bases);
  if (!module_call || !untraced || !trigger || PyModule_AddObject(module, "Wrapper", wrapper) < 0 || PyModule_AddObject(module, "ModuleCall", module_call) < 0 ||
      PyModule_AddObject(module, "Untraced", untraced) < 0 || PyModule_AddObject(module, "Trigger", trigger) < 0)
    return nullptr;
  return module;
}
