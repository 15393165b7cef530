/* Collectives one after the other, until something happens to one of the processes or FOLDER/stop is there: scripts/test-faults, test-strangers.
 *
 *   collective FOLDER     when they are in full swing each process writes its number to FOLDER/RANK, and rank 0 the rounds so far to FOLDER/rounds;
 *                         who sees an error tells it and leaves
 */

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUES = 20000, ROUNDS = 20 };

static int leave_word(const char *folder, const char *word, long number)
{
    char name[4096], whole[4096 + 8];
    snprintf(name, sizeof name, "%s/%s", folder, word);
    snprintf(whole, sizeof whole, "%s.new", name);
    FILE *file = fopen(whole, "w");
    return file && fprintf(file, "%ld\n", number) > 0 && fclose(file) == 0 && rename(whole, name) == 0;
}

static int introduce(const char *folder, int rank)
{
    char word[16];
    snprintf(word, sizeof word, "%d", rank);
    return leave_word(folder, word, getpid());
}

static int is_to_stop(const char *folder)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/stop", folder);
    return access(name, F_OK) == 0;
}

static void tell(int rank, int code)
{
    int class = 0, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Error_class(code, &class);
    MPI_Error_string(code, text, &length);
    printf("rank %d: class %s: %s\n", rank, class == MPI_ERR_PROC_ABORTED ? "MPI_ERR_PROC_ABORTED" : "of another kind", text);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rank, size, code = MPI_SUCCESS;
    static double mine[VALUES], sum[VALUES];
    /* By this hydra tells survivors of a death. */
    signal(SIGUSR1, SIG_IGN);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int value = 0; value < VALUES; value++) mine[value] = rank;
    for (long round = 0; code == MPI_SUCCESS; round++) {
        if (round == ROUNDS && (argc != 2 || !introduce(argv[1], rank))) MPI_Abort(MPI_COMM_WORLD, 2);
        code = MPI_Allreduce(mine, sum, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (code == MPI_SUCCESS && sum[VALUES - 1] != size * (size - 1) / 2.0) MPI_Abort(MPI_COMM_WORLD, 3);
        int stop = 0;
        if (rank == 0 && round % ROUNDS == 0) leave_word(argv[1], "rounds", round);
        if (rank == 0) stop = is_to_stop(argv[1]);
        if (code == MPI_SUCCESS) code = MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (code == MPI_SUCCESS && stop) return MPI_Finalize();
    }
    tell(rank, code);
    _exit(9);
}
