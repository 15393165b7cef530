/* Info objects, groups, attributes, operations, error handlers, statuses and file handles, used
 * through one ABI. The outputs of both ABIs must be equal, so that a value that is not converted on
 * some path shows as a difference. Runs as one process. */

#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

#define MUST(condition)                                             \
    do {                                                            \
        if (!(condition)) {                                         \
            printf("objects.c:%d: %s\n", __LINE__, #condition);     \
            wrong++;                                                \
        }                                                           \
    } while (0)

/* Checks that the call succeeds. */
#define OK(call) MUST(class_of(call) == MPI_SUCCESS)

/* Checks that the call fails with the class. */
#define FAILS(class, call) MUST(class_of(call) == (class))

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static void infos(int argc, char **argv)
{
    MPI_Info info, copy;
    char text[64];
    int length, found, keys;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "first", "1"));
    OK(MPI_Info_set(info, "second", "hello"));
    length = 3;
    OK(MPI_Info_get_string(info, "second", &length, text, &found));
    MUST(found && length == 6 && strcmp(text, "he") == 0);
    length = 0;
    OK(MPI_Info_get_string(info, "second", &length, NULL, &found));
    MUST(found && length == 6);
    OK(MPI_Info_get_string(info, "third", &length, NULL, &found));
    MUST(!found && length == 6);
    OK(MPI_Info_get(info, "second", 3, text, &found));
    MUST(found && strcmp(text, "hel") == 0);
    OK(MPI_Info_get_nkeys(info, &keys));
    OK(MPI_Info_get_nthkey(info, 1, text));
    MUST(keys == 2 && strcmp(text, "second") == 0);
    OK(MPI_Info_dup(info, &copy));
    OK(MPI_Info_free(&info));
    MUST(info == MPI_INFO_NULL);
    OK(MPI_Info_delete(copy, "first"));
    OK(MPI_Info_free(&copy));
    OK(MPI_Info_create_env(argc, argv, &info));
    OK(MPI_Info_get_valuelen(info, "command", &length, &found));
    MUST(found && length == (int)strlen(argv[0]));
    OK(MPI_Info_free(&info));
}

static void predefined_attributes(void)
{
    int *value, found, class;

    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found));
    MUST(found && *value >= 32767);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &found));
    MUST(found && *value == MPI_ANY_SOURCE);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &found));
    MUST(found && *value == MPI_PROC_NULL);
    OK(MPI_Add_error_class(&class));
    MUST(class > MPI_ERR_LASTCODE);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &found));
    MUST(found && *value == class);
    OK(MPI_Remove_error_class(class));
}

static int deletions, refusals;

static int delete_value(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)keyval;
    MUST(comm == MPI_COMM_WORLD && extra == (void *)&deletions);
    if (value == (void *)99 && refusals > 0) {
        refusals--;
        return MPI_ERR_COUNT;
    }
    deletions++;
    return MPI_SUCCESS;
}

static int delete_type_value(MPI_Datatype datatype, int keyval, void *value, void *extra)
{
    (void)keyval, (void)extra;
    MUST(datatype == MPI_INT && value == (void *)1);
    deletions++;
    return MPI_SUCCESS;
}

static int handled, last_class;

static void handler(MPI_Comm *comm, int *code, ...)
{
    MUST(*comm == MPI_COMM_WORLD);
    handled++;
    last_class = class_of(*code);
}

static void attributes_and_handlers(void)
{
    MPI_Errhandler made, seen;
    void *value;
    int keyval, type_keyval, found;

    OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_value, &keyval, &deletions));
    OK(MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, (void *)5));
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &found));
    MUST(found && value == (void *)5);
    OK(MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, (void *)99));
    MUST(deletions == 1);

    OK(MPI_Comm_create_errhandler(handler, &made));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, made));
    OK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &seen));
    MUST(seen == made);
    OK(MPI_Errhandler_free(&seen));
    OK(MPI_Errhandler_free(&made));
    MUST(made == MPI_ERRHANDLER_NULL);
    refusals = 1;
    MUST(MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval) == MPI_ERR_COUNT);
    MUST(handled == 1 && last_class == MPI_ERR_COUNT);
    OK(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_RANK));
    MUST(handled == 2 && last_class == MPI_ERR_RANK);
    OK(MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval));
    OK(MPI_Comm_free_keyval(&keyval));
    MUST(keyval == MPI_KEYVAL_INVALID && deletions == 2);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));

    OK(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, delete_type_value, &type_keyval, NULL));
    OK(MPI_Type_set_attr(MPI_INT, type_keyval, (void *)1));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, type_keyval, NULL));
    OK(MPI_Type_delete_attr(MPI_INT, type_keyval));
    MUST(deletions == 3);
    OK(MPI_Type_free_keyval(&type_keyval));
}

static void groups(void)
{
    MPI_Group world, none;
    int size, rank, result, ranks[2] = {0, MPI_PROC_NULL}, there[2];

    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_size(world, &size));
    OK(MPI_Group_rank(world, &rank));
    MUST(size == 1 && rank == 0);
    OK(MPI_Group_translate_ranks(world, 2, ranks, MPI_GROUP_EMPTY, there));
    MUST(there[0] == MPI_UNDEFINED && there[1] == MPI_PROC_NULL);
    OK(MPI_Group_difference(world, world, &none));
    MUST(none == MPI_GROUP_EMPTY);
    OK(MPI_Group_compare(world, none, &result));
    MUST(result == MPI_UNEQUAL);
    OK(MPI_Group_rank(none, &rank));
    MUST(rank == MPI_UNDEFINED);
    OK(MPI_Group_free(&world));
    MUST(world == MPI_GROUP_NULL);
    FAILS(MPI_ERR_GROUP, MPI_Group_size(MPI_GROUP_NULL, &size));
    FAILS(MPI_ERR_RANK, MPI_Group_incl(MPI_GROUP_EMPTY, 1, ranks, &none));
}

static void combine(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    (void)in, (void)inout, (void)count, (void)datatype;
}

static void operations(void)
{
    MPI_Op op;
    int commutes;

    OK(MPI_Op_create(combine, 0, &op));
    OK(MPI_Op_commutative(op, &commutes));
    MUST(!commutes);
    OK(MPI_Op_free(&op));
    MUST(op == MPI_OP_NULL);
    FAILS(MPI_ERR_OP, MPI_Op_free(&op));
    OK(MPI_Op_commutative(MPI_MAXLOC, &commutes));
    MUST(commutes);
}

static void statuses(void)
{
    MPI_Status status[2];
    MPI_Request request[2];
    MPI_Count large;
    int sent = 42, received = 0, count, flag, before;

    memset(status, 0x11, sizeof status);
    OK(MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request[0]));
    OK(MPI_Isend(&sent, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &request[1]));
    OK(MPI_Waitall(2, request, status));
    MUST(received == 42 && status[0].MPI_SOURCE == 0 && status[0].MPI_TAG == 3);
    MUST(request[0] == MPI_REQUEST_NULL && request[1] == MPI_REQUEST_NULL);
    MUST(status[0].MPI_ERROR == MPI_SUCCESS && status[1].MPI_ERROR == MPI_SUCCESS);
    OK(MPI_Get_count(&status[0], MPI_INT, &count));
    MUST(count == 1);
    OK(MPI_Get_count(&status[0], MPI_DOUBLE, &count));
    MUST(count == MPI_UNDEFINED);

    memset(&status[0], 0x22, sizeof status[0]);
    before = status[0].MPI_ERROR;
    OK(MPI_Recv(&received, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_SELF, &status[0]));
    MUST(status[0].MPI_SOURCE == MPI_PROC_NULL && status[0].MPI_TAG == MPI_ANY_TAG);
    MUST(status[0].MPI_ERROR == before);
    OK(MPI_Recv(&received, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE));

    OK(MPI_Status_set_cancelled(&status[0], 1));
    OK(MPI_Status_set_source(&status[0], MPI_ANY_SOURCE));
    OK(MPI_Status_set_error(&status[0], MPI_ERR_TRUNCATE));
    OK(MPI_Test_cancelled(&status[0], &flag));
    MUST(flag && status[0].MPI_SOURCE == MPI_ANY_SOURCE && status[0].MPI_ERROR == MPI_ERR_TRUNCATE);
    OK(MPI_Status_set_elements_c(&status[0], MPI_DOUBLE, (MPI_Count)1 << 40));
    OK(MPI_Get_count_c(&status[0], MPI_FLOAT, &large));
    MUST(large == (MPI_Count)1 << 41);
    OK(MPI_Get_count(&status[0], MPI_FLOAT, &count));
    MUST(count == MPI_UNDEFINED);
    OK(MPI_Test_cancelled(&status[0], &flag));
    MUST(flag);
    OK(MPI_Status_set_elements_x(&status[0], MPI_BYTE, INT64_MAX));
    OK(MPI_Get_elements_x(&status[0], MPI_BYTE, &large));
    MUST(large == INT64_MAX);

    MPI_Datatype two;
    int elements;
    OK(MPI_Type_contiguous(2, MPI_INT, &two));
    OK(MPI_Type_commit(&two));
    for (int set = 0; set < 5; set++) {
        OK(MPI_Status_set_elements(&status[0], two, set));
        OK(MPI_Get_elements(&status[0], two, &elements));
        OK(MPI_Get_count(&status[0], two, &count));
        MUST(elements == set && count == (set % 2 ? MPI_UNDEFINED : set / 2));
    }
    OK(MPI_Type_free(&two));
}

static void memory(void)
{
    MPI_Info info;
    char *base;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_minimum_memory_alignment", "4096"));
    OK(MPI_Alloc_mem(1000, info, &base));
    MUST((uintptr_t)base % 4096 == 0);
    memset(base, 1, 1000);
    OK(MPI_Free_mem(base));
    OK(MPI_Alloc_mem(0, MPI_INFO_NULL, &base));
    OK(MPI_Free_mem(base));
    FAILS(MPI_ERR_ARG, MPI_Alloc_mem(-1, MPI_INFO_NULL, &base));
    OK(MPI_Info_free(&info));
}

static void abi_facts(void)
{
    MPI_Info info;
    char text[16];
    int length = sizeof text, set, yes = -1, no = 0, seen_yes = 7, seen_no = 7, major = 0,
        minor = 7;

    OK(MPI_Abi_get_version(&major, &minor));
#ifdef MPI_ABI_VERSION
    MUST(major == MPI_ABI_VERSION && minor == MPI_ABI_SUBVERSION);
#else
    /* Not the standard ABI. Programs that can load either ABI ask with this call which one they
     * have loaded. */
    MUST(major == -1 && minor == -1);
#endif
    OK(MPI_Abi_get_info(&info));
    OK(MPI_Info_get_string(info, "mpi_count_size", &length, text, &set));
    MUST(set && strcmp(text, "8") == 0);
    OK(MPI_Abi_set_fortran_info(info));
    FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_info(info));
    OK(MPI_Info_free(&info));
    OK(MPI_Abi_get_fortran_info(&info));
    MUST(info != MPI_INFO_NULL);
    OK(MPI_Info_free(&info));
    OK(MPI_Abi_get_fortran_booleans(4, &seen_yes, &seen_no, &set));
    MUST(!set && seen_yes == 7);
    OK(MPI_Abi_set_fortran_booleans(4, &yes, &no));
    OK(MPI_Abi_get_fortran_booleans(4, &seen_yes, &seen_no, &set));
    MUST(set && seen_yes == yes && seen_no == no);
    FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_booleans(4, &yes, &no));
    FAILS(MPI_ERR_ARG, MPI_Abi_set_fortran_booleans(3, &yes, &no));
}

static void print(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    OK(MPI_Error_string(code, text, &length));
    puts(text);
}

/* Prints texts of errors. Each names the call with its arguments. */
static void texts(void)
{
    int number = 0;

    print(MPI_Send(NULL, -1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    print(MPI_Bcast(NULL, 1, MPI_DATATYPE_NULL, MPI_ROOT, MPI_COMM_NULL));
    print(MPI_Error_string(-1, NULL, NULL));
    print(MPI_ERR_PROC_ABORTED);
    print(MPI_T_ERR_INVALID_NAME);
    FAILS(MPI_ERR_COMM, MPI_Comm_size((MPI_Comm)0, &number));
    FAILS(MPI_ERR_TYPE, MPI_Send(&number, 1, (MPI_Datatype)0, 0, 0, MPI_COMM_SELF));
    FAILS(MPI_ERR_RANK, MPI_Send(&number, 1, MPI_INT, 7, 0, MPI_COMM_SELF));
    FAILS(MPI_ERR_TAG, MPI_Send(&number, 1, MPI_INT, 0, -7, MPI_COMM_SELF));
}

static void files(void)
{
    MPI_File file = (MPI_File)&wrong;

    FAILS(MPI_ERR_NO_SUCH_FILE,
          MPI_File_open(MPI_COMM_SELF, "/none/such", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    MUST(file == MPI_FILE_NULL);
    OK(MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    OK(MPI_File_close(&file));
    MUST(file == MPI_FILE_NULL);
}

int main(int argc, char **argv)
{
    infos(argc, argv);
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    predefined_attributes();
    attributes_and_handlers();
    groups();
    operations();
    statuses();
    memory();
    files();
    abi_facts();
    texts();
    OK(MPI_Finalize());
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
