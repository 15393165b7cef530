/*
 * heat.c: how heat spreads in a square plate whose edges are kept cold, with a result that can be checked.
 *
 *     mpicc -O2 -o heat heat.c -lm && mpiexec -n 4 ./heat [picture.pgm]
 *
 * Every process has a band of rows and, above and below it, a copy of its neighbour's edge row (the halo). A time step replaces each point by a
 * mean of itself and its four neighbours; before it, neighbours exchange edge rows. Points away from the edges need no halo, so they are
 * computed while the rows are on their way.
 *
 * The plate begins as a sum of standing waves. Each wave is an eigenvector of the step: it only shrinks, by a factor that is known exactly. So every
 * point is known at any time, and the largest difference to it is printed: rounding, or the message passing is wrong. The argument is the name
 * of a picture of the plate at the end.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 511, STEPS = 2000, WAVES = 4 };

static const double PI = 3.14159265358979323846;
/* Part of the difference to the neighbours' mean that one step takes away; above 0.25 the scheme blows up. */
static const double RATE = 0.2;
static const struct {
    double height;
    int across, down;
} waves[WAVES] = {{1.0, 1, 1}, {0.6, 3, 2}, {0.5, 2, 5}, {0.3, 6, 4}};

static int rank, size, first_row, rows;

/* Row `row` of a band; 0 and rows + 1 are the halo. Columns 0 and POINTS + 1 are the plate's cold edge. */
static double *row_of(double *band, int row) {
    return band + (size_t)row * (POINTS + 2);
}

/* What the plate is after `steps` steps at a point of the band. */
static double exact(int row, int column, int steps) {
    double sum = 0;
    for (int i = 0; i < WAVES; i++) {
        double across = sin(PI * waves[i].across / 2 / (POINTS + 1)), down = sin(PI * waves[i].down / 2 / (POINTS + 1));
        double shrinks = 1 - 4 * RATE * (across * across + down * down);
        sum += waves[i].height * pow(shrinks, steps) * sin(PI * waves[i].across * column / (POINTS + 1)) *
               sin(PI * waves[i].down * (first_row + row) / (POINTS + 1));
    }
    return sum;
}

static void step_row(double *from, double *to, int row) {
    const double *above = row_of(from, row - 1), *here = row_of(from, row), *below = row_of(from, row + 1);
    double *next = row_of(to, row);
    for (int column = 1; column <= POINTS; column++)
        next[column] = here[column] + RATE * (above[column] + below[column] + here[column - 1] + here[column + 1] - 4 * here[column]);
}

static void step(double *from, double *to) {
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
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

/* Process 0 gathers the plate and writes it as grey levels, warm is bright. */
static void draw(const char *name, double *band) {
    unsigned char *shades = malloc((size_t)rows * POINTS), *all = NULL;
    int *counts = calloc(size, sizeof *counts), *begins = calloc(size, sizeof *begins), mine = rows * POINTS;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < POINTS; column++) {
            double warm = 0.5 + row_of(band, row + 1)[column + 1] / 2.4;
            shades[row * POINTS + column] = (unsigned char)(255 * fmin(fmax(warm, 0), 1));
        }
    MPI_Gather(&mine, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 1; i < size; i++)
        begins[i] = begins[i - 1] + counts[i - 1];
    if (rank == 0) all = malloc((size_t)POINTS * POINTS);
    MPI_Gatherv(shades, mine, MPI_UNSIGNED_CHAR, all, counts, begins, MPI_UNSIGNED_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *file = fopen(name, "wb");
        if (!file || fprintf(file, "P5 %d %d 255\n", POINTS, POINTS) < 0 || fwrite(all, POINTS, POINTS, file) != POINTS || fclose(file)) {
            perror(name);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    free(shades);
    free(all);
    free(counts);
    free(begins);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > POINTS) {
        if (rank == 0) fprintf(stderr, "%d rows are too few for %d processes\n", POINTS, size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    first_row = (int)((long)POINTS * rank / size);
    rows = (int)((long)POINTS * (rank + 1) / size) - first_row;
    double *plate = calloc((size_t)(rows + 2) * (POINTS + 2), sizeof *plate), *next = calloc((size_t)(rows + 2) * (POINTS + 2), sizeof *next);
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
    double mine[2] = {MPI_Wtime() - start, 0}, all[2];
    for (int row = 1; row <= rows; row++)
        for (int column = 1; column <= POINTS; column++)
            mine[1] = fmax(mine[1], fabs(row_of(plate, row)[column] - exact(row, column, STEPS)));
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int right = all[1] < 1e-12;
    if (rank == 0)
        printf("%d processes, %d x %d points, %d steps in %.3f s, largest error %.1e (%s)\n", size, POINTS, POINTS, STEPS, all[0], all[1],
               right ? "right" : "WRONG");
    if (argc > 1) draw(argv[1], plate);
    free(plate);
    free(next);
    MPI_Finalize();
    return !right;
}
