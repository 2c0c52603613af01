// The Python module _tensorscope_probe (its signatures: _probe.pyi). One translation unit: torch's headers are read once.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "methods_backwards.h"
#include "methods_lifetime.h"
#include "methods_memory.h"
#include "methods_parameters.h"
#include "methods_records.h"
#include "trigger.h"

namespace tensorscope::methods {
namespace {

template <typename Function>
PyCFunction as_method(Function function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef table[] = {
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
    {"copy_weights", copy_weights, METH_VARARGS, nullptr},
    {"write_updates", write_updates_, METH_VARARGS, nullptr},
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
    {"observing_ns", observing_ns_, METH_NOARGS, nullptr},
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

PyModuleDef module_definition = {PyModuleDef_HEAD_INIT, "_tensorscope_probe", nullptr, -1, table, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace tensorscope::methods

PyMODINIT_FUNC PyInit__tensorscope_probe() {
  using namespace tensorscope;
  PyObject* module = PyModule_Create(&methods::module_definition);
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
