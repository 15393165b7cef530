/* A driver of graphics processors without hardware: libcuda.so.1 for tests.
 *
 * Memory of a device is a memfd that is mapped twice: without any access at the address that the
 * program gets, and readable and writable at an address that only this library knows. So a load or
 * a store of the processor at a device address ends the process at that instruction, the kernel's
 * copies between processes fail with EFAULT, and the copies of this library work.
 *
 * What goes wrong with real drivers is provoked on purpose:
 *   - An address is used again by the next allocation of as many pages.
 *   - Copies on a stream are carried out when the stream or an event behind them is synchronised,
 *     or when a query finds that their delay is over; a missing synchronisation leaves old bytes.
 *   - A copy from device to device by cuMemcpy is carried out later, too, unless the memory has the
 *     attribute SYNC_MEMOPS.
 *   - Copies need a current context. A new thread has none.
 *   - Memory of a pool (cuMemAllocAsync) has no handle for other processes.
 *   - A mapping of another process's memory shows that memory, also when it is freed. Until it is
 *     closed, memory that the process allocates at the same addresses cannot be mapped. A mapping
 *     that is left open when the process ends is told on standard error.
 *   - A copy from or to memory that was freed is refused.
 *
 * Variables:
 *   FAKE_CUDA_DEVICES=N         number of devices (default 1)
 *   CUDA_VISIBLE_DEVICES=1,0    which of them this process sees, in which order
 *   FAKE_CUDA_PEER=0            no device reaches the memory of another
 *   FAKE_CUDA_STALE=1           a handle of freed memory opens, and shows the old bytes
 *   FAKE_CUDA_DELAY_US=N        how long a copy on a stream takes for a query (default 200)
 *   FAKE_CUDA_LOG=FILE          appends a line "function calls" for each function at exit
 */
#define _GNU_SOURCE
#include "cuda.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { DEVICES_MAX = 16, CONTEXTS_DEPTH = 16, COUNTED_MAX = 64 };

/* ---- counting -------------------------------------------------------------------------------- */

static struct counter {
    const char *name;
    unsigned long calls;
} counters[COUNTED_MAX];
static int counter_number;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static bool is_initialised, is_over;

static void count_call(const char *name, int *slot)
{
    pthread_mutex_lock(&counting);
    if (*slot < 0 && counter_number < COUNTED_MAX) {
        *slot = counter_number++;
        counters[*slot].name = name;
    }
    if (*slot >= 0) counters[*slot].calls++;
    pthread_mutex_unlock(&counting);
}

/* Begins each function: counts the call, and refuses it before cuInit and at the end. */
#define COUNTED()                                                                                  \
    static int slot_ = -1;                                                                         \
    count_call(__func__, &slot_);                                                                  \
    if (is_over) return CUDA_ERROR_DEINITIALIZED
#define ENTER()                                                                                    \
    COUNTED();                                                                                     \
    if (!is_initialised) return CUDA_ERROR_NOT_INITIALIZED

/* How often a function has been called. For programs that count. */
EXPORT unsigned long fake_cuda_calls(const char *name)
{
    unsigned long calls = 0;
    pthread_mutex_lock(&counting);
    for (int i = 0; i < counter_number; i++)
        if (strcmp(counters[i].name, name) == 0) calls = counters[i].calls;
    pthread_mutex_unlock(&counting);
    return calls;
}

static long number_of(const char *variable, long usual)
{
    const char *text = getenv(variable);
    return text && *text ? strtol(text, NULL, 10) : usual;
}

static void tell_mappings(void);

static __attribute__((destructor)) void end(void)
{
    is_over = true;
    tell_mappings();
    const char *path = getenv("FAKE_CUDA_LOG");
    if (!path || !*path) return;
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return;
    char line[128];
    for (int i = 0; i < counter_number; i++) {
        int length = snprintf(line, sizeof line, "%s %lu\n", counters[i].name, counters[i].calls);
        if (write(file, line, (size_t)length) != length) break;
    }
    close(file);
}

/* ---- devices and contexts -------------------------------------------------------------------- */

struct context {
    int device;
};

static struct context primary[DEVICES_MAX];
/* The number of each visible device among all of the host. */
static int visible[DEVICES_MAX];
static int visible_number;
static _Thread_local CUcontext contexts[CONTEXTS_DEPTH];
static _Thread_local int depth;

static CUcontext current(void)
{
    return depth > 0 ? contexts[depth - 1] : NULL;
}

EXPORT CUresult cuInit(unsigned flags)
{
    COUNTED();
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    if (is_initialised) return CUDA_SUCCESS;
    long all = number_of("FAKE_CUDA_DEVICES", 1);
    if (all > DEVICES_MAX) all = DEVICES_MAX;
    const char *chosen = getenv("CUDA_VISIBLE_DEVICES");
    if (!chosen) {
        for (int i = 0; i < all; i++) visible[visible_number++] = i;
    }
    while (chosen && *chosen && visible_number < DEVICES_MAX) {
        char *rest;
        long device = strtol(chosen, &rest, 10);
        if (rest == chosen || device < 0 || device >= all) break;
        visible[visible_number++] = (int)device;
        chosen = *rest == ',' ? rest + 1 : rest;
    }
    if (visible_number == 0) return CUDA_ERROR_NO_DEVICE;
    for (int i = 0; i < visible_number; i++) primary[i].device = i;
    is_initialised = true;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDriverGetVersion(int *version)
{
    COUNTED();
    *version = 12040;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorString(CUresult error, const char **text)
{
    COUNTED();
    switch (error) {
    case CUDA_SUCCESS: *text = "no error"; break;
    case CUDA_ERROR_INVALID_VALUE: *text = "invalid argument"; break;
    case CUDA_ERROR_OUT_OF_MEMORY: *text = "out of memory"; break;
    case CUDA_ERROR_NOT_INITIALIZED: *text = "initialization error"; break;
    case CUDA_ERROR_DEINITIALIZED: *text = "driver shutting down"; break;
    case CUDA_ERROR_NO_DEVICE: *text = "no CUDA-capable device is detected"; break;
    case CUDA_ERROR_INVALID_CONTEXT: *text = "invalid device context"; break;
    case CUDA_ERROR_ALREADY_MAPPED: *text = "resource already mapped"; break;
    case CUDA_ERROR_PEER_ACCESS_UNSUPPORTED: *text = "peer access is not supported"; break;
    case CUDA_ERROR_NOT_READY: *text = "device not ready"; break;
    default: *text = NULL; return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count)
{
    ENTER();
    *count = visible_number;
    return CUDA_SUCCESS;
}

static bool is_device(CUdevice device)
{
    return device >= 0 && device < visible_number;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    ENTER();
    if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    ENTER();
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    snprintf(name, (size_t)length, "Fake %d", visible[device]);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    ENTER();
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    memset(uuid->bytes, 0x5a, sizeof uuid->bytes);
    uuid->bytes[15] = (char)visible[device];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
    ENTER();
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    *value = attribute == 41; /* UNIFIED_ADDRESSING */
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    ENTER();
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    *bytes = (size_t)16 << 30;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    ENTER();
    if (!is_device(device) || !is_device(peer)) return CUDA_ERROR_INVALID_DEVICE;
    *can = device != peer && number_of("FAKE_CUDA_PEER", 1) != 0;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    ENTER();
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    *context = &primary[device];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    ENTER();
    return is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *context)
{
    ENTER();
    *context = current();
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSetCurrent(CUcontext context)
{
    ENTER();
    if (depth == 0) depth = 1;
    contexts[depth - 1] = context;
    if (!context) depth--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    ENTER();
    if (!context || depth == CONTEXTS_DEPTH) return CUDA_ERROR_INVALID_CONTEXT;
    contexts[depth++] = context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    ENTER();
    if (depth == 0) return CUDA_ERROR_INVALID_CONTEXT;
    depth--;
    if (context) *context = contexts[depth];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetDevice(CUdevice *device)
{
    ENTER();
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    *device = current()->device;
    return CUDA_SUCCESS;
}

/* ---- memory ---------------------------------------------------------------------------------- */

enum kind {
    DEVICE_MEMORY,
    POOL_MEMORY,
    MANAGED_MEMORY,
    PINNED_MEMORY,
    REGISTERED_MEMORY,
    OPENED_MEMORY
};

/* An allocation, or memory of another process that this one has opened. */
struct memory {
    struct memory *next;
    char *address; /* what the program knows */
    char *alias;   /* where the bytes can be reached */
    size_t bytes, pages;
    int file;
    uint64_t number; /* BUFFER_ID */
    ino_t inode;     /* of opened memory */
    int32_t owner;   /* of opened memory: the process, and where it has it */
    uint64_t owners_address;
    enum kind kind;
    int device;
    int opened; /* how often */
    unsigned sync_memops;
};

/* Addresses of freed memory, which are used again. */
struct hole {
    struct hole *next;
    char *address;
    size_t pages;
};

static struct memory *memories;
static struct hole *holes;
static uint64_t last_number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What a handle for other processes has in its 64 bytes. */
struct handle {
    uint32_t magic;
    int32_t pid, file;
    int32_t device; /* among all of the host */
    uint64_t bytes, inode, number, address;
};
enum { MAGIC = 0x4655ca1d };

static void tell_mappings(void)
{
    for (const struct memory *m = memories; m; m = m->next)
        if (m->kind == OPENED_MEMORY)
            fprintf(stderr, "libcuda: %zu bytes of process %d are still mapped\n", m->bytes,
                    m->owner);
}

static size_t whole_pages(size_t bytes)
{
    return (bytes + 4095) & ~(size_t)4095;
}

static struct memory *memory_at(const void *address)
{
    for (struct memory *m = memories; m; m = m->next) {
        if ((const char *)address >= m->address && (const char *)address < m->address + m->bytes)
            return m;
    }
    return NULL;
}

/* Where the bytes of a range can be reached; NULL if it goes beyond its allocation, or was freed.
 * Memory that is not known is that of the host. */
static char *reach(const void *address, size_t bytes)
{
    struct memory *m = memory_at(address);
    if (!m) {
        for (const struct hole *hole = holes; hole; hole = hole->next) {
            const char *at = address;
            if (at >= hole->address && at < hole->address + hole->pages) return NULL;
        }
        return (char *)(uintptr_t)address;
    }
    size_t offset = (size_t)((const char *)address - m->address);
    return bytes <= m->bytes - offset ? m->alias + offset : NULL;
}

static CUresult allocate(CUdeviceptr *address, size_t bytes, enum kind kind)
{
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    size_t pages = whole_pages(bytes);
    int file = memfd_create("fake-cuda", MFD_CLOEXEC);
    struct memory *m = calloc(1, sizeof *m);
    if (!m || file < 0 || ftruncate(file, (off_t)pages) != 0) {
        free(m);
        if (file >= 0) close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    char *wanted = NULL;
    for (struct hole **at = &holes; *at && !wanted; at = &(*at)->next) {
        if ((*at)->pages == pages) {
            struct hole *found = *at;
            wanted = found->address;
            *at = found->next;
            free(found);
            break;
        }
    }
    bool touchable = kind == MANAGED_MEMORY || kind == PINNED_MEMORY;
    m->address = mmap(wanted, pages, touchable ? PROT_READ | PROT_WRITE : PROT_NONE,
                      MAP_SHARED | (wanted ? MAP_FIXED : 0), file, 0);
    m->alias = touchable ? m->address
                         : mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (m->address == MAP_FAILED || m->alias == MAP_FAILED) {
        close(file);
        free(m);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    m->bytes = bytes;
    m->pages = pages;
    m->file = file;
    m->number = ++last_number;
    m->kind = kind;
    m->device = current()->device;
    m->next = memories;
    memories = m;
    *address = (CUdeviceptr)(uintptr_t)m->address;
    return CUDA_SUCCESS;
}

static CUresult allocate_locked(CUdeviceptr *address, size_t bytes, enum kind kind)
{
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    CUresult result = allocate(address, bytes, kind);
    pthread_mutex_unlock(&lock);
    return result;
}

static void finish_all(void);

/* Removes memory that begins at an address. The address stays reserved for the next allocation of
 * as many pages. */
static CUresult release(CUdeviceptr address, bool opened)
{
    finish_all();
    for (struct memory **at = &memories; *at; at = &(*at)->next) {
        struct memory *m = *at;
        if ((CUdeviceptr)(uintptr_t)m->address != address || (m->kind == OPENED_MEMORY) != opened)
            continue;
        if (opened && --m->opened > 0) return CUDA_SUCCESS;
        *at = m->next;
        if (m->alias != m->address) munmap(m->alias, m->pages);
        mmap(m->address, m->pages, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        struct hole *hole = malloc(sizeof *hole);
        if (hole) {
            *hole = (struct hole){holes, m->address, m->pages};
            holes = hole;
        }
        /* A stale handle finds the old bytes as long as the file is open. */
        if (!number_of("FAKE_CUDA_STALE", 0)) close(m->file);
        free(m);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult release_locked(CUdeviceptr address, bool opened)
{
    pthread_mutex_lock(&lock);
    CUresult result = release(address, opened);
    pthread_mutex_unlock(&lock);
    return result;
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    ENTER();
    return allocate_locked(address, bytes, DEVICE_MEMORY);
}

EXPORT CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    ENTER();
    (void)stream;
    return allocate_locked(address, bytes, POOL_MEMORY);
}

EXPORT CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    ENTER();
    if (flags != CU_MEM_ATTACH_GLOBAL) return CUDA_ERROR_INVALID_VALUE;
    return allocate_locked(address, bytes, MANAGED_MEMORY);
}

EXPORT CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
    ENTER();
    (void)flags;
    CUdeviceptr found = 0;
    CUresult result = allocate_locked(&found, bytes, PINNED_MEMORY);
    if (result == CUDA_SUCCESS) *address = (void *)(uintptr_t)found;
    return result;
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr address)
{
    ENTER();
    return address ? release_locked(address, false) : CUDA_SUCCESS;
}

EXPORT CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    ENTER();
    (void)stream;
    return release_locked(address, false);
}

EXPORT CUresult cuMemFreeHost(void *address)
{
    ENTER();
    return release_locked((CUdeviceptr)(uintptr_t)address, false);
}

EXPORT CUresult cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags)
{
    ENTER();
    (void)flags;
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    if (!address || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    pthread_mutex_lock(&lock);
    if (!memory_at(address) && !memory_at((char *)address + bytes - 1)) {
        struct memory *m = calloc(1, sizeof *m);
        result = m ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
        if (m) {
            *m = (struct memory){.next = memories, .address = address, .alias = address,
                                 .bytes = bytes, .pages = whole_pages(bytes), .file = -1,
                                 .number = ++last_number, .kind = REGISTERED_MEMORY,
                                 .device = current()->device};
            memories = m;
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

EXPORT CUresult cuMemHostUnregister(void *address)
{
    ENTER();
    CUresult result = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    pthread_mutex_lock(&lock);
    finish_all();
    for (struct memory **at = &memories; *at; at = &(*at)->next) {
        if ((*at)->address == address && (*at)->kind == REGISTERED_MEMORY) {
            struct memory *found = *at;
            *at = found->next;
            free(found);
            result = CUDA_SUCCESS;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *address, unsigned flags)
{
    ENTER();
    pthread_mutex_lock(&lock);
    struct memory *m = memory_at(address);
    bool is_pinned = m && (m->kind == PINNED_MEMORY || m->kind == REGISTERED_MEMORY);
    pthread_mutex_unlock(&lock);
    if (!is_pinned || flags) return CUDA_ERROR_INVALID_VALUE;
    *device = (CUdeviceptr)(uintptr_t)address;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    ENTER();
    pthread_mutex_lock(&lock);
    struct memory *m = memory_at((void *)(uintptr_t)address);
    if (m) {
        if (base) *base = (CUdeviceptr)(uintptr_t)m->address;
        if (bytes) *bytes = m->bytes;
    }
    pthread_mutex_unlock(&lock);
    return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Writes an attribute of memory. False if there is no such attribute. */
static bool attribute(const struct memory *m, int which, void *data)
{
    bool is_host = m->kind == PINNED_MEMORY || m->kind == REGISTERED_MEMORY;
    switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)data = m->kind == POOL_MEMORY ? NULL : &primary[m->device];
        return true;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)data = is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return true;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)data = (CUdeviceptr)(uintptr_t)m->address;
        return true;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *(unsigned *)data = m->sync_memops; return true;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: *(unsigned long long *)data = m->number; return true;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)data = m->kind == MANAGED_MEMORY;
        return true;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)data = m->device; return true;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        *(unsigned *)data = m->kind == DEVICE_MEMORY;
        return true;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *(CUdeviceptr *)data = (CUdeviceptr)(uintptr_t)m->address;
        return true;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)data = m->bytes; return true;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *(void **)data = m->kind == POOL_MEMORY ? &memories : NULL;
        return true;
    default: return false;
    }
}

EXPORT CUresult cuPointerGetAttribute(void *data, int which, CUdeviceptr address)
{
    ENTER();
    pthread_mutex_lock(&lock);
    struct memory *m = memory_at((void *)(uintptr_t)address);
    CUresult result = m && attribute(m, which, data) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_unlock(&lock);
    return result;
}

/* The attributes of memory that the driver does not know are zero, without an error. */
EXPORT CUresult cuPointerGetAttributes(unsigned number, const int *which, void **data,
                                       CUdeviceptr address)
{
    ENTER();
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    struct memory *m = memory_at((void *)(uintptr_t)address);
    for (unsigned i = 0; i < number; i++) {
        struct memory zeros = {.kind = REGISTERED_MEMORY};
        if (!attribute(m ? m : &zeros, which[i], data[i])) result = CUDA_ERROR_INVALID_VALUE;
        if (m) continue;
        bool is_wide = which[i] == CU_POINTER_ATTRIBUTE_CONTEXT ||
                       which[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                       which[i] == CU_POINTER_ATTRIBUTE_BUFFER_ID ||
                       which[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
                       which[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE ||
                       which[i] == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
        memset(data[i], which[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL ? 0xff : 0,
               is_wide ? 8 : 4);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

EXPORT CUresult cuPointerSetAttribute(const void *value, int which, CUdeviceptr address)
{
    ENTER();
    if (which != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct memory *m = memory_at((void *)(uintptr_t)address);
    if (m) m->sync_memops = *(const unsigned *)value;
    pthread_mutex_unlock(&lock);
    return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#include "libcuda_streams.h"
