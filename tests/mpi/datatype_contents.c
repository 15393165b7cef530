/* Envelopes and contents of datatypes (MPI 5.0 §5.1.13): every constructor returns its arguments in
 * the form in which the datatype was created, and a datatype created from the contents equals the
 * original. Also names, duplicates, attributes, and datatypes that are predefined although they are
 * obtained by a call.
 *
 * sizes: 1
 * modes: default
 */

#include "check.h"

enum { MOST = 32 };

static int integers[MOST];
static MPI_Aint addresses[MOST];
static MPI_Count large[MOST];
static MPI_Datatype parts[MOST];

/* Checks envelope and contents with the int calls and with the large-count calls, which must
 * agree. */
static void check_contents(int line, MPI_Datatype type, int combiner, int ints,
                           const int *wanted_ints, int aints, const MPI_Aint *wanted_aints,
                           int types)
{
    int seen[4];
    MPI_Count seen_large[4];
    OK(MPI_Type_get_envelope(type, &seen[0], &seen[1], &seen[2], &seen[3]));
    CHECK(seen[0] == ints && seen[1] == aints && seen[2] == types && seen[3] == combiner,
          "line %d: envelope %d %d %d %d", line, seen[0], seen[1], seen[2], seen[3]);
    OK(MPI_Type_get_envelope_c(type, &seen_large[0], &seen_large[1], &seen_large[2], &seen_large[3],
                               &seen[3]));
    CHECK(seen_large[0] == ints && seen_large[1] == aints && seen_large[2] == 0 &&
          seen_large[3] == types && seen[3] == combiner,
          "line %d: the large-count envelope differs", line);
    memset(integers, -1, sizeof integers);
    OK(MPI_Type_get_contents(type, MOST, MOST, MOST, integers, addresses, parts));
    for (int i = 0; i < ints; i++)
        CHECK(integers[i] == wanted_ints[i], "line %d: integer %d is %d", line, i, integers[i]);
    CHECK(integers[ints] == -1, "line %d: more integers than the envelope says", line);
    for (int i = 0; i < aints; i++)
        CHECK(addresses[i] == wanted_aints[i], "line %d: address %d is %ld", line, i,
              (long)addresses[i]);
    if (ints > 0)
        FAILS(MPI_Type_get_contents(type, ints - 1, MOST, MOST, integers, addresses, parts),
              MPI_ERR_ARG);
}

#define INTS(...) sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__}
#define AINTS(...) sizeof((MPI_Aint[]){__VA_ARGS__}) / sizeof(MPI_Aint), (MPI_Aint[]){__VA_ARGS__}
#define NO_INTS 0, NULL
#define NO_AINTS 0, NULL
#define CONTENTS(type, combiner, ...) check_contents(__LINE__, type, combiner, __VA_ARGS__)

/* Checks envelope and contents with the large-count calls only; the int calls fail. */
static void check_large_contents(int line, MPI_Datatype type, int combiner, int ints,
                                 const int *wanted_ints, int counts, const MPI_Count *wanted_counts,
                                 int types)
{
    int seen, none;
    MPI_Count numbers[4];
    FAILS(MPI_Type_get_envelope(type, &none, &none, &none, &none), MPI_ERR_TYPE);
    FAILS(MPI_Type_get_contents(type, MOST, MOST, MOST, integers, addresses, parts), MPI_ERR_TYPE);
    OK(MPI_Type_get_envelope_c(type, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &seen));
    CHECK(numbers[0] == ints && numbers[1] == 0 && numbers[2] == counts && numbers[3] == types &&
          seen == combiner, "line %d: envelope %ld %ld %ld %ld %d", line, (long)numbers[0],
          (long)numbers[1], (long)numbers[2], (long)numbers[3], seen);
    OK(MPI_Type_get_contents_c(type, MOST, MOST, MOST, MOST, integers, addresses, large, parts));
    for (int i = 0; i < ints; i++)
        CHECK(integers[i] == wanted_ints[i], "line %d: integer %d is %d", line, i, integers[i]);
    for (int i = 0; i < counts; i++)
        CHECK(large[i] == wanted_counts[i], "line %d: count %d is %ld", line, i, (long)large[i]);
}

#define COUNTS(...)                                                                                \
    sizeof((MPI_Count[]){__VA_ARGS__}) / sizeof(MPI_Count), (MPI_Count[]){__VA_ARGS__}
#define LARGE_CONTENTS(type, combiner, ...)                                                        \
    check_large_contents(__LINE__, type, combiner, __VA_ARGS__)

static MPI_Datatype type;

/* The only component of the type is predefined and is returned as it is. Frees the type. */
static void only_part_is(MPI_Datatype part)
{
    CHECK(parts[0] == part, "the component is wrong");
    OK(MPI_Type_free(&type));
}

static void plain_forms(void)
{
    OK(MPI_Type_contiguous(7, MPI_INT, &type));
    CONTENTS(type, MPI_COMBINER_CONTIGUOUS, INTS(7), NO_AINTS, 1);
    only_part_is(MPI_INT);
    OK(MPI_Type_vector(3, 2, -5, MPI_DOUBLE, &type));
    CONTENTS(type, MPI_COMBINER_VECTOR, INTS(3, 2, -5), NO_AINTS, 1);
    only_part_is(MPI_DOUBLE);
    OK(MPI_Type_create_hvector(3, 2, -500, MPI_DOUBLE_INT, &type));
    CONTENTS(type, MPI_COMBINER_HVECTOR, INTS(3, 2), AINTS(-500), 1);
    only_part_is(MPI_DOUBLE_INT);
    OK(MPI_Type_indexed(3, (int[]){1, 0, 2}, (int[]){5, 6, -7}, MPI_CHAR, &type));
    CONTENTS(type, MPI_COMBINER_INDEXED, INTS(3, 1, 0, 2, 5, 6, -7), NO_AINTS, 1);
    only_part_is(MPI_CHAR);
    OK(MPI_Type_create_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){50, -70}, MPI_CHAR, &type));
    CONTENTS(type, MPI_COMBINER_HINDEXED, INTS(2, 1, 2), AINTS(50, -70), 1);
    only_part_is(MPI_CHAR);
    OK(MPI_Type_create_indexed_block(3, 4, (int[]){9, 5, 1}, MPI_CHAR, &type));
    CONTENTS(type, MPI_COMBINER_INDEXED_BLOCK, INTS(3, 4, 9, 5, 1), NO_AINTS, 1);
    only_part_is(MPI_CHAR);
    OK(MPI_Type_create_hindexed_block(3, 4, (MPI_Aint[]){9, 5, 1}, MPI_CHAR, &type));
    CONTENTS(type, MPI_COMBINER_HINDEXED_BLOCK, INTS(3, 4), AINTS(9, 5, 1), 1);
    only_part_is(MPI_CHAR);
    OK(MPI_Type_create_struct(2, (int[]){1, 2}, (MPI_Aint[]){0, 8},
                              (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type));
    CONTENTS(type, MPI_COMBINER_STRUCT, INTS(2, 1, 2), AINTS(0, 8), 2);
    CHECK(parts[1] == MPI_DOUBLE, "the second component is wrong");
    only_part_is(MPI_INT);
    OK(MPI_Type_create_resized(MPI_SHORT, -4, 16, &type));
    CONTENTS(type, MPI_COMBINER_RESIZED, NO_INTS, AINTS(-4, 16), 1);
    only_part_is(MPI_SHORT);
    OK(MPI_Type_create_subarray(2, (int[]){5, 6}, (int[]){3, 4}, (int[]){1, 2}, MPI_ORDER_FORTRAN,
                                MPI_INT, &type));
    CONTENTS(type, MPI_COMBINER_SUBARRAY, INTS(2, 5, 6, 3, 4, 1, 2, MPI_ORDER_FORTRAN), NO_AINTS,
             1);
    only_part_is(MPI_INT);
    OK(MPI_Type_create_darray(4, 2, 2, (int[]){8, 9},
                              (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
                              (int[]){MPI_DISTRIBUTE_DFLT_DARG, 3}, (int[]){2, 2}, MPI_ORDER_C,
                              MPI_INT, &type));
    CONTENTS(type, MPI_COMBINER_DARRAY,
         INTS(4, 2, 2, 8, 9, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG,
              3, 2, 2, MPI_ORDER_C),
         NO_AINTS, 1);
    only_part_is(MPI_INT);
    OK(MPI_Type_contiguous(0, MPI_INT, &type));
    CONTENTS(type, MPI_COMBINER_CONTIGUOUS, INTS(0), NO_AINTS, 1);
    only_part_is(MPI_INT);
    OK(MPI_Type_create_struct(0, NULL, NULL, NULL, &type));
    CONTENTS(type, MPI_COMBINER_STRUCT, INTS(0), NO_AINTS, 0);
    OK(MPI_Type_free(&type));
}

static void large_forms(void)
{
    MPI_Count huge = (MPI_Count)1 << 40, size_of, lb, extent;
    int bytes;
    OK(MPI_Type_contiguous_c(huge, MPI_INT, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_CONTIGUOUS, NO_INTS, COUNTS(huge), 1);
    OK(MPI_Type_size_c(type, &size_of));
    CHECK(size_of == 4 * huge, "the size is %ld", (long)size_of);
    OK(MPI_Type_size(type, &bytes));
    CHECK(bytes == MPI_UNDEFINED, "the size as an int is %d", bytes);
    OK(MPI_Type_get_extent_c(type, &lb, &extent));
    CHECK(lb == 0 && extent == 4 * huge, "the extent is %ld", (long)extent);
    only_part_is(MPI_INT);
    OK(MPI_Type_vector_c(3, 2, 5, MPI_DOUBLE, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_VECTOR, NO_INTS, COUNTS(3, 2, 5), 1);
    only_part_is(MPI_DOUBLE);
    OK(MPI_Type_create_hvector_c(3, 2, 500, MPI_DOUBLE, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_HVECTOR, NO_INTS, COUNTS(3, 2, 500), 1);
    only_part_is(MPI_DOUBLE);
    OK(MPI_Type_indexed_c(2, (MPI_Count[]){1, 2}, (MPI_Count[]){huge, 0}, MPI_CHAR, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_INDEXED, NO_INTS, COUNTS(2, 1, 2, huge, 0), 1);
    only_part_is(MPI_CHAR);
    OK(MPI_Type_create_hindexed_c(2, (MPI_Count[]){1, 2}, (MPI_Count[]){5, 7}, MPI_CHAR, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_HINDEXED, NO_INTS, COUNTS(2, 1, 2, 5, 7), 1);
    only_part_is(MPI_CHAR);
    OK(MPI_Type_create_indexed_block_c(2, 4, (MPI_Count[]){9, 5}, MPI_CHAR, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_INDEXED_BLOCK, NO_INTS, COUNTS(2, 4, 9, 5), 1);
    only_part_is(MPI_CHAR);
    OK(MPI_Type_create_hindexed_block_c(2, 4, (MPI_Count[]){9, 5}, MPI_CHAR, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_HINDEXED_BLOCK, NO_INTS, COUNTS(2, 4, 9, 5), 1);
    only_part_is(MPI_CHAR);
    OK(MPI_Type_create_struct_c(2, (MPI_Count[]){1, 2}, (MPI_Count[]){0, 8},
                                (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_STRUCT, NO_INTS, COUNTS(2, 1, 2, 0, 8), 2);
    only_part_is(MPI_INT);
    OK(MPI_Type_create_resized_c(MPI_SHORT, -4, 16, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_RESIZED, NO_INTS, COUNTS(-4, 16), 1);
    only_part_is(MPI_SHORT);
    OK(MPI_Type_create_subarray_c(2, (MPI_Count[]){5, 6}, (MPI_Count[]){3, 4}, (MPI_Count[]){1, 2},
                                  MPI_ORDER_C, MPI_INT, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_SUBARRAY, INTS(2, MPI_ORDER_C), COUNTS(5, 6, 3, 4, 1, 2), 1);
    only_part_is(MPI_INT);
    OK(MPI_Type_create_darray_c(4, 2, 2, (MPI_Count[]){8, 9},
                                (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
                                (int[]){MPI_DISTRIBUTE_DFLT_DARG, 3}, (int[]){2, 2},
                                MPI_ORDER_FORTRAN, MPI_INT, &type));
    LARGE_CONTENTS(type, MPI_COMBINER_DARRAY,
               INTS(4, 2, 2, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG,
                    3, 2, 2, MPI_ORDER_FORTRAN),
               COUNTS(8, 9), 1);
    only_part_is(MPI_INT);
}

/* A derived component is returned as a new handle. The type created from the contents equals the
 * original. */
static void rebuilt(void)
{
    MPI_Datatype inner, copy, dup;
    int bytes, again;
    MPI_Aint bounds[4];
    OK(MPI_Type_vector(4, 3, 5, MPI_INT, &inner));
    OK(MPI_Type_create_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){-400, 400}, inner, &type));
    OK(MPI_Type_free(&inner));
    CONTENTS(type, MPI_COMBINER_HINDEXED, INTS(2, 1, 2), AINTS(-400, 400), 1);
    inner = parts[0];
    OK(MPI_Type_create_hindexed(integers[0], integers + 1, addresses, inner, &copy));
    OK(MPI_Type_free(&inner));
    OK(MPI_Type_size(type, &bytes));
    OK(MPI_Type_size(copy, &again));
    OK(MPI_Type_get_extent(type, &bounds[0], &bounds[1]));
    OK(MPI_Type_get_extent(copy, &bounds[2], &bounds[3]));
    CHECK(bytes == again && bounds[0] == bounds[2] && bounds[1] == bounds[3],
          "the rebuilt type differs");
    OK(MPI_Type_free(&copy));

    OK(MPI_Type_dup(type, &dup));
    FAILS(MPI_Send(NULL, 0, dup, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    OK(MPI_Type_free(&dup));
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_dup(type, &dup));
    OK(MPI_Send(NULL, 0, dup, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    OK(MPI_Type_free(&type));
    CONTENTS(dup, MPI_COMBINER_DUP, NO_INTS, NO_AINTS, 1);
    OK(MPI_Type_free(&parts[0]));
    OK(MPI_Type_free(&dup));
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME], longer[2 * MPI_MAX_OBJECT_NAME];
    int length;
    OK(MPI_Type_get_name(MPI_LONG_LONG, name, &length));
    CHECK((strcmp(name, "MPI_LONG_LONG") == 0 || strcmp(name, "MPI_LONG_LONG_INT") == 0) &&
          length == (int)strlen(name), "MPI_LONG_LONG is called %s", name);
    OK(MPI_Type_get_name(MPI_DOUBLE_INT, name, &length));
    CHECK(strcmp(name, "MPI_DOUBLE_INT") == 0, "MPI_DOUBLE_INT is called %s", name);
    OK(MPI_Type_contiguous(3, MPI_INT, &type));
    OK(MPI_Type_get_name(type, name, &length));
    CHECK(name[0] == 0 && length == 0, "a new type is called %s", name);
    OK(MPI_Type_set_name(type, "three"));
    OK(MPI_Type_get_name(type, name, &length));
    CHECK(strcmp(name, "three") == 0 && length == 5, "the type is called %s", name);
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    OK(MPI_Type_set_name(type, longer));
    OK(MPI_Type_get_name(type, name, &length));
    CHECK(length == MPI_MAX_OBJECT_NAME - 1 && (int)strlen(name) == length,
          "a long name has %d characters", length);
    OK(MPI_Type_free(&type));
    OK(MPI_Type_set_name(MPI_INT8_T, "octet"));
    OK(MPI_Type_get_name(MPI_INT8_T, name, &length));
    CHECK(strcmp(name, "octet") == 0, "MPI_INT8_T is called %s", name);
}

static int copies, deletions, refuse;

static int copy_attribute(MPI_Datatype old, int keyval, void *extra, void *in, void *out, int *flag)
{
    CHECK(extra == &copies && keyval != MPI_KEYVAL_INVALID && old == type,
          "the copy function gets wrong arguments");
    copies++;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete_attribute(MPI_Datatype old, int keyval, void *value, void *extra)
{
    int bytes;
    CHECK(extra == &copies && keyval != MPI_KEYVAL_INVALID && value != NULL,
          "the delete function gets wrong arguments");
    OK(MPI_Type_size(old, &bytes));
    deletions++;
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void attributes(void)
{
    MPI_Datatype dup;
    int key, found;
    char here[4], *seen;
    OK(MPI_Type_create_keyval(copy_attribute, delete_attribute, &key, &copies));
    OK(MPI_Type_contiguous(3, MPI_INT, &type));
    OK(MPI_Type_set_attr(type, key, here));
    OK(MPI_Type_dup(type, &dup));
    OK(MPI_Type_get_attr(dup, key, &seen, &found));
    CHECK(found && seen == here + 1 && copies == 1, "the attribute of the duplicate is wrong");
    OK(MPI_Type_free(&dup));
    CHECK(deletions == 1, "%d deletions", deletions);
    refuse = 1;
    CHECK(MPI_Type_dup(type, &dup) != MPI_SUCCESS,
          "a duplicate is made although the copy function failed");
    CHECK(MPI_Type_free(&type) != MPI_SUCCESS && type != MPI_DATATYPE_NULL,
          "the type is freed although a delete function failed");
    refuse = 0;
    OK(MPI_Type_free(&type));
    OK(MPI_Type_set_attr(MPI_INT, key, here));
    OK(MPI_Type_get_attr(MPI_INT, key, &seen, &found));
    CHECK(found && seen == here, "MPI_INT has no attribute");
    OK(MPI_Type_delete_attr(MPI_INT, key));
    OK(MPI_Type_free_keyval(&key));
}

static void predefined_on_request(void)
{
    MPI_Datatype same, pair;
    int bytes;
    OK(MPI_Type_create_f90_real(15, 307, &type));
    OK(MPI_Type_create_f90_real(15, 307, &same));
    CHECK(type == same, "the same arguments give two handles");
    CONTENTS(type, MPI_COMBINER_F90_REAL, INTS(15, 307), NO_AINTS, 0);
    OK(MPI_Type_size(type, &bytes));
    CHECK(bytes == 8, "a real of 15 digits has %d bytes", bytes);
    FAILS(MPI_Type_free(&type), MPI_ERR_TYPE);
    OK(MPI_Send(&same, 1, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    OK(MPI_Type_contiguous(3, same, &type));
    CONTENTS(type, MPI_COMBINER_CONTIGUOUS, INTS(3), NO_AINTS, 1);
    CHECK(parts[0] == same, "a parameterised component is returned as another handle");
    OK(MPI_Type_free(&type));
    OK(MPI_Type_create_f90_integer(9, &type));
    CONTENTS(type, MPI_COMBINER_F90_INTEGER, INTS(9), NO_AINTS, 0);
    OK(MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &type));
    CONTENTS(type, MPI_COMBINER_F90_COMPLEX, INTS(6, MPI_UNDEFINED), NO_AINTS, 0);
    FAILS(MPI_Type_create_f90_real(1000, 1000, &type), MPI_ERR_ARG);

    OK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type));
    OK(MPI_Type_size(type, &bytes));
    CHECK(bytes == 8, "the real of 8 bytes has %d", bytes);
    OK(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 4, &type));
    FAILS(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 5, &type), MPI_ERR_ARG);
    FAILS(MPI_Type_match_size(12345, 4, &type), MPI_ERR_ARG);

    OK(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair));
    CHECK(pair == MPI_DOUBLE_INT, "the pair of a double and an int is not MPI_DOUBLE_INT");
    OK(MPI_Type_get_value_index(MPI_DOUBLE, MPI_LONG, &pair));
    OK(MPI_Type_get_value_index(MPI_DOUBLE, MPI_LONG, &same));
    CHECK(pair == same && pair != MPI_DATATYPE_NULL, "the pair of a double and a long");
    CONTENTS(pair, MPI_COMBINER_VALUE_INDEX, NO_INTS, NO_AINTS, 2);
    CHECK(parts[0] == MPI_DOUBLE && parts[1] == MPI_LONG, "the parts of a pair");
    FAILS(MPI_Type_free(&pair), MPI_ERR_TYPE);
    OK(MPI_Type_get_value_index(MPI_C_DOUBLE_COMPLEX, MPI_INT, &pair));
    CHECK(pair == MPI_DATATYPE_NULL, "complex numbers have no order");
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    plain_forms();
    large_forms();
    rebuilt();
    names();
    attributes();
    predefined_on_request();
    MPI_Finalize();
    return 0;
}
