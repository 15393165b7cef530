/* What tests use of MPI, as Open MPI's header declares it. */
#include <stddef.h>
#include <stdint.h>

#define OBJECT(name, bytes) extern struct { char is_opaque[bytes]; } name
OBJECT(ompi_mpi_comm_world, 512);
OBJECT(ompi_mpi_byte, 512);
OBJECT(ompi_mpi_char, 512);
OBJECT(ompi_mpi_double, 512);
OBJECT(ompi_mpi_int, 512);
OBJECT(ompi_mpi_long, 512);
OBJECT(ompi_mpi_op_sum, 2048);
OBJECT(ompi_mpi_info_null, 256);

typedef void *MPI_Comm, *MPI_Datatype, *MPI_Info, *MPI_Op, *MPI_Request, *MPI_Win;
typedef ptrdiff_t MPI_Aint;
typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled;
    size_t bytes;
} MPI_Status;

#define MPI_COMM_WORLD ((MPI_Comm)&ompi_mpi_comm_world)
#define MPI_BYTE ((MPI_Datatype)&ompi_mpi_byte)
#define MPI_CHAR ((MPI_Datatype)&ompi_mpi_char)
#define MPI_INT ((MPI_Datatype)&ompi_mpi_int)
#define MPI_DOUBLE ((MPI_Datatype)&ompi_mpi_double)
#define MPI_LONG ((MPI_Datatype)&ompi_mpi_long)
#define MPI_SUM ((MPI_Op)&ompi_mpi_op_sum)
#define MPI_INFO_NULL ((MPI_Info)&ompi_mpi_info_null)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
enum { MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -1 };
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };

int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Initialized(int *flag);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info);
int MPI_Info_get_string(MPI_Info info, const char *key, int *length, char *value, int *flag);
int MPI_Info_free(MPI_Info *info);
int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status);
int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Send_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Request_free(MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm);
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm);
int MPI_Allgather(const void *in, int count, MPI_Datatype type, void *out, int out_count,
                  MPI_Datatype out_type, MPI_Comm comm);
int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base,
                     MPI_Win *window);
int MPI_Win_free(MPI_Win *window);
int MPI_Win_fence(int assertion, MPI_Win window);
int MPI_Win_lock_all(int assertion, MPI_Win window);
int MPI_Win_unlock_all(MPI_Win window);
int MPI_Win_flush(int target, MPI_Win window);
int MPI_Put(const void *in, int count, MPI_Datatype type, int target, MPI_Aint offset,
            int target_count, MPI_Datatype target_type, MPI_Win window);
int MPI_Fetch_and_op(const void *in, void *out, MPI_Datatype type, int target, MPI_Aint offset,
                     MPI_Op op, MPI_Win window);
