/* Wrong arguments of collectives: the error class is right, no process blocks, and the communicator
 * works afterwards.
 *
 * sizes: 1 2 3 4 5 7 8
 */

#include "coll.h"

static int rank, size;

static void expect_class(int line, int code, int wanted) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) OK(MPI_Error_class(code, &class));
    if (class != wanted) fail_at(line, "error class", class, wanted);
}
#define REFUSED(class, call) expect_class(__LINE__, call, class)

static void nothing(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)in, (void)inout, (void)length, (void)type;
}

/* All processes make the same mistake. */
static void test_arguments(MPI_Comm comm) {
    int *in = calloc((size_t)size, sizeof(int)), *out = calloc((size_t)size, sizeof(int));
    int *lengths = calloc((size_t)size, sizeof(int)), *places = calloc((size_t)size, sizeof(int));
    wchar_t text = 'a', other;
    MPI_Request request;
    MPI_Datatype type;
    lengths[size - 1] = -1;
    REFUSED(MPI_ERR_COMM, MPI_Bcast(in, 1, MPI_INT, 0, MPI_COMM_NULL));
    REFUSED(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    REFUSED(MPI_ERR_COUNT, MPI_Bcast(in, -1, MPI_INT, 0, comm));
    REFUSED(MPI_ERR_COUNT, MPI_Bcast(NULL, -1, MPI_DATATYPE_NULL, -9, comm));
    REFUSED(MPI_ERR_TYPE, MPI_Bcast(NULL, 1, MPI_DATATYPE_NULL, -9, comm));
    REFUSED(MPI_ERR_BUFFER, MPI_Bcast(NULL, 1, MPI_INT, -9, comm));
    REFUSED(MPI_ERR_BUFFER, MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm));
    REFUSED(MPI_ERR_ROOT, MPI_Bcast(in, 1, MPI_INT, size, comm));
    REFUSED(MPI_ERR_ROOT, MPI_Bcast(in, 1, MPI_INT, -1, comm));
    REFUSED(MPI_ERR_ROOT, MPI_Reduce(in, out, 1, MPI_INT, MPI_OP_NULL, size, comm));
    REFUSED(MPI_ERR_ROOT, MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, MPI_PROC_NULL, comm));
    REFUSED(MPI_ERR_OP, MPI_Allreduce(in, out, 1, MPI_INT, MPI_OP_NULL, comm));
    REFUSED(MPI_ERR_OP, MPI_Allreduce(&text, &other, 1, MPI_WCHAR, MPI_SUM, comm));
    REFUSED(MPI_ERR_OP, MPI_Allreduce(in, out, 0, MPI_DOUBLE, MPI_BAND, comm));
    REFUSED(MPI_ERR_OP, MPI_Scan(in, out, 1, MPI_INT, MPI_MINLOC, comm));
    REFUSED(MPI_ERR_OP, MPI_Reduce(in, out, 1, MPI_INT, MPI_REPLACE, 0, comm));
    REFUSED(MPI_ERR_OP, MPI_Reduce_local(in, out, 1, MPI_FLOAT, MPI_LAND));
    REFUSED(MPI_ERR_BUFFER, MPI_Allreduce(in, in, 1, MPI_INT, MPI_SUM, comm));
    REFUSED(MPI_ERR_BUFFER, MPI_Allreduce(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm));
    REFUSED(MPI_ERR_BUFFER, MPI_Alltoall(in, 1, MPI_INT, in, 1, MPI_INT, comm));
    REFUSED(MPI_ERR_COUNT, MPI_Allgatherv(in, 1, MPI_INT, out, lengths, places, MPI_INT, comm));
    REFUSED(MPI_ERR_COUNT, MPI_Alltoallv(in, lengths, places, MPI_INT, out, lengths, places,
                                         MPI_INT, comm));
    REFUSED(MPI_ERR_COUNT, MPI_Reduce_scatter(in, out, lengths, MPI_INT, MPI_SUM, comm));
    REFUSED(MPI_ERR_ARG, MPI_Allgatherv(in, 1, MPI_INT, out, NULL, places, MPI_INT, comm));
    REFUSED(MPI_ERR_ARG, MPI_Ibarrier(comm, NULL));
    REFUSED(MPI_ERR_COUNT, MPI_Ibcast(in, -1, MPI_INT, 0, comm, &request));
    REFUSED(MPI_ERR_ROOT, MPI_Bcast_init(in, 1, MPI_INT, size, comm, MPI_INFO_NULL, &request));
    OK(MPI_Type_contiguous(2, MPI_INT, &type));
    REFUSED(MPI_ERR_TYPE, MPI_Bcast(in, 1, type, 0, comm));
    OK(MPI_Type_commit(&type));
    REFUSED(MPI_ERR_OP, MPI_Allreduce(NULL, NULL, 0, type, MPI_SUM, comm));
    OK(MPI_Type_free(&type));
    /* MPI_IN_PLACE is valid at the root only. */
    if (rank == 0) {
        lengths[size - 1] = 0;
        OK(MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INT, out, lengths, places, MPI_INT, 0, comm));
    } else {
        REFUSED(MPI_ERR_BUFFER, MPI_Gatherv(MPI_IN_PLACE, 1, MPI_INT, NULL, NULL, NULL, MPI_INT, 0,
                                            comm));
        OK(MPI_Gatherv(in, 0, MPI_INT, NULL, NULL, NULL, MPI_INT, 0, comm));
    }
    free(in);
    free(out);
    free(lengths);
    free(places);
}

/* Some ranks receive less than the others send. */
static void test_truncation(MPI_Comm comm) {
    int data[4] = {1, 2, 3, 4}, sums[4];
    char text[MPI_MAX_ERROR_STRING];
    int length, code;
    if (size == 1) {
        REFUSED(MPI_ERR_TRUNCATE, MPI_Allgather(data, 4, MPI_INT, sums, 2, MPI_INT, comm));
        return;
    }
    code = MPI_Bcast(data, rank == size - 1 ? 2 : 4, MPI_INT, 0, comm);
    REFUSED(rank == size - 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS, code);
    if (rank == size - 1) {
        OK(MPI_Error_string(code, text, &length));
        EQUAL("the text names the collective", strstr(text, "collective") != NULL, 1);
    }
    MPI_Request request;
    OK(MPI_Ibcast(data, rank == size - 1 ? 2 : 4, MPI_INT, 0, comm, &request));
    REFUSED(rank == size - 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS,
            MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Barrier(comm));
}

static void test_requests(MPI_Comm comm) {
    MPI_Request request, freed;
    int data = 0, sum = 0;
    MPI_Op op;
    if (size > 1) {
        /* The request cannot complete before rank 0 enters. */
        if (rank > 0) {
            OK(MPI_Iallreduce(&data, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
            freed = request;
            REFUSED(MPI_ERR_REQUEST, MPI_Request_free(&freed));
            REFUSED(MPI_ERR_REQUEST, MPI_Cancel(&request));
            OK(MPI_Send(&data, 1, MPI_INT, 0, 0, comm));
        } else {
            for (int peer = 1; peer < size; peer++)
                OK(MPI_Recv(&data, 1, MPI_INT, peer, 0, comm, MPI_STATUS_IGNORE));
            OK(MPI_Iallreduce(&data, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
        }
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    OK(MPI_Op_create(nothing, 1, &op));
    OK(MPI_Op_free(&op));
    EQUAL("freed operation", op == MPI_OP_NULL, 1);
    REFUSED(MPI_ERR_OP, MPI_Allreduce(&data, &sum, 1, MPI_INT, op, comm));
    op = MPI_SUM;
    REFUSED(MPI_ERR_OP, MPI_Op_free(&op));
}

static void test(MPI_Comm comm) {
    int one = 1, sum;
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    test_arguments(comm);
    test_truncation(comm);
    if (comm != MPI_COMM_SELF) test_requests(comm);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL("all ranks take part", sum, size);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    on_communicators(test);
    return end();
}
