// The nodes of the graphs that live now, as Python objects: what they have saved is held by C++ alone.
#pragma once

#include "graphs.h"
#include "python_tensors.h"

// From torch/csrc/autograd/python_cpp_function.h, which includes pybind11.
namespace torch::autograd {
PyObject* functionToPyObject(const decltype(std::declval<Node&>().getptr())& node);
}

namespace tensorscope {

// The node as it stands in the tensor: asking the tensor for it would make a new one where a view's base was written in place.
inline Node* own_node(const at::Tensor& tensor) {
  auto* meta = torch::autograd::impl::get_autograd_meta(tensor);
  return meta ? meta->grad_fn_.get() : nullptr;
}

// What keeps a running backward's graph alive: the nodes it was called with, without the engine's own node above several of them.
inline void add_roots(uint32_t backward, NodeIndex& index) {
  for (auto run = run_table.find_backward(backward); run; run = run_table.find_backward(run->parent))
    for (Node* root : run->roots) index.find_or_add(root);
}

// Another thread's backward lets go of what a node has saved as soon as the node has run, without the GIL: nobody else may read it.
inline bool is_run_by_others(const Node* node, const std::vector<std::shared_ptr<BackwardRun>>& others) {
  return std::any_of(others.begin(), others.end(), [&](const auto& run) { return run->index.find(node) != NodeIndex::kAbsent; });
}

// A list of all nodes reachable from the tensors and from a running backward (0: none) with those around it, without the nodes of backwards that run in
// other threads; nullptr with an exception set.
inline PyObject* live_nodes(PyObject* tensors, uint32_t backward) {
  NodeIndex index;
  add_roots(backward, index);
  for (Py_ssize_t at = 0; at < PyList_GET_SIZE(tensors); ++at) {
    PyObject* object = PyList_GET_ITEM(tensors, at);
    if (!is_tensor(object) || !tensor_of(object).defined()) continue;
    if (Node* node = own_node(tensor_of(object))) index.find_or_add(node);
  }
  for (size_t from = 0; from < index.nodes().size(); ++from)
    for (const auto& edge : index.nodes()[from]->next_edges())
      if (edge.is_valid()) index.find_or_add(edge.function.get());
  const auto others = run_table.of_others(this_thread(), backward);
  PyObject* list = PyList_New(0);
  for (Node* node : index.nodes()) {
    if (is_run_by_others(node, others)) continue;
    PyObject* object = list ? torch::autograd::functionToPyObject(node->getptr()) : nullptr;
    if (!object || PyList_Append(list, object) != 0) Py_CLEAR(list);
    Py_XDECREF(object);
  }
  return list;
}

}  // namespace tensorscope
