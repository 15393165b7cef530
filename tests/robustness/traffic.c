/* traffic BYTES FOLDER: pairs of ranks exchange messages of BYTES bytes for ever. After some rounds
 * each process writes its process ID to FOLDER/RANK, so that a script can kill one of them. */

#include "../mpi/check.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(argc == 3, "usage: traffic BYTES FOLDER");
    int bytes = atoi(argv[1]), peer = rank ^ 1;
    unsigned char *sent = malloc(bytes + 1), *incoming = malloc(bytes + 1);
    fill(sent, bytes, rank);
    for (long round = 0;; round++) {
        if (round == 20) {
            char path[500];
            snprintf(path, sizeof path, "%s/%d", argv[2], rank);
            FILE *file = fopen(path, "w");
            CHECK(file != NULL, "%s cannot be written", path);
            fprintf(file, "%d\n", (int)getpid());
            fclose(file);
        }
        if (peer < size) {
            OK(MPI_Sendrecv(sent, bytes, MPI_BYTE, peer, 1, incoming, bytes, MPI_BYTE, peer, 1,
                            MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(round > 20 || first_wrong(incoming, bytes, peer) < 0, "the message is wrong");
        }
    }
}
