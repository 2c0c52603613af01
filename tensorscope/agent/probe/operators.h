// The RecordFunction callbacks: an OPERATOR record for every operator, written when it ends, with its tensors; a NODE record for every run of a node.
#pragma once

#include "graphs.h"
#include "modules.h"
#include "places.h"
#include "running.h"
#include "stacks.h"
#include "switched_off.h"
#include "tensors.h"

#include <ATen/core/function_schema.h>
#include <c10/core/GradMode.h>

namespace tensorscope {

inline int64_t observing_ns = 0;  // what torch pays for an operator that is observed; see observing.h

constexpr std::string_view kNodePrefix = "autograd::engine::evaluate_function: ";

inline uint16_t flags_of(const ThreadState* thread) {
  return uint16_t((thread->is_quiet ? kOurs : 0) | (thread->is_compiling ? kCompiling : 0) | (c10::GradMode::is_enabled() ? kGradEnabled : 0));
}

// Of work inside a backward: where the forward of its node stood.
inline Place place_of_node_around(const Running* running) {
  for (const Running* at = running->below; at; at = at->below)
    if (at->is_node && at->node.node) return place_of(*reinterpret_cast<const Node*>(at->node.node));
  return {};
}

inline void keep_place(const ThreadState* thread, const Running* running) {
  const Place here{running->op.stack, thread->modules ? thread->modules->record.module : 0};
  places.keep(thread->id, running->op.sequence_nr, here.is_known() ? here : place_of_node_around(running));
}

inline void begin_operator(ThreadState* thread, Running* running, const at::RecordFunction& function, const char* name) {
  const Running* enclosing = running->below;
  OperatorRecord& op = running->op;
  running->is_node = false;
  op = {};
  op.kind = kOperator;
  op.scope = uint8_t(function.scope());
  op.flags = flags_of(thread);
  const bool is_backward = function.scope() == at::RecordScope::BACKWARD_FUNCTION;
  op.name = is_backward ? thread->names.id_of_text(name) : thread->names.id(name);
  op.id = thread->next_id();
  op.parent = enclosing ? enclosing->id() : 0;
  op.sequence_nr = function.seqNr();
  op.forward_thread = uint32_t(function.forwardThreadId());
  op.module_call = thread->module_call;
  running->opens_stacks = function.scope() == at::RecordScope::USER_SCOPE || (is_backward && runs_python());
  const bool is_outermost = !enclosing || enclosing->opens_stacks;
  op.stack = running->stack = is_outermost && !is_backward ? stack_here(thread) : enclosing ? enclosing->stack : 0;
  if (op.sequence_nr >= 0 && !is_backward) keep_place(thread, running);
  op.input_count = write_tensors(thread, function.inputs(), kInput, op.id);
  op.begin_ns = now_ns();
  if (is_outermost && function.scope() != at::RecordScope::USER_SCOPE && !(op.flags & (kOurs | kCompiling)))
    thread->writer.now_runs({op.id, op.begin_ns, op.name, op.stack, 0});
}

inline std::unique_ptr<at::ObserverContext> start_function(const at::RecordFunction& function) {
  if (!is_on()) return notice_switch(), nullptr;
  ThreadState* thread = this_thread();
  if (!thread) return nullptr;
  if (function.scope() == at::RecordScope::BACKWARD_FUNCTION) pass_gate_with_gradients(thread->top, function.inputs());
  const bool is_sampled = (++thread->samples & 63) == 0;
  const int64_t begin = is_sampled ? now_ns() : 0;
  Running* running = push_running(thread);
  try {
    const char* name = function.name();
    if (name[0] == 'a' && name[1] == 'u' && function.scope() == at::RecordScope::FUNCTION && strncmp(name, kNodePrefix.data(), kNodePrefix.size()) == 0) {
      begin_node(thread, running, name + kNodePrefix.size());
    } else {
      begin_operator(thread, running, function, name);
    }
  } catch (...) {
    area.drop(1);
  }
  if (is_sampled && !running->is_held) area.add_cost((now_ns() - begin + observing_ns) * 64);
  return std::unique_ptr<at::ObserverContext>(new (running->handle) Running::Handle);
}

inline void end_function(const at::RecordFunction& function, at::ObserverContext* context) {
  if (!context || !is_on()) return;
  const int64_t end = now_ns();
  ThreadState* thread = this_thread();
  if (!thread) return;
  Running* running = reinterpret_cast<Running*>(context);
  try {
    if (running->is_node) {
      end_node(thread, running, end);
    } else {
      running->op.end_ns = end;
      running->op.output_count = write_tensors(thread, function.outputs(), kOutput, running->op.id);
      if (thread->uncaught_exceptions() > running->uncaught) running->op.flags |= kRaised;
      thread->writer.write(&running->op);
    }
  } catch (...) {
    area.drop(1);
  }
  if (running->owner == thread) {
    if (thread->writer.runs(running->id())) thread->writer.runs_nothing();
    unlink(thread, running);
  }
  if ((thread->samples & 63) == 0) area.add_cost((now_ns() - end) * 64);
}

inline at::CallbackHandle add_operator_callback() {
  return at::addGlobalCallback(at::RecordFunctionCallback(start_function, end_function)
                                   .needsInputs(true)
                                   .needsOutputs(true)
                                   .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION, at::RecordScope::TORCHSCRIPT_FUNCTION,
                                            at::RecordScope::USER_SCOPE}));
}

}  // namespace tensorscope
