// Walks the graph of a backward from its root over next_edges, breadth first, and interns its shape. No Python, no torch operator.
#pragma once

#include <mutex>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <vector>

#include <torch/csrc/autograd/node.h>

#ifndef TENSORSCOPE_PLAIN_ACCUMULATE_GRAD
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#endif

#include "tables.h"
#include "parameters.h"
#include "thread.h"

namespace tensorscope {

using torch::autograd::Node;

// A node's class decides its name, but for Python's custom functions.
inline bool is_python_node(const Node& node) { return strcmp(typeid(node).name(), "N5torch8autograd6PyNodeE") == 0; }

// As Python writes it: type(node).__name__.
inline std::string_view short_name(std::string_view name) {
  constexpr std::string_view kNamespace = "torch::autograd::";
  return name.substr(0, kNamespace.size()) == kNamespace ? name.substr(kNamespace.size()) : name;
}

inline uint32_t name_of(const Node& node) {
  static thread_local std::unordered_map<const std::type_info*, uint32_t> names;
  const auto found = names.find(&typeid(node));
  if (found != names.end()) return found->second;
  const uint32_t id = strings.intern(short_name(node.name())).id;
  if (!is_python_node(node)) names.emplace(&typeid(node), id);
  return id;
}

#ifdef TENSORSCOPE_PLAIN_ACCUMULATE_GRAD
// As its header has it (build.py has looked), which would add a quarter to the build's time.
struct AccumulateGrad : Node {
  at::Tensor variable;
};
#else
using torch::autograd::AccumulateGrad;
#endif

inline bool is_accumulate_grad(const Node& node) { return strcmp(typeid(node).name(), "N5torch8autograd14AccumulateGradE") == 0; }

// The leaf whose gradient a node accumulates; nullptr for any other node.
inline const at::Tensor* leaf_of(const Node& node) { return is_accumulate_grad(node) ? &static_cast<const AccumulateGrad&>(node).variable : nullptr; }

inline uint32_t parameter_of(const Node& node) {
  const at::Tensor* leaf = leaf_of(node);
  return leaf ? parameters.id(leaf->unsafeGetTensorImpl()) : 0;
}

// Node address → index in walk order. Filled by one walk, then only read.
class NodeIndex {
 public:
  static constexpr uint32_t kAbsent = ~0u;

  uint32_t find(const Node* node) const {
    for (size_t at = hash(node);; ++at) {
      const Slot& slot = slots_[at & mask_];
      if (slot.node == node) return slot.index;
      if (!slot.node) return kAbsent;
    }
  }

  uint32_t find_or_add(Node* node) {
    if ((nodes_.size() + 1) * 2 > slots_.size()) grow();
    for (size_t at = hash(node);; ++at) {
      Slot& slot = slots_[at & mask_];
      if (slot.node == node) return slot.index;
      if (slot.node) continue;
      slot = {node, uint32_t(nodes_.size())};
      nodes_.push_back(node);
      return slot.index;
    }
  }

  // In walk order. The pointers may be followed only while the walk runs; later they are mere addresses.
  const std::vector<Node*>& nodes() const { return nodes_; }

 private:
  struct Slot {
    const Node* node = nullptr;
    uint32_t index = 0;
  };

  size_t hash(const Node* node) const { return (reinterpret_cast<uintptr_t>(node) >> 4) * 0x9E3779B97F4A7C15u >> 24; }

  void grow() {
    slots_.assign(slots_.size() * 2, Slot{});
    mask_ = slots_.size() - 1;
    for (uint32_t index = 0; index < nodes_.size(); ++index) {
      size_t at = hash(nodes_[index]);
      while (slots_[at & mask_].node) ++at;
      slots_[at & mask_] = {nodes_[index], index};
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(256);
  size_t mask_ = 255;
  std::vector<Node*> nodes_;
};

struct GraphEdge {
  uint32_t from, output_nr, to, input_nr;
};

inline std::vector<GraphEdge> walk_graph(Node* root, NodeIndex& index) {
  std::vector<GraphEdge> edges;
  index.find_or_add(root);
  for (uint32_t from = 0; from < index.nodes().size(); ++from) {
    uint32_t output_nr = 0;
    for (const auto& edge : index.nodes()[from]->next_edges()) {
      if (edge.is_valid()) edges.push_back({from, output_nr, index.find_or_add(edge.function.get()), edge.input_nr});
      ++output_nr;
    }
  }
  return edges;
}

// Graph shapes by a 128-bit hash of their definition's bytes. A full table forgets them all: a shape that comes again gets a new number.
class GraphTable {
 public:
  std::pair<uint32_t, bool> intern(const NodeIndex& index, const std::vector<GraphEdge>& edges) {
    Payload payload;
    payload.u32(uint32_t(index.nodes().size())).u32(uint32_t(edges.size()));
    for (const Node* node : index.nodes()) payload.u32(name_of(*node)).u32(parameter_of(*node));
    payload.raw(edges.data(), edges.size() * sizeof(GraphEdge));
    const std::pair<uint64_t, uint64_t> key = hash(payload.view());
    std::lock_guard<std::mutex> lock(mutex_);
    for (const Known& known : known_[key.first])
      if (known.check == key.second) return {known.id, false};
    if (++kept_ > most_entries.load(std::memory_order_relaxed) / kShare) {
      known_.clear();
      kept_ = 1;
    }
    const uint32_t id = ++count_;
    known_[key.first].push_back({key.second, id});
    definitions.write(kGraph, id, payload.view());
    return {id, true};
  }

 private:
  struct Known {
    uint64_t check;
    uint32_t id;
  };

  static std::pair<uint64_t, uint64_t> hash(const std::string& bytes) {
    uint64_t first = bytes.size(), second = ~bytes.size();
    for (size_t at = 0; at < bytes.size(); at += 8) {
      uint64_t word = 0;
      memcpy(&word, bytes.data() + at, std::min<size_t>(8, bytes.size() - at));
      first = (first ^ word) * 0x9E3779B97F4A7C15u;
      first ^= first >> 32;
      second = (second + word) * 0xC2B2AE3D27D4EB4Fu;
      second ^= second >> 29;
    }
    return {first, second};
  }

  static constexpr uint32_t kShare = 8;
  std::mutex mutex_;
  uint32_t count_ = 0, kept_ = 0;
  std::unordered_map<uint64_t, std::vector<Known>> known_;
};
inline GraphTable& graph_table = *new GraphTable;

inline void define_backward(uint32_t backward, uint32_t graph, const NodeIndex& index, int64_t begin_ns, uint32_t parent) {
  Payload payload;
  payload.u32(graph).u32(uint32_t(index.nodes().size())).u64(uint64_t(begin_ns)).u64(parent);
  payload.raw(index.nodes().data(), index.nodes().size() * sizeof(Node*));
  for (const Node* node : index.nodes()) payload.u64(node->sequence_nr());
  for (const Node* node : index.nodes()) payload.u32(uint32_t(node->thread_id()));
  definitions.write(kBackward, backward, payload.view());
}

}  // namespace tensorscope
