/*
 * heat.c: heat spreads in a square plate whose edges are kept cold.
 *
 *     mpicc -O2 -o heat heat.c -lm && mpiexec -n 4 ./heat [picture.pgm]
 *
 * Every rank owns a band of rows and has a copy of the adjacent row of each neighbour, the halo. A
 * step replaces each point by a mean of itself and its four neighbours. Before it the ranks
 * exchange the outermost rows of their bands. Rows inside a band need no halo, so that they are
 * computed while the messages are on their way.
 *
 * The result can be checked. The plate begins as a sum of standing waves, each of which is an
 * eigenvector of the step: it only shrinks, by a known factor. So the exact value of every point is
 * known at any time. The program prints the largest error, which must not exceed rounding.
 *
 * The optional argument names a file for a picture of the plate after the last step.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 511, STEPS = 2000, WAVES = 4 };

static const double PI = 3.14159265358979323846;

/* How much of the difference to the neighbours' mean a step removes. Above 0.25 it is unstable. */
static const double RATE = 0.2;

static const struct {
    double height;
    int across, down;
} waves[WAVES] = {{1.0, 1, 1}, {0.6, 3, 2}, {0.5, 2, 5}, {0.3, 6, 4}};

static int rank, size, first_row, rows;

/* Allocates `bytes` zero bytes, or ends the job. */
static void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory) {
        fprintf(stderr, "rank %d: no memory for %zu bytes\n", rank, bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* Returns row `row` of a band. Rows 0 and rows + 1 are the halo, and columns 0 and POINTS + 1 the
 * cold edges of the plate. */
static double *row_of(double *band, int row) {
    return band + (size_t)row * (POINTS + 2);
}

/* Returns the exact value of a point of the band after `steps` steps. */
static double exact(int row, int column, int steps) {
    double sum = 0;
    for (int i = 0; i < WAVES; i++) {
        double across = sin(PI * waves[i].across / 2 / (POINTS + 1));
        double down = sin(PI * waves[i].down / 2 / (POINTS + 1));
        double factor = 1 - 4 * RATE * (across * across + down * down);
        sum += waves[i].height * pow(factor, steps) *
               sin(PI * waves[i].across * column / (POINTS + 1)) *
               sin(PI * waves[i].down * (first_row + row) / (POINTS + 1));
    }
    return sum;
}

static void step_row(double *from, double *to, int row) {
    const double *above = row_of(from, row - 1);
    const double *here = row_of(from, row);
    const double *below = row_of(from, row + 1);
    double *next = row_of(to, row);
    for (int column = 1; column <= POINTS; column++) {
        double neighbours = above[column] + below[column] + here[column - 1] + here[column + 1];
        next[column] = here[column] + RATE * (neighbours - 4 * here[column]);
    }
}

/* One time step: exchanges the halo and computes the next state of the band. Ranks at the edges of
 * the plate exchange with MPI_PROC_NULL, which leaves their halo at zero. */
static void step(double *from, double *to) {
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Request halo[4];
    MPI_Irecv(row_of(from, 0), POINTS + 2, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &halo[0]);
    MPI_Irecv(row_of(from, rows + 1), POINTS + 2, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &halo[1]);
    MPI_Isend(row_of(from, 1), POINTS + 2, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &halo[2]);
    MPI_Isend(row_of(from, rows), POINTS + 2, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &halo[3]);
    for (int row = 2; row < rows; row++)
        step_row(from, to, row);
    MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
    step_row(from, to, 1);
    if (rows > 1) step_row(from, to, rows);
}

/* Gathers the plate at rank 0, which writes it in shades of grey: the brighter the warmer. */
static void draw(const char *name, double *band) {
    int mine = rows * POINTS;
    int *counts = allocate(size * sizeof *counts), *begins = allocate(size * sizeof *begins);
    unsigned char *shades = allocate(mine), *all = NULL;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < POINTS; column++) {
            double warm = 0.5 + row_of(band, row + 1)[column + 1] / 2.4;
            shades[row * POINTS + column] = (unsigned char)(255 * fmin(fmax(warm, 0), 1));
        }

    MPI_Gather(&mine, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 1; i < size; i++)
        begins[i] = begins[i - 1] + counts[i - 1];
    if (rank == 0) all = allocate((size_t)POINTS * POINTS);
    MPI_Gatherv(shades, mine, MPI_UNSIGNED_CHAR, all, counts, begins, MPI_UNSIGNED_CHAR, 0,
                MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *file = fopen(name, "wb");
        if (!file || fprintf(file, "P5 %d %d 255\n", POINTS, POINTS) < 0 ||
            fwrite(all, POINTS, POINTS, file) != POINTS || fclose(file) != 0) {
            perror(name);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    free(all);
    free(shades);
    free(begins);
    free(counts);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > POINTS) {
        if (rank == 0) fprintf(stderr, "%d rows are too few for %d ranks\n", POINTS, size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    first_row = (int)((long)POINTS * rank / size);
    rows = (int)((long)POINTS * (rank + 1) / size) - first_row;
    size_t bytes = (size_t)(rows + 2) * (POINTS + 2) * sizeof(double);
    double *plate = allocate(bytes), *next = allocate(bytes);
    for (int row = 1; row <= rows; row++)
        for (int column = 1; column <= POINTS; column++)
            row_of(plate, row)[column] = exact(row, column, 0);

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < STEPS; i++) {
        step(plate, next);
        double *other = plate;
        plate = next;
        next = other;
    }

    /* The seconds and the error of this rank, and the maxima over all ranks. */
    double mine[2] = {MPI_Wtime() - start, 0}, all[2];
    for (int row = 1; row <= rows; row++)
        for (int column = 1; column <= POINTS; column++)
            mine[1] = fmax(mine[1], fabs(row_of(plate, row)[column] - exact(row, column, STEPS)));
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int is_right = all[1] < 1e-12;
    if (rank == 0)
        printf("%d ranks, %d x %d points, %d steps in %.3f s, largest error %.1e (%s)\n", size,
               POINTS, POINTS, STEPS, all[0], all[1], is_right ? "right" : "WRONG");
    if (argc > 1) draw(argv[1], plate);

    free(plate);
    free(next);
    MPI_Finalize();
    return !is_right;
}
