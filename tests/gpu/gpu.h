/* Memory of devices for test programs, by libcuda.so.1, which is opened at run time.
 *
 * A program opens the driver before or after MPI_Init. Each buffer has a copy in the host's memory
 * by which it is filled and compared. */
#ifndef TESTS_GPU_GPU_H
#define TESTS_GPU_GPU_H

#include "cuda.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUresult (*cu_init)(unsigned);
static CUresult (*cu_count)(int *);
static CUresult (*cu_retain)(CUcontext *, CUdevice);
static CUresult (*cu_set_current)(CUcontext);
static CUresult (*cu_get_current)(CUcontext *);
static CUresult (*cu_alloc)(CUdeviceptr *, size_t);
static CUresult (*cu_alloc_async)(CUdeviceptr *, size_t, CUstream);
static CUresult (*cu_alloc_managed)(CUdeviceptr *, size_t, unsigned);
static CUresult (*cu_alloc_host)(void **, size_t, unsigned);
static CUresult (*cu_free)(CUdeviceptr);
static CUresult (*cu_free_host)(void *);
static CUresult (*cu_to_device)(CUdeviceptr, const void *, size_t);
static CUresult (*cu_to_host)(void *, CUdeviceptr, size_t);

/* Calls a function of the driver, which must succeed. */
#define CU(call)                                                                                   \
    do {                                                                                           \
        CUresult result_ = (call);                                                                 \
        if (result_ != CUDA_SUCCESS) {                                                             \
            fprintf(stderr, "%s:%d: %s gives %d\n", __FILE__, __LINE__, #call, result_);           \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void *gpu_symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "libcuda.so.1 has no %s\n", name);
        abort();
    }
    return found;
}

/* Loads the driver without initialising it. */
static void *gpu_load(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        abort();
    }
    return library;
}

/* Loads the driver and makes a device current. */
static void gpu_open(int device)
{
    void *library = gpu_load();
#define FIND(variable, name) *(void **)&variable = gpu_symbol(library, name)
    FIND(cu_init, "cuInit");
    FIND(cu_count, "cuDeviceGetCount");
    FIND(cu_retain, "cuDevicePrimaryCtxRetain");
    FIND(cu_set_current, "cuCtxSetCurrent");
    FIND(cu_get_current, "cuCtxGetCurrent");
    FIND(cu_alloc, "cuMemAlloc_v2");
    FIND(cu_alloc_async, "cuMemAllocAsync");
    FIND(cu_alloc_managed, "cuMemAllocManaged");
    FIND(cu_alloc_host, "cuMemHostAlloc");
    FIND(cu_free, "cuMemFree_v2");
    FIND(cu_free_host, "cuMemFreeHost");
    FIND(cu_to_device, "cuMemcpyHtoD_v2");
    FIND(cu_to_host, "cuMemcpyDtoH_v2");
#undef FIND
    CUcontext context;
    CU(cu_init(0));
    CU(cu_retain(&context, device));
    CU(cu_set_current(context));
}

/* The kinds of memory that a buffer may have. */
enum gpu_kind { GPU_DEVICE, GPU_POOL, GPU_MANAGED, GPU_PINNED, GPU_HOST, GPU_KINDS };

static const char *const gpu_kind_names[] = {"device", "pool", "managed", "pinned", "host"};

static void *gpu_alloc(enum gpu_kind kind, size_t bytes)
{
    CUdeviceptr address = 0;
    void *host = NULL;
    switch (kind) {
    case GPU_DEVICE: CU(cu_alloc(&address, bytes)); break;
    case GPU_POOL: CU(cu_alloc_async(&address, bytes, NULL)); break;
    case GPU_MANAGED: CU(cu_alloc_managed(&address, bytes, CU_MEM_ATTACH_GLOBAL)); break;
    case GPU_PINNED: CU(cu_alloc_host(&host, bytes, 0)); return host;
    default: return malloc(bytes);
    }
    return (void *)(uintptr_t)address;
}

static void gpu_free(enum gpu_kind kind, void *address)
{
    if (kind == GPU_HOST) {
        free(address);
    } else if (kind == GPU_PINNED) {
        CU(cu_free_host(address));
    } else {
        CU(cu_free((CUdeviceptr)(uintptr_t)address));
    }
}

/* Copies bytes of the host to a buffer of any kind. */
static void gpu_put(void *to, const void *from, size_t bytes)
{
    CU(cu_to_device((CUdeviceptr)(uintptr_t)to, from, bytes));
}

/* Copies bytes of a buffer of any kind to the host. */
static void gpu_get(void *to, const void *from, size_t bytes)
{
    CU(cu_to_host(to, (CUdeviceptr)(uintptr_t)from, bytes));
}

#endif
