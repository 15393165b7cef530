/* Data with gaps: every other double of an array, packed with MPI_Pack, and sent back and forth
 * between two processes as one element of a vector datatype on both sides.
 *
 * Lengths are those of the data without the gaps: from 8 KiB, in steps of a factor of eight, to the
 * largest (third argument, bytes). */
#include "measure.h"

static double *array, *packed;
static MPI_Datatype every_other;

static double pack(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        int position = 0;
        MPI_Pack(array, 1, every_other, packed, bytes, &position, MPI_COMM_WORLD);
    }
    return now() - start;
}

static double ping_pong(long repetitions, int bytes)
{
    (void)bytes;
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        if (rank == 0) {
            MPI_Send(array, 1, every_other, 1, TAG_DATA, MPI_COMM_WORLD);
            MPI_Recv(array, 1, every_other, 1, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(array, 1, every_other, 0, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(array, 1, every_other, 0, TAG_DATA, MPI_COMM_WORLD);
        }
    }
    return now() - start;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    int largest = argc > 3 ? atoi(argv[3]) : 4 << 20;
    array = touched(2 * (size_t)largest);
    packed = touched(largest);
    for (long bytes = 8 << 10; bytes <= largest; bytes *= 8) {
        MPI_Type_vector(bytes / sizeof(double), 1, 2, MPI_DOUBLE, &every_other);
        MPI_Type_commit(&every_other);
        double packing = measured(pack, bytes), round_trip = measured(ping_pong, bytes);
        MPI_Type_free(&every_other);
        if (rank != 0) continue;
        printf("{\"measure\": \"pack\", \"bytes\": %ld, \"value\": %.4e}\n", bytes, packing);
        printf("{\"measure\": \"strided\", \"bytes\": %ld, \"value\": %.4e}\n", bytes,
               round_trip / 2);
    }
    end();
    return 0;
}
