/* Tells whether all ranks communicate through the memory of one node. Include check.h before this
 * header. */

/* Collective; returns the same value at every rank. */
static int are_on_one_node(void)
{
    const char *shm = getenv("NEMESIS_SHM");
    MPI_Comm node;
    int together;
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &together));
    OK(MPI_Comm_free(&node));
    return together == size && (shm == NULL || strcmp(shm, "off") != 0);
}
