// CUDA's allocations. torch calls the tracker for every event of its caching allocator, on every thread and under the allocator's lock: it only writes
// a record, and returns first once we are off, since it cannot be detached.
#pragma once

#include "allocator.h"

#ifdef TENSORSCOPE_HAS_CUDA

#include <c10/cuda/CUDACachingAllocator.h>

namespace tensorscope {

// 0 for what has no action of ours.
template <typename Entry>
AllocationAction action_of(const Entry& entry) {
  switch (entry.action_) {
    case Entry::ALLOC: return kAlloc;
    case Entry::FREE_REQUESTED: return kFreeRequested;
    case Entry::FREE_COMPLETED: return kFreeCompleted;
    case Entry::SEGMENT_ALLOC: return kSegmentAlloc;
    case Entry::SEGMENT_FREE: return kSegmentFree;
    case Entry::SEGMENT_MAP: return kSegmentMap;
    case Entry::SEGMENT_UNMAP: return kSegmentUnmap;
    case Entry::SNAPSHOT: return kSnapshot;
    case Entry::OOM: return kOom;
    default: return AllocationAction(0);
  }
}

// (0, n) and (n, 0) as one number; torch before 2.8 does not tell the pool.
template <typename Entry>
uint64_t pool_of(const Entry& entry) {
  if constexpr (requires { entry.mempool_.first; }) return uint64_t(entry.mempool_.first) << 32 | uint32_t(entry.mempool_.second);
  return 0;
}

// The address of an OOM is the device's free bytes; sizes of allocations are as asked for, those of segments and of an OOM as rounded.
template <typename Entry>
void write_cuda_allocation(const Entry& entry) {
  const AllocationAction action = action_of(entry);
  if (!is_on() || !action) return;
  ThreadState* thread = this_thread();
  AllocationRecord record{};
  fill_allocation(record, thread, action, uint64_t(entry.addr_), uint64_t(entry.size_));
  record.device_type = uint8_t(c10::DeviceType::CUDA);
  record.device_index = int8_t(entry.device_);
  record.stream = reinterpret_cast<uint64_t>(entry.stream_);
  record.pool = pool_of(entry);
  if (thread) {
    thread->writer.write(&record);
  } else {
    late_writer.write(record);
  }
}

// nullptr, or why it cannot be.
inline const char* why_not_attached() {
  auto* allocator = c10::cuda::CUDACachingAllocator::get();
  if (!allocator || !allocator->initialized()) return "CUDA is not initialised";
  return nullptr;
}

// Once a process, after CUDA is initialised: before, the allocator's loop over devices is empty. False with a Python exception set.
inline bool attach_to_cuda() {
  static bool is_attached = false;
  if (is_attached) return true;
  if (const char* why = why_not_attached()) {
    PyErr_SetString(PyExc_RuntimeError, why);
    return false;
  }
  try {
    c10::cuda::CUDACachingAllocator::attachAllocatorTraceTracker([](const auto& entry) {
      try {
        write_cuda_allocation(entry);
      } catch (...) {
        area.drop(1);
      }
    });
  } catch (const c10::Error& error) {
    PyErr_Format(PyExc_RuntimeError, "torch's allocator \"%s\" cannot be watched: %s", c10::cuda::CUDACachingAllocator::name().c_str(), error.what_without_backtrace());
    return false;
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return false;
  }
  is_attached = true;
  return true;
}

}  // namespace tensorscope

#else

namespace tensorscope {

inline bool attach_to_cuda() {
  PyErr_SetString(PyExc_RuntimeError, "the probe was built without CUDA's headers");
  return false;
}

}  // namespace tensorscope

#endif
