// Backwards: which graph task a node run belongs to, its begin (the task's first node) and its end (a callback of the engine's, queued there).
#pragma once

#include <algorithm>
#include <map>
#include <memory>

#include <torch/csrc/autograd/engine.h>

#include "gate.h"
#include "graph_walk.h"
#include "gradients.h"
#include "places.h"
#include "running.h"
#include "stacks.h"

namespace tensorscope {

struct BackwardRun {
  int task;
  uint32_t id, parent, graph = 0;
  int64_t begin_ns;
  uint32_t stack;  // of the thread that ran the first node: the line that called backward, on the CPU
  const ThreadState* starter;
  NodeIndex index;
  std::vector<Node*> roots;  // alive until the engine's call returns
  std::atomic<uint32_t> nodes_run{0};
  std::atomic<int64_t> last_ns{0};  // when a node of it ended last
  std::atomic<bool> is_ended{false};
};

inline Callback on_unknown_leaves("on_unknown_leaves"), on_retained("on_retained"), on_backward_begin("on_backward_begin"), on_backward_end("on_backward_end");
inline std::atomic<uint32_t> newest_backward{0};

// The graph tasks that run now.
class RunTable {
 public:
  std::shared_ptr<BackwardRun> find(int task) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = runs_.find(task);
    return found == runs_.end() ? nullptr : found->second;
  }

  std::shared_ptr<BackwardRun> find_backward(uint32_t id) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [task, run] : runs_)
      if (run->id == id) return run;
    return nullptr;
  }

  // Those that other threads began, without a backward (0: none) and those around it.
  std::vector<std::shared_ptr<BackwardRun>> of_others(const ThreadState* mine, uint32_t backward) {
    std::vector<uint32_t> around;
    for (auto run = find_backward(backward); run; run = find_backward(run->parent)) around.push_back(run->id);
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::shared_ptr<BackwardRun>> others;
    for (const auto& [task, run] : runs_)
      if (run->starter != mine && std::find(around.begin(), around.end(), run->id) == around.end()) others.push_back(run);
    return others;
  }

  void add(const std::shared_ptr<BackwardRun>& run) {
    std::lock_guard<std::mutex> lock(mutex_);
    runs_.emplace(run->task, run);
  }

  void remove(int task) {
    std::lock_guard<std::mutex> lock(mutex_);
    runs_.erase(task);
  }

  // Runs that a thread began (nullptr: any thread) and that never ended: an exception left their backward. None can still run where no node runs.
  std::vector<std::shared_ptr<BackwardRun>> take_failed(const ThreadState* starter) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::shared_ptr<BackwardRun>> failed;
    for (auto at = runs_.begin(); at != runs_.end();) {
      const bool is_failed = !starter || at->second->starter == starter;
      if (is_failed) failed.push_back(at->second);
      at = is_failed ? runs_.erase(at) : std::next(at);
    }
    return failed;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<BackwardRun>> runs_;
};
inline RunTable& run_table = *new RunTable;

enum BackwardFlag : uint16_t { kFailed = 1 };

inline void mark_backward(ThreadState* thread, const BackwardRun& run, uint16_t flags, int64_t end_ns) {
  auto* mark = thread->writer.begin<MarkRecord>(kMark);
  if (!mark) return;
  mark->mark = kMarkBackward;
  mark->flags = flags;
  mark->stack = run.stack;
  mark->begin_ns = run.begin_ns;
  mark->end_ns = end_ns;
  mark->a = run.id;
  mark->b = run.graph;
  mark->x = double(run.index.nodes().size());
  mark->module_call = thread->module_call;
  thread->writer.commit();
}

inline void tell_backward_end(const BackwardRun& run) {
  if (!on_backward_end.is_set()) return;
  Gil gil;
  if (!gil) return;
  Cost cost;
  on_backward_end.call("(I)", run.id);
}

// One of the task's nodes has raised: no other will begin. Its gradients are not told, since torch leaves them half done.
inline void fail_backward(ThreadState* thread, const std::shared_ptr<BackwardRun>& run, int64_t end_ns) {
  if (run->is_ended.exchange(true)) return;
  run_table.remove(run->task);
  mark_backward(thread, *run, kFailed, end_ns);
  tell_backward_end(*run);
}

// Those that ended with no word of the engine's: another's callback at their end raised.
inline void mark_failed_backwards(ThreadState* thread, const ThreadState* starter) {
  for (const auto& failed : run_table.take_failed(starter))
    if (!failed->is_ended.exchange(true)) mark_backward(thread, *failed, kFailed, std::max(failed->begin_ns, failed->last_ns.load()));
}

// The graph task is done: what its gradients are, the mark, Python's callback.
inline void finish_backward(const std::shared_ptr<BackwardRun>& run) noexcept {
  if (!is_on() || run->is_ended.exchange(true)) return;
  try {
    run_table.remove(run->task);
    ThreadState* thread = this_thread();
    if (!thread) return;
    Cost cost;
    write_gradients(thread, kRaw, run->id);
    mark_backward(thread, *run, 0, now_ns());
  } catch (...) {
    area.drop(1);
  }
  tell_backward_end(*run);
}

// Callbacks that others queue during the backward (DistributedDataParallel's) run first: ours goes to the end of the queue once more.
inline void queue_end(const std::shared_ptr<BackwardRun>& run) {
  torch::autograd::Engine::get_default_engine().queue_callback([run]() {
    try {
      torch::autograd::Engine::get_default_engine().queue_callback([run]() { finish_backward(run); });
    } catch (...) {
      finish_backward(run);
    }
  });
}

inline uint32_t enclosing_backward(const Running* running) {
  for (const Running* at = running->below; at; at = at->below)
    if (at->is_node) return at->node.backward;
  return 0;
}

// Lets Python name leaves that are not registered yet, so that the graph's definition has them as parameters from the first time on.
inline void name_unknown_leaves(const NodeIndex& index) {
  if (!on_unknown_leaves.is_set()) return;
  const auto& nodes = index.nodes();
  const bool has_unknown = std::any_of(nodes.begin(), nodes.end(), [](const Node* node) {
    return is_accumulate_grad(*node) && parameter_of(*node) == 0;
  });
  if (!has_unknown) return;
  Gil gil;
  if (gil) on_unknown_leaves.call("()");
}

// Lets Python name tensors that are no leaves and will keep their gradient. Their hook is on the node that made them, which does not know the tensor.
inline void name_retained(const NodeIndex& index) {
  if (!on_retained.is_set()) return;
  const auto& nodes = index.nodes();
  if (std::all_of(nodes.begin(), nodes.end(), [](Node* node) { return node->retains_grad_hooks().empty(); })) return;
  Gil gil;
  if (gil) on_retained.call("()");
}

// The nodes that the backward was called with: of several the engine makes the children of a node that does not outlive its own run.
inline std::vector<Node*> roots_of(Node* first) {
  if (first->name() != "torch::autograd::GraphRoot") return {first};
  std::vector<Node*> roots;
  for (const auto& edge : first->next_edges())
    if (edge.is_valid()) roots.push_back(edge.function.get());
  return roots;
}

inline std::shared_ptr<BackwardRun> begin_backward(ThreadState* thread, const Running* running, int task, Node* root) {
  Cost cost;
  auto run = std::make_shared<BackwardRun>();
  run->task = task;
  run->parent = enclosing_backward(running);
  if (!run->parent) mark_failed_backwards(thread, thread);
  run->starter = thread;
  run->begin_ns = now_ns();
  run->stack = stack_here(thread);
  run->id = newest_backward.fetch_add(1) + 1;
  const std::vector<GraphEdge> edges = walk_graph(root, run->index);
  run->roots = roots_of(root);
  name_unknown_leaves(run->index);
  name_retained(run->index);
  const auto [graph, is_new_shape] = graph_table.intern(run->index, edges);
  run->graph = graph;
  define_backward(run->id, graph, run->index, run->begin_ns, run->parent);
  run_table.add(run);
  queue_end(run);
  if (on_backward_begin.is_set()) {
    Gil gil;
    if (gil) on_backward_begin.call("(IIO)", run->id, graph, is_new_shape ? Py_True : Py_False);
  }
  return run;
}

// True while a custom Function's backward runs: its operators have Python frames of their own.
inline bool runs_python() {
  const auto node = torch::autograd::get_current_node();
  return node && is_python_node(*node);
}

inline void begin_node(ThreadState* thread, Running* running, const char* name) {
  running->is_node = true;
  running->opens_stacks = false;
  running->stack = 0;
  NodeRecord& record = running->node;
  record = {};
  record.kind = kNode;
  const std::string_view shown = short_name(name);
  record.name = thread->names.id_of_text(shown);
  record.id = thread->next_id();
  record.parent = running->below ? running->below->id() : 0;
  record.sequence_nr = -1;
  record.flags = thread->is_compiling ? kCompiling : 0;
  const auto node = torch::autograd::get_current_node();
  const int task = torch::autograd::get_current_graph_task_id();
  if (!node || task < 0 || thread->is_compiling) {
    record.begin_ns = now_ns();
    return;
  }
  record.node = reinterpret_cast<uint64_t>(&*node);
  record.sequence_nr = int64_t(node->sequence_nr());
  if (!thread->backward || thread->backward->task != task) thread->backward = run_table.find(task);
  const bool is_first = !thread->backward;
  if (is_first) thread->backward = begin_backward(thread, running, task, &*node);
  const uint32_t index = thread->backward->index.find(&*node);
  record.backward = thread->backward->id;
  record.index = index == NodeIndex::kAbsent ? 0 : index + 1;
  running->opens_backward = is_first;
  arrive_at_gate(running, *node, shown.data());
  record.begin_ns = now_ns();
  if (!running->below) thread->writer.now_runs({record.id, record.begin_ns, record.name, place_of(*node).stack, 1});
}

// A thread's current run, but for a node in which another backward ran since.
inline std::shared_ptr<BackwardRun> run_of(const ThreadState* thread, uint32_t backward) {
  if (!backward) return nullptr;
  return thread->backward && thread->backward->id == backward ? thread->backward : run_table.find_backward(backward);
}

inline void end_node(ThreadState* thread, Running* running, int64_t end_ns) {
  const bool is_raised = thread->uncaught_exceptions() > running->uncaught;
  running->node.end_ns = end_ns;
  if (is_raised) running->node.flags |= kRaised;
  thread->writer.write(&running->node);
  if (const auto run = run_of(thread, running->node.backward)) {
    run->nodes_run.fetch_add(1, std::memory_order_relaxed);
    run->last_ns.store(end_ns, std::memory_order_relaxed);
    if (is_raised) fail_backward(thread, run, end_ns);
  }
  if (running->is_held) leave_gate(running->node);
}

inline void end_backward(ThreadState* thread) { thread->backward.reset(); }

}  // namespace tensorscope
