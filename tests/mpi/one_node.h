/* Tells whether all ranks of a communicator communicate through the memory of one node. Include
 * check.h or coll.h before this header. */

/* Collective; returns the same value at every rank. With NEMESIS_SHM=off each rank is on a node of
 * its own. */
static inline int are_on_one_node(MPI_Comm comm) {
    MPI_Comm node;
    int all, together;
    OK(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &together));
    OK(MPI_Comm_free(&node));
    OK(MPI_Comm_size(comm, &all));
    return together == all;
}
