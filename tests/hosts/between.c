/* Two jobs that connect and exchange words that nobody on the way may read. Used by
 * scripts/jobs networks.
 *
 * between serve FILE [AFTER]: opens a port, writes its name to FILE, and accepts the other job, if
 * AFTER is given, when that file exists.
 * between connect FILE: connects to that port.
 *
 * Both print "exchanged" and exit with 0 if every process has exchanged the words with every
 * process of the other job; otherwise they print the error and exit with 3. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char words[] = "these words are for the other job only; ";
enum { WORDS = sizeof words - 1, LONG = 20000 * WORDS };
static char out[LONG], in[LONG];

static void check(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (code == MPI_SUCCESS) return;
    MPI_Error_string(code, text, &length);
    printf("%s\n", text);
    fflush(stdout);
    _exit(3);
}

static int exists(const char *file)
{
    return access(file, F_OK) == 0;
}

static void write_name(const char *file, const char *port)
{
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.new", file);
    FILE *to = fopen(temporary, "w");
    if (!to || fprintf(to, "%s\n", port) < 0 || fclose(to) != 0 || rename(temporary, file) != 0)
        perror(file);
}

static void read_name(const char *file, char *port)
{
    while (!exists(file)) usleep(10000);
    FILE *from = fopen(file, "r");
    if (!from || fscanf(from, "%1023s", port) != 1) perror(file);
    if (from) fclose(from);
}

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int serves = argc > 2 && strcmp(argv[1], "serve") == 0, rank, others;
    MPI_Comm inter;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0 && serves) {
        check(MPI_Open_port(MPI_INFO_NULL, port));
        write_name(argv[2], port);
        while (argc > 3 && !exists(argv[3])) usleep(10000);
    } else if (rank == 0) {
        read_name(argv[2], port);
    }
    if (serves) check(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
    else check(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
    for (int i = 0; i < LONG; i++) out[i] = words[i % WORDS];
    MPI_Comm_remote_size(inter, &others);
    /* One after the other: short, longer than a packet, long. */
    for (int bytes = WORDS; bytes <= LONG; bytes *= 141)
        for (int other = 0; other < others; other++) {
            check(MPI_Irecv(in, bytes, MPI_CHAR, other, 0, inter, &request));
            check(MPI_Send(out, bytes, MPI_CHAR, other, 0, inter));
            check(MPI_Wait(&request, MPI_STATUS_IGNORE));
            if (memcmp(in, out, bytes) != 0) printf("other words\n");
            memset(in, 0, bytes);
        }
    check(MPI_Comm_disconnect(&inter));
    if (rank == 0) printf("exchanged\n");
    MPI_Finalize();
    return 0;
}
