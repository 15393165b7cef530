/* The functions and data that Fortran libraries built for MPICH need of libmpi.so.12 besides MPI
 * itself, called from C with the conventions of such a library. Prints nothing and exits with 0 if
 * all is right. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTER = 0, ADDRESS = 1, INTEGER = 3 };

int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag, int kind);
int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int kind);
int MPII_Type_get_attr(MPI_Datatype datatype, int keyval, void *value, int *flag, int kind);
int MPII_Type_set_attr(MPI_Datatype datatype, int keyval, void *value, int kind);
int MPII_Win_get_attr(MPI_Win win, int keyval, void *value, int *flag, int kind);
int MPII_Win_set_attr(MPI_Win win, int keyval, void *value, int kind);
typedef int copy_proxy(void *function, int handle, int keyval, void *extra, int kind, void *value,
                       void **copied, int *flag);
typedef int delete_proxy(void *function, int handle, int keyval, int kind, void *value,
                         void *extra);
void MPII_Keyval_set_proxy(int keyval, copy_proxy *copy, delete_proxy *delete);
int MPII_Grequest_set_lang_f77(MPI_Request request);

int MPIX_Comm_revoke(MPI_Comm comm);
int PMPIX_Comm_agree(MPI_Comm comm, int *flag);
int MPIX_Comm_get_stream(MPI_Comm comm, int idx, int *stream);
int MPIX_Stream_create(MPI_Info info, int *stream);
int MPIX_Stream_progress(int stream);
int PMPIX_Start_progress_thread(int stream);
int PMPIX_Stop_progress_thread(int stream);
int MPIX_Threadcomm_init(MPI_Comm comm, int num_threads, MPI_Comm *newthreadcomm);
int MPIX_Send_enqueue_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                        MPI_Comm comm);

enum { STREAM_NULL = 0x3c000000 };

extern int MPIR_F08_MPI_IN_PLACE, MPIR_F08_MPI_BOTTOM, *MPIR_C_MPI_WEIGHTS_EMPTY;
extern MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
/* A Fortran library defines these null pointers, too. The MPI library sets whichever definition the
 * process uses. */
int *MPIR_C_MPI_UNWEIGHTED;

static int failures;

#define CHECK(what)                                                                                \
    ((what) ? (void)0 : (void)(failures++,                                                         \
                               fprintf(stderr, "line %d: false: %s\n", __LINE__, #what)))

/* Fortran subroutines, and the arguments with which they were called. */
static int seen_handle, seen_keyval, copies, deletions, queries, frees, cancels;
static intptr_t seen_value, seen_extra;

static void copy_in_fortran(int *handle, int *keyval, intptr_t *extra, intptr_t *in, intptr_t *out,
                            int *flag, int *ierror)
{
    copies++, seen_handle = *handle, seen_keyval = *keyval, seen_extra = *extra, seen_value = *in;
    *out = *in + 1, *flag = 1, *ierror = MPI_SUCCESS;
}

static void delete_in_fortran(int *handle, int *keyval, intptr_t *value, intptr_t *extra,
                              int *ierror)
{
    deletions++, seen_handle = *handle, seen_keyval = *keyval, seen_extra = *extra,
        seen_value = *value;
    *ierror = *value == 13 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int copy_by_proxy(void *function, int handle, int keyval, void *extra, int kind, void *value,
                         void **copied, int *flag)
{
    intptr_t in = (intptr_t)value, out = 0;
    int ierror = -1;
    CHECK(kind == ADDRESS || kind == INTEGER);
    ((void (*)(int *, int *, intptr_t *, intptr_t *, intptr_t *, int *, int *))function)(
        &handle, &keyval, extra, &in, &out, flag, &ierror);
    *copied = (void *)out;
    return ierror;
}

static int delete_by_proxy(void *function, int handle, int keyval, int kind, void *value,
                           void *extra)
{
    intptr_t in = (intptr_t)value;
    int ierror = -1;
    (void)kind;
    ((void (*)(int *, int *, intptr_t *, intptr_t *, int *))function)(&handle, &keyval, &in, extra,
                                                                      &ierror);
    return ierror;
}

static void query_in_fortran(intptr_t *extra, int *status, int *ierror)
{
    queries++, seen_extra = *extra;
    MPI_Status *c = (MPI_Status *)status;
    MPI_Status_set_elements(c, MPI_INT, 3), MPI_Status_set_cancelled(c, 0);
    c->MPI_SOURCE = 5, c->MPI_TAG = 6, *ierror = MPI_SUCCESS;
}

static void free_in_fortran(intptr_t *extra, int *ierror)
{
    frees++, seen_extra = *extra, *ierror = MPI_SUCCESS;
}

static void cancel_in_fortran(intptr_t *extra, int *complete, int *ierror)
{
    cancels += *complete ? 10 : 1, seen_extra = *extra, *ierror = MPI_SUCCESS;
}

static void ignored_statuses(void)
{
    static int of_fortran[5], also_of_fortran[5];
    MPI_Status status = { 0 };
    MPI_F08_status other;
    CHECK(MPI_F08_STATUS_IGNORE == &MPIR_F08_MPI_STATUS_IGNORE_OBJ &&
          MPI_F08_STATUSES_IGNORE == MPIR_F08_MPI_STATUSES_IGNORE_OBJ);
    CHECK(&MPIR_F08_MPI_IN_PLACE != &MPIR_F08_MPI_BOTTOM);
    CHECK(MPIR_C_MPI_UNWEIGHTED == MPI_UNWEIGHTED && MPIR_C_MPI_WEIGHTS_EMPTY == MPI_WEIGHTS_EMPTY);
    MPI_F_STATUS_IGNORE = of_fortran, MPI_F_STATUSES_IGNORE = also_of_fortran;
    CHECK(MPI_Status_f2c(of_fortran, &status) != MPI_SUCCESS &&
          MPI_Status_f2c(also_of_fortran, &status) != MPI_SUCCESS);
    CHECK(MPI_Status_f2f08(of_fortran, &other) != MPI_SUCCESS &&
          MPI_Status_f082c(MPI_F08_STATUS_IGNORE, &status) != MPI_SUCCESS);
    CHECK(MPI_Status_c2f(MPI_STATUS_IGNORE, of_fortran + 0) != MPI_SUCCESS &&
          MPI_Status_f082f(MPI_F08_STATUSES_IGNORE, of_fortran) != MPI_SUCCESS);
    int place[5] = { 0 };
    status.MPI_SOURCE = 7;
    CHECK(MPI_Status_c2f(&status, place) == MPI_SUCCESS && place[2] == 7);
}

static void predefined_attributes(void)
{
    intptr_t value = 0;
    int flag = 0, *address = NULL, window_memory[4];
    CHECK(MPII_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB + 1, &value, &flag,
                             ADDRESS) == MPI_SUCCESS && flag && value == INT32_MAX);
    CHECK(MPII_Comm_get_attr(MPI_COMM_WORLD, MPI_IO + 1, &value, &flag, INTEGER) == MPI_SUCCESS &&
          flag && value == MPI_ANY_SOURCE);
    CHECK(MPII_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &address, &flag, POINTER) == MPI_SUCCESS &&
          flag && *address == INT32_MAX);
    MPI_Win win;
    MPI_Win_create(window_memory, sizeof window_memory, 4, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    CHECK(MPII_Win_get_attr(win, MPI_WIN_BASE + 1, &value, &flag, ADDRESS) == MPI_SUCCESS && flag &&
          value == (intptr_t)window_memory);
    CHECK(MPII_Win_get_attr(win, MPI_WIN_SIZE + 1, &value, &flag, ADDRESS) == MPI_SUCCESS && flag &&
          value == sizeof window_memory);
    CHECK(MPII_Win_get_attr(win, MPI_WIN_DISP_UNIT + 1, &value, &flag, ADDRESS) == MPI_SUCCESS &&
          flag && value == 4);
    CHECK(MPII_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR + 1, &value, &flag,
                            ADDRESS) == MPI_SUCCESS && flag && value == MPI_WIN_FLAVOR_CREATE);
    CHECK(MPII_Win_get_attr(win, MPI_WIN_MODEL + 1, &value, &flag, ADDRESS) == MPI_SUCCESS &&
          flag && value == MPI_WIN_UNIFIED);
    CHECK(MPII_Win_get_attr(win, MPI_TAG_UB + 1, &value, &flag, ADDRESS) != MPI_SUCCESS);
    CHECK(MPII_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB + 1, &value, &flag, 77) != MPI_SUCCESS);
    MPI_Win_free(&win);
}

/* An attribute that one language sets is read by another (MPI 5.0 §19.3.7). */
static void languages(void)
{
    int keyval, flag, *integer = NULL;
    intptr_t value, *word = NULL;
    MPI_Comm copy;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    CHECK(MPII_Comm_set_attr(MPI_COMM_SELF, keyval, (void *)(intptr_t)-5, INTEGER) == MPI_SUCCESS);
    CHECK(MPI_Comm_get_attr(MPI_COMM_SELF, keyval, &integer, &flag) == MPI_SUCCESS && flag &&
          *integer == -5);
    CHECK(MPII_Comm_get_attr(MPI_COMM_SELF, keyval, &value, &flag, ADDRESS) == MPI_SUCCESS &&
          flag && value == -5);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyval);
    CHECK(MPI_Comm_get_attr(copy, keyval, &integer, &flag) == MPI_SUCCESS && flag &&
          *integer == -5);
    intptr_t large = ((intptr_t)1 << 40) + 9;
    CHECK(MPII_Comm_set_attr(copy, keyval, (void *)large, ADDRESS) == MPI_SUCCESS);
    CHECK(MPI_Comm_get_attr(copy, keyval, &word, &flag) == MPI_SUCCESS && flag && *word == large);
    CHECK(MPII_Comm_get_attr(copy, keyval, &value, &flag, ADDRESS) == MPI_SUCCESS && flag &&
          value == large);
    CHECK(MPII_Comm_get_attr(copy, keyval, &value, &flag, INTEGER) == MPI_SUCCESS && flag &&
          value == 9);
    MPI_Comm_set_attr(copy, keyval, &large);
    CHECK(MPII_Comm_get_attr(copy, keyval, &value, &flag, ADDRESS) == MPI_SUCCESS && flag &&
          value == (intptr_t)&large);
    MPI_Comm_free(&copy);
    CHECK(MPII_Comm_get_attr(MPI_COMM_SELF, keyval, &value, &flag, ADDRESS) == MPI_SUCCESS &&
          !flag);
    MPI_Comm_free_keyval(&keyval);
}

static void callbacks(void)
{
    int keyval, flag;
    intptr_t extra = 99, value;
    MPI_Comm first, second;
    MPI_Comm_dup(MPI_COMM_SELF, &first);
    MPI_Comm_create_keyval((MPI_Comm_copy_attr_function *)copy_in_fortran,
                           (MPI_Comm_delete_attr_function *)delete_in_fortran, &keyval, &extra);
    MPII_Keyval_set_proxy(keyval, copy_by_proxy, delete_by_proxy);
    MPII_Comm_set_attr(first, keyval, (void *)41, ADDRESS);
    MPI_Comm_dup(first, &second);
    CHECK(copies == 1 && seen_handle == first && seen_keyval == keyval && seen_extra == 99 &&
          seen_value == 41);
    CHECK(MPII_Comm_get_attr(second, keyval, &value, &flag, ADDRESS) == MPI_SUCCESS && flag &&
          value == 42);
    MPII_Comm_set_attr(first, keyval, (void *)13, INTEGER);
    CHECK(deletions == 1 && seen_value == 41);
    CHECK(MPI_Comm_delete_attr(first, keyval) == MPI_ERR_OTHER && deletions == 2 &&
          seen_value == 13);
    CHECK(MPI_Comm_free(&second) == MPI_SUCCESS && deletions == 3 && seen_value == 42);
    MPI_Comm_free_keyval(&keyval);

    MPI_Datatype type, dup;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_create_keyval((MPI_Type_copy_attr_function *)copy_in_fortran,
                           (MPI_Type_delete_attr_function *)delete_in_fortran, &keyval, &extra);
    MPII_Keyval_set_proxy(keyval, copy_by_proxy, delete_by_proxy);
    MPII_Type_set_attr(type, keyval, (void *)50, ADDRESS);
    MPI_Type_dup(type, &dup);
    CHECK(MPII_Type_get_attr(dup, keyval, &value, &flag, ADDRESS) == MPI_SUCCESS && flag &&
          value == 51 && seen_handle == type);
    MPI_Type_free(&dup);
    CHECK(seen_value == 51 && deletions == 4);
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&keyval);

    MPI_Win win;
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, (MPI_Win_delete_attr_function *)delete_in_fortran,
                          &keyval, &extra);
    MPII_Keyval_set_proxy(keyval, copy_by_proxy, delete_by_proxy);
    MPII_Win_set_attr(win, keyval, (void *)60, INTEGER);
    CHECK(MPII_Win_get_attr(win, keyval, &value, &flag, INTEGER) == MPI_SUCCESS && flag &&
          value == 60);
    MPI_Win_free(&win);
    CHECK(seen_value == 60 && deletions == 6);
    MPI_Win_free_keyval(&keyval);
}

static void requests(void)
{
    intptr_t extra = 123;
    MPI_Request request;
    MPI_Status status;
    int count;
    MPI_Grequest_start((MPI_Grequest_query_function *)query_in_fortran,
                       (MPI_Grequest_free_function *)free_in_fortran,
                       (MPI_Grequest_cancel_function *)cancel_in_fortran, &extra, &request);
    CHECK(MPII_Grequest_set_lang_f77(request) == MPI_SUCCESS);
    MPI_Cancel(&request);
    CHECK(cancels == 1 && seen_extra == 123);
    MPI_Grequest_complete(request);
    MPI_Cancel(&request);
    CHECK(cancels == 11);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(queries == 1 && frees == 1 && status.MPI_SOURCE == 5 && status.MPI_TAG == 6 &&
          count == 3);
}

static void extensions(void)
{
    int yes = 1, class;
    /* Whatever the host has: the library takes memory of CUDA devices, and of no others. */
    CHECK(MPIX_Query_cuda_support() == 1 && PMPIX_Query_hip_support() == 0 &&
          MPIX_Query_ze_support() == 0);
    CHECK(MPIX_GPU_query_support(0, &yes) == MPI_SUCCESS && yes == 1);
    yes = 1;
    CHECK(MPIX_GPU_query_support(1, &yes) == MPI_SUCCESS && yes == 0);
    yes = 1;
    CHECK(MPIX_Comm_test_threadcomm(MPI_COMM_WORLD, &yes) == MPI_SUCCESS && yes == 0);
    MPI_Add_error_class(&class);
    CHECK(PMPIX_Delete_error_class(class) == MPI_SUCCESS &&
          PMPIX_Delete_error_class(class) != MPI_SUCCESS);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(MPIX_Comm_revoke(comm) == MPI_SUCCESS);
    MPI_Error_class(MPI_Barrier(comm), &class);
    CHECK(class == 103); /* MPICH's MPIX_ERR_REVOKED */
    yes = 5;
    CHECK(PMPIX_Comm_agree(comm, &yes) == MPI_SUCCESS && yes == 5);
    MPI_Comm_free(&comm);
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void hexadecimal_values(void)
{
    char text[32];
    int size = sizeof text, found;
    MPI_Info info;
    MPI_Info_create(&info);
    CHECK(MPIX_Info_set_hex(info, "key", "\0\x1f\xab\xcd", 4) == MPI_SUCCESS);
    MPI_Info_get_string(info, "key", &size, text, &found);
    CHECK(found && size == 9 && strcmp(text, "001FABCD") == 0);
    CHECK(PMPIX_Info_set_hex(info, "empty", NULL, 0) == MPI_SUCCESS);
    CHECK(class_of(MPIX_Info_set_hex(info, "key", NULL, 1)) == MPI_ERR_ARG);
    CHECK(class_of(MPIX_Info_set_hex(info, "key", text, -1)) == MPI_ERR_ARG);
    MPI_Info_free(&info);
}

static void streams(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int stream = 0, length, code;
    MPI_Comm made;
    CHECK(MPIX_Comm_get_stream(MPI_COMM_WORLD, 0, &stream) == MPI_SUCCESS && stream == STREAM_NULL);
    CHECK(class_of(MPIX_Comm_get_stream(MPI_COMM_WORLD, -1, &stream)) == MPI_ERR_ARG);
    CHECK(MPIX_Stream_progress(STREAM_NULL) == MPI_SUCCESS);
    CHECK(class_of(MPIX_Stream_progress(1)) == MPI_ERR_ARG);
    CHECK(class_of(PMPIX_Start_progress_thread(1)) == MPI_ERR_ARG);
    CHECK(class_of(PMPIX_Stop_progress_thread(STREAM_NULL)) == MPI_ERR_OTHER);
    for (int starts = 0; starts < 3; starts++)
        CHECK(PMPIX_Start_progress_thread(STREAM_NULL) == MPI_SUCCESS);
    for (int stops = 0; stops < 3; stops++)
        CHECK(PMPIX_Stop_progress_thread(STREAM_NULL) == MPI_SUCCESS);
    CHECK(class_of(PMPIX_Stop_progress_thread(STREAM_NULL)) == MPI_ERR_OTHER);
    CHECK(MPIX_Stream_create(MPI_INFO_NULL, &stream) == MPI_SUCCESS && stream != STREAM_NULL);
    code = MPIX_Threadcomm_init(MPI_COMM_WORLD, 2, &made);
    CHECK(class_of(code) == MPI_ERR_UNSUPPORTED_OPERATION);
    code = MPIX_Send_enqueue_c(text, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    CHECK(class_of(code) == MPI_ERR_UNSUPPORTED_OPERATION);
    MPI_Error_string(code, text, &length);
    CHECK(strstr(text, "streams") && strstr(text, "try: call the MPI function that has no stream"));
    /* Ends with MPI. */
    CHECK(PMPIX_Start_progress_thread(STREAM_NULL) == MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    hexadecimal_values();
    streams();
    ignored_statuses();
    predefined_attributes();
    languages();
    callbacks();
    requests();
    extensions();
    MPI_Finalize();
    return failures != 0;
}
