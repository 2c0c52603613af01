// The records that go into rings: the C++ mirror of protocol/records.py. Every one is 64 bytes, little-endian.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tensorscope {

constexpr uint32_t kRecordSize = 64;

enum RecordKind : uint8_t { kOperator = 1, kTensor, kAllocation, kNode, kModuleCall, kMark, kGradient, kHistogram };
enum DefinitionKind : uint8_t { kString = 1, kCode, kStack, kShape, kThread, kGraph, kBackward, kMessage, kPart };

enum OperatorFlag : uint16_t { kOurs = 1, kCompiling = 2, kGradEnabled = 4, kRaised = 8 };
enum TensorRole : uint8_t { kInput = 1, kOutput = 2, kRootInput = 3 };
enum TensorFlag : uint8_t { kIsView = 1, kRequiresGrad = 2, kIsLeafParameter = 4, kNoStorage = 8 };
enum AllocationAction : uint8_t { kAlloc = 1, kFree, kSegmentAlloc, kSegmentFree, kSegmentMap, kSegmentUnmap, kOom, kSnapshot, kFreeRequested, kFreeCompleted, kBefore, kBeforeFreed };
enum MarkKind : uint8_t { kMarkBackward = 1, kMarkHold = 7 };
enum GradientFlag : uint16_t { kStatisticsUnknown = 1 };

struct OperatorRecord {
  uint8_t kind, scope;
  uint16_t flags;
  uint32_t name;
  uint64_t id, parent;
  int64_t begin_ns, end_ns, sequence_nr;
  uint32_t stack, module_call, forward_thread;
  uint16_t input_count, output_count;
};

struct TensorRecord {
  uint8_t kind, role;
  uint16_t argument;
  uint32_t shape;
  uint64_t op, impl, storage, data, nbytes;
  int64_t offset;
  uint8_t dtype, device_type;
  int8_t device_index;
  uint8_t flags;
  uint32_t version;
};

struct AllocationRecord {
  uint8_t kind, action, device_type;
  int8_t device_index;
  uint32_t module_call;
  uint64_t op, address, size;
  int64_t time_ns;
  uint64_t stream, pool;
  uint32_t stack, zero;
};

struct NodeRecord {
  uint8_t kind, flags;
  uint16_t zero;
  uint32_t name;
  uint64_t node, id, parent;
  int64_t begin_ns, end_ns, sequence_nr;
  uint32_t backward, index;
};

struct ModuleCallRecord {
  uint8_t kind, flags;
  uint16_t zero;
  uint32_t module, call, parent;
  int64_t begin_ns, end_ns;
  uint32_t stack, zeros[7];
};

struct MarkRecord {
  uint8_t kind, mark;
  uint16_t flags;
  uint32_t stack;
  int64_t begin_ns, end_ns;
  uint64_t a, b;
  double x, y;
  uint32_t module_call, zero;
};

struct GradientRecord {
  uint8_t kind, stage;
  uint16_t flags;
  uint32_t parameter, backward, nonfinite;
  int64_t time_ns;
  double sum_squares, max_abs;
  uint64_t numel;
  double weight_sum_squares, update_sum_squares;
};

constexpr int kHistogramRowBins = 8;

struct HistogramRecord {
  uint8_t kind, stage;
  uint16_t row;
  uint32_t parameter, backward, zeros, sampled, nonfinite;
  int64_t time_ns;
  uint32_t count0, count1, count2, count3, count4, count5, count6, count7;
};

// One line a field; read by the table that tests compare with protocol/records.py.
#define TENSORSCOPE_FIELDS(X)                                                                                                                  \
  X(Operator, scope) X(Operator, flags) X(Operator, name) X(Operator, id) X(Operator, parent) X(Operator, begin_ns) X(Operator, end_ns)        \
  X(Operator, sequence_nr) X(Operator, stack) X(Operator, module_call) X(Operator, forward_thread) X(Operator, input_count)                    \
  X(Operator, output_count)                                                                                                                    \
  X(Tensor, role) X(Tensor, argument) X(Tensor, shape) X(Tensor, op) X(Tensor, impl) X(Tensor, storage) X(Tensor, data) X(Tensor, nbytes)      \
  X(Tensor, offset) X(Tensor, dtype) X(Tensor, device_type) X(Tensor, device_index) X(Tensor, flags) X(Tensor, version)                        \
  X(Allocation, action) X(Allocation, device_type) X(Allocation, device_index) X(Allocation, module_call) X(Allocation, op)                    \
  X(Allocation, address) X(Allocation, size) X(Allocation, time_ns) X(Allocation, stream) X(Allocation, pool) X(Allocation, stack)             \
  X(Node, flags) X(Node, name) X(Node, node) X(Node, id) X(Node, parent) X(Node, begin_ns) X(Node, end_ns) X(Node, sequence_nr)                \
  X(Node, backward) X(Node, index)                                                                                                             \
  X(ModuleCall, flags) X(ModuleCall, module) X(ModuleCall, call) X(ModuleCall, parent) X(ModuleCall, begin_ns) X(ModuleCall, end_ns)           \
  X(ModuleCall, stack)                                                                                                                         \
  X(Mark, mark) X(Mark, flags) X(Mark, stack) X(Mark, begin_ns) X(Mark, end_ns) X(Mark, a) X(Mark, b) X(Mark, x) X(Mark, y)                    \
  X(Mark, module_call)                                                                                                                         \
  X(Gradient, stage) X(Gradient, flags) X(Gradient, parameter) X(Gradient, backward) X(Gradient, nonfinite) X(Gradient, time_ns)               \
  X(Gradient, sum_squares) X(Gradient, max_abs) X(Gradient, numel) X(Gradient, weight_sum_squares) X(Gradient, update_sum_squares) \
  X(Histogram, stage) X(Histogram, row) X(Histogram, parameter) X(Histogram, backward) X(Histogram, zeros) X(Histogram, sampled)               \
  X(Histogram, nonfinite) X(Histogram, time_ns) X(Histogram, count0) X(Histogram, count1) X(Histogram, count2) X(Histogram, count3)            \
  X(Histogram, count4) X(Histogram, count5) X(Histogram, count6) X(Histogram, count7)

static_assert(sizeof(OperatorRecord) == kRecordSize && offsetof(OperatorRecord, output_count) == 62);
static_assert(sizeof(TensorRecord) == kRecordSize && offsetof(TensorRecord, version) == 60);
static_assert(sizeof(AllocationRecord) == kRecordSize && offsetof(AllocationRecord, stack) == 56);
static_assert(sizeof(NodeRecord) == kRecordSize && offsetof(NodeRecord, index) == 60);
static_assert(sizeof(ModuleCallRecord) == kRecordSize && offsetof(ModuleCallRecord, stack) == 32);
static_assert(sizeof(MarkRecord) == kRecordSize && offsetof(MarkRecord, module_call) == 56);
static_assert(sizeof(HistogramRecord) == kRecordSize && offsetof(HistogramRecord, count0) == 32);
static_assert(sizeof(GradientRecord) == kRecordSize && offsetof(GradientRecord, update_sum_squares) == 56);

}  // namespace tensorscope
