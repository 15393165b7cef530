/*
 * halo.c: heat in a ring of cells, with the Remote-Write API. Each node has a part of the ring and a cell of either neighbour
 * beside it; in every step it writes its outermost cells into the neighbours' memory and tells them so.
 *
 *     cc -O2 -o halo halo.c $(pkg-config --cflags --libs rwapi) && mpiexec -n 4 ./halo
 */
#include <rwapi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 1000, STEPS = 2000 };

static void must(long long outcome) {
    if (outcome < 0) {
        fprintf(stderr, "node %d: %s\n", rwapi_rank(), rwapi_why());
        exit(1);
    }
}

/* Two generations of cells: one is read while the neighbours write into the other. */
static net mine, left_net, right_net;

/* What the neighbours have told: cells that have arrived, and sums. */
static int arrived_left, arrived_right, sums;
static double total;

union number {
    double value;
    uint64_t word;
};

static net cell(net base, int generation, int index) {
    return base + (net)(generation * (CELLS + 2) + index) * sizeof(double);
}

/* Takes a small message, if there is one: its second word tells what it is about. */
static void take(void) {
    node from;
    small message;
    int received = rwapi_receive(&from, &message);
    must(received);
    if (!received) return;
    switch (message.words[1]) {
    case 'L':
        left_net = message.words[0];
        break;
    case 'R':
        right_net = message.words[0];
        break;
    case 'l':
        arrived_left++;
        break;
    case 'r':
        arrived_right++;
        break;
    case 's':
        total += (union number){.word = message.words[0]}.value;
        sums++;
        break;
    }
}

int main(int argc, char **argv) {
    must(rwapi_init(argc, argv));
    int me = rwapi_rank(), nodes = rwapi_size();
    node left = (me + nodes - 1) % nodes, right = (me + 1) % nodes;
    double(*cells)[CELLS + 2] = rwapi_alloc(2 * sizeof *cells, &mine);
    must(cells ? 0 : -1);
    if (me == 0) cells[0][1] = 1000;

    /* Either neighbour must know where our cells are; from now on they write. */
    must(rwapi_send(left, (small){{mine, 'R'}}));
    must(rwapi_send(right, (small){{mine, 'L'}}));
    while (!left_net || !right_net) take();

    for (int step = 0; step < STEPS; step++) {
        int now = step % 2, then = 1 - now;
        must(rwapi_write(left, cell(mine, now, 1), cell(left_net, now, CELLS + 1), sizeof(double)));
        must(rwapi_send(left, (small){{(uint64_t)step, 'r'}}));
        must(rwapi_write(right, cell(mine, now, CELLS), cell(right_net, now, 0), sizeof(double)));
        must(rwapi_send(right, (small){{(uint64_t)step, 'l'}}));
        while (arrived_left <= step || arrived_right <= step) take();
        for (int i = 1; i <= CELLS; i++) cells[then][i] = cells[now][i] + 0.25 * (cells[now][i - 1] - 2 * cells[now][i] + cells[now][i + 1]);
    }

    /* The heat is all there. */
    double sum = 0;
    for (int i = 1; i <= CELLS; i++) sum += cells[STEPS % 2][i];
    must(rwapi_send(0, (small){{(union number){.value = sum}.word, 's'}}));
    if (me == 0) {
        while (sums < nodes) take();
        printf("heat on %d nodes: %d cells, %d steps, sum %.6f\n", nodes, nodes * CELLS, STEPS, total);
        if (total < 999.999 || total > 1000.001) return 1;
    }
    must(rwapi_finalize());
    return 0;
}
