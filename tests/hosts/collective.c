/* collective FOLDER: repeats collectives until one of the processes is killed or FOLDER/stop
 * exists. Used by scripts/jobs faults and scripts/jobs strangers.
 *
 * After some rounds each process writes its process ID to FOLDER/RANK, and rank 0 writes the number
 * of rounds to FOLDER/rounds. A process whose collective fails prints the error and exits. */

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUES = 20000, ROUNDS = 20 };

static int write_number(const char *folder, const char *file_name, long number)
{
    char name[4096], whole[4096 + 8];
    snprintf(name, sizeof name, "%s/%s", folder, file_name);
    snprintf(whole, sizeof whole, "%s.new", name);
    FILE *file = fopen(whole, "w");
    return file && fprintf(file, "%ld\n", number) > 0 && fclose(file) == 0 &&
           rename(whole, name) == 0;
}

static int write_pid(const char *folder, int rank)
{
    char file_name[16];
    snprintf(file_name, sizeof file_name, "%d", rank);
    return write_number(folder, file_name, getpid());
}

static int is_to_stop(const char *folder)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/stop", folder);
    return access(name, F_OK) == 0;
}

static void print_error(int rank, int code)
{
    int class = 0, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Error_class(code, &class);
    MPI_Error_string(code, text, &length);
    printf("rank %d: class %s: %s\n", rank,
           class == MPI_ERR_PROC_ABORTED ? "MPI_ERR_PROC_ABORTED" : "other", text);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rank, size, code = MPI_SUCCESS;
    static double mine[VALUES], sum[VALUES];
    /* Hydra sends SIGUSR1 to the surviving processes when one has died. */
    signal(SIGUSR1, SIG_IGN);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int value = 0; value < VALUES; value++) mine[value] = rank;
    for (long round = 0; code == MPI_SUCCESS; round++) {
        if (round == ROUNDS && (argc != 2 || !write_pid(argv[1], rank)))
            MPI_Abort(MPI_COMM_WORLD, 2);
        code = MPI_Allreduce(mine, sum, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (code == MPI_SUCCESS && sum[VALUES - 1] != size * (size - 1) / 2.0)
            MPI_Abort(MPI_COMM_WORLD, 3);
        int stop = 0;
        if (rank == 0 && round % ROUNDS == 0) write_number(argv[1], "rounds", round);
        if (rank == 0) stop = is_to_stop(argv[1]);
        if (code == MPI_SUCCESS) code = MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (code == MPI_SUCCESS && stop) return MPI_Finalize();
    }
    print_error(rank, code);
    _exit(9);
}
