// Stands in for crt/host_defines.h and crt/host_config.h, which pip's CUDA wheels lack: the attribute macros that CUDA's runtime headers use.
// build.py puts it in their place.
#pragma once

#define __no_return__ __attribute__((noreturn))
#define __align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define __cudart_builtin__
#define __device_builtin__
#define __builtin_align__(a) __align__(a)
#define __location__(a)
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __specialization_static
