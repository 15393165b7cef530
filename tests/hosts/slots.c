/* Where spawned processes run: free slots first, and slots are free again when the processes have
 * ended. Runs as two processes that fill node1 of the hosts node1:2,node2:2. Prints the hosts of
 * the children of each spawn. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHILDREN = 2, NAME = 256 };

static char *self;

/* Spawns children that stay until their parents disconnect; notes their hosts. */
static MPI_Comm spawn(char *hosts, MPI_Info info)
{
    MPI_Comm children;
    hosts[0] = 0;
    MPI_Comm_spawn(self, (char *[]){"child", NULL}, CHILDREN, info, 0, MPI_COMM_WORLD, &children,
                   MPI_ERRCODES_IGNORE);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int child = 0; rank == 0 && child < CHILDREN; child++) {
        char name[NAME];
        MPI_Recv(name, NAME, MPI_CHAR, child, 0, children, MPI_STATUS_IGNORE);
        strcat(hosts, " ");
        strcat(hosts, name);
    }
    MPI_Bcast(hosts, 1000, MPI_CHAR, 0, MPI_COMM_WORLD);
    return children;
}

int main(int argc, char **argv)
{
    MPI_Comm parent, first, second;
    MPI_Info info;
    int rank, length;
    char hosts[1000], name[NAME] = "";
    self = argv[0];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Get_processor_name(name, &length);
        MPI_Send(name, NAME, MPI_CHAR, 0, 0, parent);
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return 0;
    }
    first = spawn(hosts, MPI_INFO_NULL);
    if (rank == 0) printf("free:%s\n", hosts);
    second = spawn(hosts, MPI_INFO_NULL);
    if (rank == 0) printf("none is free:%s\n", hosts);
    MPI_Comm_disconnect(&second);
    MPI_Comm_disconnect(&first);
    for (int attempt = 0; attempt < 100; attempt++) {
        first = spawn(hosts, MPI_INFO_NULL);
        MPI_Comm_disconnect(&first);
        if (strcmp(hosts, " node2 node2") == 0) break;
        usleep(100000);
    }
    if (rank == 0) printf("free again:%s\n", hosts);
    MPI_Info_create(&info);
    MPI_Info_set(info, "host", "node1");
    first = spawn(hosts, info);
    MPI_Comm_disconnect(&first);
    if (rank == 0) printf("named:%s\n", hosts);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
