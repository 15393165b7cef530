/* Conversions between the handles and statuses of C and Fortran (MPI 5.0, section 19.3): each kind
   of handle comes back as itself, predefined or new, and each form of a status keeps its fields. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int failed;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("conversions: line %d: %s\n", __LINE__, #condition);                            \
            failed = 1;                                                                            \
        }                                                                                          \
    } while (0)

#define COMES_BACK(Kind, handle)                                                                   \
    do {                                                                                           \
        EXPECT(MPI_##Kind##_f2c(MPI_##Kind##_c2f(handle)) == (handle));                            \
        EXPECT(PMPI_##Kind##_f2c(PMPI_##Kind##_c2f(handle)) == (handle));                          \
        EXPECT(MPI_##Kind##_c2f(handle) == (MPI_Fint)MPI_##Kind##_toint(handle));                  \
    } while (0)

static void sum(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    (void)in, (void)inout, (void)count, (void)datatype;
}

static void handles(void)
{
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype row;
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler errhandler;
    MPI_Win win;
    MPI_File file;
    MPI_Request request;
    MPI_Session session;
    char byte = 0;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(comm, &group);
    MPI_Type_contiguous(3, MPI_INTEGER, &row);
    MPI_Op_create(sum, 1, &op);
    MPI_Info_create(&info);
    MPI_Comm_get_errhandler(comm, &errhandler);
    MPI_Win_create(&byte, 1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_File_open(MPI_COMM_SELF, "conversions.file",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_Recv_init(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);

    COMES_BACK(Comm, MPI_COMM_WORLD);
    COMES_BACK(Comm, MPI_COMM_NULL);
    COMES_BACK(Comm, comm);
    COMES_BACK(Group, MPI_GROUP_EMPTY);
    COMES_BACK(Group, group);
    COMES_BACK(Type, MPI_INTEGER);
    COMES_BACK(Type, MPI_DOUBLE_PRECISION);
    COMES_BACK(Type, MPI_LOGICAL);
    COMES_BACK(Type, MPI_COMPLEX);
    COMES_BACK(Type, MPI_2INTEGER);
    COMES_BACK(Type, row);
    COMES_BACK(Op, MPI_SUM);
    COMES_BACK(Op, op);
    COMES_BACK(Info, MPI_INFO_ENV);
    COMES_BACK(Info, info);
    COMES_BACK(Errhandler, MPI_ERRORS_RETURN);
    COMES_BACK(Errhandler, errhandler);
    COMES_BACK(Win, MPI_WIN_NULL);
    COMES_BACK(Win, win);
    COMES_BACK(File, MPI_FILE_NULL);
    COMES_BACK(File, file);
    COMES_BACK(Request, MPI_REQUEST_NULL);
    COMES_BACK(Request, request);
    COMES_BACK(Message, MPI_MESSAGE_NO_PROC);
    COMES_BACK(Session, MPI_SESSION_NULL);
    COMES_BACK(Session, session);

    MPI_Session_finalize(&session);
    MPI_Request_free(&request);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Errhandler_free(&errhandler);
    MPI_Info_free(&info);
    MPI_Op_free(&op);
    MPI_Type_free(&row);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
}

/* Whether a status tells of 3 bytes from rank 0 with tag 5. */
static int is_right(const MPI_Status *status)
{
    int count = -1;
    MPI_Get_count(status, MPI_BYTE, &count);
    return status->MPI_SOURCE == 0 && status->MPI_TAG == 5 && count == 3;
}

static void statuses(void)
{
    MPI_Status status, other;
    MPI_F08_status of_f08, other_f08;
    MPI_Fint of_f[MPI_F_STATUS_SIZE], other_f[MPI_F_STATUS_SIZE];
    char text[4] = "abc", got[4];

    MPI_Sendrecv(text, 3, MPI_BYTE, 0, 5, got, 4, MPI_BYTE, 0, 5, MPI_COMM_SELF, &status);
    EXPECT(is_right(&status));
    EXPECT(MPI_Status_c2f(&status, of_f) == MPI_SUCCESS);
    EXPECT(of_f[MPI_F_SOURCE] == 0 && of_f[MPI_F_TAG] == 5);
    EXPECT(MPI_Status_f2f08(of_f, &of_f08) == MPI_SUCCESS);
    EXPECT(of_f08.MPI_SOURCE == 0 && of_f08.MPI_TAG == 5);
    memset(&other, 255, sizeof other);
    EXPECT(MPI_Status_f082c(&of_f08, &other) == MPI_SUCCESS && is_right(&other));
    EXPECT(MPI_Status_c2f08(&status, &other_f08) == MPI_SUCCESS);
    EXPECT(MPI_Status_f082f(&other_f08, other_f) == MPI_SUCCESS);
    memset(&other, 255, sizeof other);
    EXPECT(PMPI_Status_f2c(other_f, &other) == MPI_SUCCESS && is_right(&other));

    /* An ignored status cannot be converted. */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int code = MPI_Status_c2f(MPI_STATUS_IGNORE, of_f), class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    EXPECT(class == MPI_ERR_ARG);
    code = MPI_Status_f2c(MPI_F_STATUS_IGNORE, &status);
    MPI_Error_class(code, &class);
    EXPECT(class == MPI_ERR_ARG);
    code = MPI_Status_f082c(MPI_F08_STATUS_IGNORE, &status);
    MPI_Error_class(code, &class);
    EXPECT(class == MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    handles();
    statuses();
    MPI_Finalize();
    return failed;
}
