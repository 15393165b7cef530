/* The second part of libcuda.c: streams, copies, and memory of other processes. */

/* ---- streams --------------------------------------------------------------------------------- */

enum work { COPY, FILL };

struct operation {
    struct operation *next;
    enum work work;
    void *to;
    const void *from;
    size_t bytes;
    unsigned char value;
    uint64_t due_ns;
    uint64_t turn;
};

struct stream {
    struct stream *next;
    struct operation *first, **last;
    uint64_t turns; /* operations that were added */
    unsigned flags;
};

struct event {
    CUstream stream;
    uint64_t turn;
};

static struct stream usual; /* the null stream */
static struct stream *streams;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static CUstream stream_of(CUstream stream)
{
    CUstream found = stream ? stream : &usual;
    if (!found->last) found->last = &found->first;
    return found;
}

static void carry_out(const struct operation *op)
{
    char *to = reach(op->to, op->bytes);
    const char *from = op->work == COPY ? reach(op->from, op->bytes) : NULL;
    if (op->work == FILL && to) memset(to, op->value, op->bytes);
    if (op->work == COPY && to && from) memmove(to, from, op->bytes);
}

/* Carries out the operations of a stream up to a turn, or only those whose time has come. */
static void finish(CUstream stream, uint64_t turn, uint64_t time)
{
    while (stream->first && stream->first->turn <= turn && stream->first->due_ns <= time) {
        struct operation *op = stream->first;
        stream->first = op->next;
        if (!stream->first) stream->last = &stream->first;
        carry_out(op);
        free(op);
    }
}

static void finish_all(void)
{
    finish(stream_of(NULL), UINT64_MAX, UINT64_MAX);
    for (CUstream stream = streams; stream; stream = stream->next)
        finish(stream_of(stream), UINT64_MAX, UINT64_MAX);
}

/* What the null stream waits for: all streams but those that asked not to be waited for. */
static void finish_blocking(void)
{
    finish(stream_of(NULL), UINT64_MAX, UINT64_MAX);
    for (CUstream stream = streams; stream; stream = stream->next) {
        if (!(stream->flags & CU_STREAM_NON_BLOCKING))
            finish(stream_of(stream), UINT64_MAX, UINT64_MAX);
    }
}

static CUresult add(CUstream stream, struct operation op)
{
    if (!reach(op.to, op.bytes) || (op.work == COPY && !reach(op.from, op.bytes)))
        return CUDA_ERROR_INVALID_VALUE;
    struct operation *added = malloc(sizeof *added);
    if (!added) return CUDA_ERROR_OUT_OF_MEMORY;
    stream = stream_of(stream);
    *added = op;
    added->next = NULL;
    added->due_ns = now_ns() + (uint64_t)number_of("FAKE_CUDA_DELAY_US", 200) * 1000;
    added->turn = ++stream->turns;
    *stream->last = added;
    stream->last = &added->next;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    ENTER();
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    CUstream made = calloc(1, sizeof *made);
    if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
    made->flags = flags;
    pthread_mutex_lock(&lock);
    made->next = streams;
    streams = made;
    pthread_mutex_unlock(&lock);
    *stream = made;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamDestroy_v2(CUstream stream)
{
    ENTER();
    pthread_mutex_lock(&lock);
    for (struct stream **at = &streams; *at; at = &(*at)->next) {
        if (*at == stream) {
            *at = stream->next;
            finish(stream_of(stream), UINT64_MAX, UINT64_MAX);
            free(stream);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamSynchronize(CUstream stream)
{
    ENTER();
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    if (!stream) finish_blocking();
    finish(stream_of(stream), UINT64_MAX, UINT64_MAX);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamQuery(CUstream stream)
{
    ENTER();
    pthread_mutex_lock(&lock);
    finish(stream_of(stream), UINT64_MAX, now_ns());
    bool busy = stream_of(stream)->first != NULL;
    pthread_mutex_unlock(&lock);
    return busy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSynchronize(void)
{
    ENTER();
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    finish_all();
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    ENTER();
    (void)flags;
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    *event = calloc(1, sizeof **event);
    return *event ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult cuEventDestroy_v2(CUevent event)
{
    ENTER();
    free(event);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream)
{
    ENTER();
    pthread_mutex_lock(&lock);
    event->stream = stream_of(stream);
    event->turn = event->stream->turns;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventQuery(CUevent event)
{
    ENTER();
    bool busy = false;
    pthread_mutex_lock(&lock);
    if (event->stream) {
        finish(event->stream, event->turn, now_ns());
        busy = event->stream->first && event->stream->first->turn <= event->turn;
    }
    pthread_mutex_unlock(&lock);
    return busy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

EXPORT CUresult cuEventSynchronize(CUevent event)
{
    ENTER();
    pthread_mutex_lock(&lock);
    if (event->stream) finish(event->stream, event->turn, UINT64_MAX);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    ENTER();
    (void)stream;
    (void)flags;
    pthread_mutex_lock(&lock);
    if (event->stream) finish(event->stream, event->turn, UINT64_MAX);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static bool is_on_device(const void *address)
{
    const struct memory *m = memory_at(address);
    return m && m->kind != PINNED_MEMORY && m->kind != REGISTERED_MEMORY;
}

static CUresult copy_now(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    if (bytes == 0) return CUDA_SUCCESS;
    void *target = (void *)(uintptr_t)to;
    const void *source = (const void *)(uintptr_t)from;
    pthread_mutex_lock(&lock);
    struct operation op = {.work = COPY, .to = target, .from = source, .bytes = bytes};
    CUresult result = add(NULL, op);
    /* Between two places of devices the call returns before the copy is done. */
    const struct memory *there = memory_at(target);
    const struct memory *here = memory_at(source);
    bool is_late = is_on_device(target) && is_on_device(source) && !there->sync_memops &&
                   !here->sync_memops;
    if (!is_late) finish_blocking();
    pthread_mutex_unlock(&lock);
    return result;
}

EXPORT CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    ENTER();
    return copy_now(to, from, bytes);
}

EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    ENTER();
    return copy_now(to, (CUdeviceptr)(uintptr_t)from, bytes);
}

EXPORT CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    ENTER();
    return copy_now((CUdeviceptr)(uintptr_t)to, from, bytes);
}

EXPORT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    ENTER();
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    if (bytes == 0) return CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    struct operation op = {.work = COPY, .to = (void *)(uintptr_t)to,
                           .from = (const void *)(uintptr_t)from, .bytes = bytes};
    CUresult result = add(stream, op);
    pthread_mutex_unlock(&lock);
    return result;
}

EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    ENTER();
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    size_t width = copy->WidthInBytes, height = copy->Height;
    if (width == 0 || height == 0) return CUDA_SUCCESS;
    bool rows = height > 1;
    if (rows && (copy->srcPitch < width || copy->dstPitch < width || copy->srcPitch > INT32_MAX ||
                 copy->dstPitch > INT32_MAX))
        return CUDA_ERROR_INVALID_VALUE;
    bool from_host = copy->srcMemoryType == CU_MEMORYTYPE_HOST;
    bool to_host = copy->dstMemoryType == CU_MEMORYTYPE_HOST;
    const char *from = from_host ? copy->srcHost : (const char *)(uintptr_t)copy->srcDevice;
    char *to = to_host ? copy->dstHost : (char *)(uintptr_t)copy->dstDevice;
    from += copy->srcY * copy->srcPitch + copy->srcXInBytes;
    to += copy->dstY * copy->dstPitch + copy->dstXInBytes;
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    for (size_t row = 0; row < height && result == CUDA_SUCCESS; row++) {
        struct operation op = {.work = COPY, .to = to + row * copy->dstPitch,
                               .from = from + row * copy->srcPitch, .bytes = width};
        result = add(stream, op);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
    ENTER();
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    struct operation op = {
        .work = FILL, .to = (void *)(uintptr_t)to, .bytes = bytes, .value = value};
    CUresult result = add(stream, op);
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- other processes ------------------------------------------------------------------------- */

EXPORT CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address)
{
    ENTER();
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    struct stat status;
    pthread_mutex_lock(&lock);
    const struct memory *m = memory_at((void *)(uintptr_t)address);
    if (m && m->kind == DEVICE_MEMORY && fstat(m->file, &status) == 0) {
        struct handle made = {MAGIC, getpid(), m->file, visible[m->device],
                              m->bytes, status.st_ino, m->number,
                              (uint64_t)(uintptr_t)m->address};
        memset(handle, 0, sizeof *handle);
        memcpy(handle, &made, sizeof made);
        result = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static CUresult open_memory(CUdeviceptr *address, const struct handle *handle)
{
    for (struct memory *m = memories; m; m = m->next) {
        if (m->kind == OPENED_MEMORY && m->inode == handle->inode) {
            m->opened++;
            *address = (CUdeviceptr)(uintptr_t)m->address;
            return CUDA_SUCCESS;
        }
    }
    for (const struct memory *m = memories; m; m = m->next) {
        if (m->kind == OPENED_MEMORY && m->owner == handle->pid &&
            m->owners_address < handle->address + handle->bytes &&
            handle->address < m->owners_address + m->bytes)
            return CUDA_ERROR_ALREADY_MAPPED;
    }
    int device = -1;
    for (int i = 0; i < visible_number; i++)
        if (visible[i] == handle->device) device = i;
    bool reaches = device == current()->device || number_of("FAKE_CUDA_PEER", 1) != 0;
    if (device < 0) return CUDA_ERROR_INVALID_DEVICE;
    if (!reaches) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", handle->pid, handle->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    struct stat status;
    if (file < 0) return CUDA_ERROR_INVALID_VALUE;
    if (fstat(file, &status) != 0 || status.st_ino != handle->inode) {
        close(file);
        return CUDA_ERROR_INVALID_VALUE;
    }
    size_t pages = whole_pages(handle->bytes);
    struct memory *m = calloc(1, sizeof *m);
    char *seen = mmap(NULL, pages, PROT_NONE, MAP_SHARED, file, 0);
    char *alias = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (!m || seen == MAP_FAILED || alias == MAP_FAILED) {
        free(m);
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *m = (struct memory){.next = memories, .address = seen, .alias = alias, .bytes = handle->bytes,
                         .pages = pages, .file = file, .number = ++last_number,
                         .inode = status.st_ino, .owner = handle->pid,
                         .owners_address = handle->address, .kind = OPENED_MEMORY,
                         .device = device, .opened = 1};
    memories = m;
    *address = (CUdeviceptr)(uintptr_t)seen;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle given, unsigned flags)
{
    ENTER();
    struct handle handle;
    memcpy(&handle, &given, sizeof handle);
    if (!current() || handle.pid == getpid()) return CUDA_ERROR_INVALID_CONTEXT;
    if (handle.magic != MAGIC || flags != 1) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    CUresult result = open_memory(address, &handle);
    pthread_mutex_unlock(&lock);
    return result;
}

EXPORT CUresult cuIpcCloseMemHandle(CUdeviceptr address)
{
    ENTER();
    return release_locked(address, true);
}
