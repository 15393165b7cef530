/*
 * halo.c: heat spreads in a ring of cells, with the Remote-Write API.
 *
 *     cc -O2 -o halo halo.c $(pkg-config --cflags --libs rwapi) && mpiexec -n 4 ./halo
 *
 * Each node owns a part of the ring and has a copy of the adjacent cell of either neighbour. In
 * every step it writes its outermost cells into the memory of the neighbours, and sends a small
 * message after each write. The message arrives after the bytes of the write.
 */
#include <rwapi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 1000, STEPS = 2000 };

/* The second word of a small message: what it is about. The first word is its value. */
enum {
    LEFT_ADDRESS,  /* the cells of the left neighbour, */
    RIGHT_ADDRESS, /* and those of the right one */
    LEFT_WRITTEN,  /* the left neighbour has written its cell of a step, */
    RIGHT_WRITTEN, /* and the right one has */
    SUM            /* the heat of a node, for node 0 */
};

/* The network addresses of this node's cells and of the neighbours' cells. */
static net own_cells, left_cells, right_cells;

/* Steps for which the neighbours' cells have arrived, and the sums that node 0 has received. */
static int left_steps, right_steps, sums;
static double total;

union number {
    double value;
    uint64_t word;
};

/* Ends this node with a message if a call has failed. */
static void must(long long outcome) {
    if (outcome < 0) {
        fprintf(stderr, "node %d: %s\n", rwapi_rank(), rwapi_why());
        exit(1);
    }
}

/* Returns the network address of a cell. There are two generations of cells: a step reads one while
 * the neighbours already write into the other. Cells 0 and CELLS + 1 are the neighbours'. */
static net cell(net base, int generation, int index) {
    return base + (net)(generation * (CELLS + 2) + index) * sizeof(double);
}

static void send(node to, uint64_t value, uint64_t about) {
    must(rwapi_send(to, (small){{value, about}}));
}

/* Receives a small message, if one has arrived. */
static void receive(void) {
    node from;
    small message;
    int received = rwapi_receive(&from, &message);
    must(received);
    if (!received) return;
    switch (message.words[1]) {
    case LEFT_ADDRESS:
        left_cells = message.words[0];
        break;
    case RIGHT_ADDRESS:
        right_cells = message.words[0];
        break;
    case LEFT_WRITTEN:
        left_steps++;
        break;
    case RIGHT_WRITTEN:
        right_steps++;
        break;
    case SUM:
        total += (union number){.word = message.words[0]}.value;
        sums++;
        break;
    }
}

int main(int argc, char **argv) {
    must(rwapi_init(argc, argv));
    int me = rwapi_rank(), nodes = rwapi_size();
    node left = (me + nodes - 1) % nodes, right = (me + 1) % nodes;
    double(*cells)[CELLS + 2] = rwapi_alloc(2 * sizeof *cells, &own_cells);
    must(cells ? 0 : -1);
    if (me == 0) cells[0][1] = 1000;

    /* The neighbours need the address of our cells. We are the right neighbour of the left one. */
    send(left, own_cells, RIGHT_ADDRESS);
    send(right, own_cells, LEFT_ADDRESS);
    while (!left_cells || !right_cells) receive();

    for (int step = 0; step < STEPS; step++) {
        int now = step % 2, then = 1 - now;
        must(rwapi_write(left, cell(own_cells, now, 1), cell(left_cells, now, CELLS + 1),
                         sizeof(double)));
        send(left, step, RIGHT_WRITTEN);
        must(rwapi_write(right, cell(own_cells, now, CELLS), cell(right_cells, now, 0),
                         sizeof(double)));
        send(right, step, LEFT_WRITTEN);
        while (left_steps <= step || right_steps <= step) receive();
        for (int i = 1; i <= CELLS; i++)
            cells[then][i] = cells[now][i] +
                             0.25 * (cells[now][i - 1] - 2 * cells[now][i] + cells[now][i + 1]);
    }

    /* Heat spreads, but none of it is lost. */
    double sum = 0;
    for (int i = 1; i <= CELLS; i++) sum += cells[STEPS % 2][i];
    send(0, (union number){.value = sum}.word, SUM);
    if (me == 0)
        while (sums < nodes) receive();
    int is_right = me != 0 || (total > 999.999 && total < 1000.001);
    if (me == 0)
        printf("%d nodes, %d cells, %d steps, sum %.6f (%s)\n", nodes, nodes * CELLS, STEPS, total,
               is_right ? "right" : "WRONG");
    must(rwapi_finalize());
    return !is_right;
}
