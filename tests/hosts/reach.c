/* reach FOLDER: process 0 puts into and gets from registered memory of process 1 until process 1 is
 * killed. Used by scripts/jobs faults. Both write their process IDs to FOLDER. Process 0 prints
 * whether the operation under way and later operations have failed. */

#include <nemesis.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { KEY = NEMESIS_KIND_FIRST, BYTES = 1 << 20, LATER = 100, LOSS_SECONDS = 5 };

static nemesis_key key;
static int known;

static int take(const nemesis_packet *packet, void *unused)
{
    (void)unused;
    if (packet->header.kind == KEY && packet->bytes == sizeof key)
        key = *(const nemesis_key *)packet->payload, known = 1;
    return 1;
}

static void must(int holds, const char *what)
{
    if (holds) return;
    printf("%s: %s\n", what, nemesis_why());
    fflush(stdout);
    _exit(1);
}

static void write_pid(const char *folder, int rank)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/%d", folder, rank);
    FILE *file = fopen(name, "w");
    must(file && fprintf(file, "%d\n", (int)getpid()) > 0 && fclose(file) == 0,
         "a file cannot be written");
}

/* Polls until the operation is complete, and returns its counter. */
static int end_of(volatile int *counter)
{
    time_t start = time(NULL);
    while (*counter > 0) {
        int outcome = nemesis_poll(take, NULL);
        must(outcome >= 0 || outcome == NEMESIS_ERR_LOST, "a poll fails");
        /* The network needs time to detect a loss. Operations on a process that is known to be lost
         * fail at once. */
        must(time(NULL) < start + 4 * LOSS_SECONDS, "an operation does not complete");
    }
    return *counter;
}

int main(int argc, char **argv)
{
    static unsigned char memory[BYTES];
    int counter, outcome, under_way = 0;
    must(argc == 2, "a folder is expected");
    must(nemesis_init() == NEMESIS_OK && nemesis_size() == 2, "two processes are expected");
    int rank = nemesis_rank();
    if (rank == 1) {
        nemesis_header header = {.kind = KEY};
        nemesis_key own;
        must(nemesis_register(memory, BYTES, &own) == NEMESIS_OK, "memory cannot be registered");
        while ((outcome = nemesis_send(0, &header, &own, sizeof own)) == NEMESIS_AGAIN)
            must(nemesis_poll(take, NULL) >= 0, "a poll fails");
        must(outcome == NEMESIS_OK, "the key cannot be sent");
        write_pid(argv[1], rank);
        for (;;) nemesis_poll(take, NULL);
    }
    while (!known) must(nemesis_poll(take, NULL) >= 0, "a poll fails");
    for (int number = 0; !under_way; number++) {
        outcome = number % 2 ? nemesis_put_start(&key, key.words[2], memory, BYTES, &counter)
                             : nemesis_get_start(&key, key.words[2], memory, BYTES, &counter);
        must(outcome == NEMESIS_OK, "an operation cannot be started");
        if (end_of(&counter) == -1) under_way = 1;
        else if (number == 0) write_pid(argv[1], rank);
    }
    printf("the operation under way has failed\n");
    time_t start = time(NULL);
    for (int number = 0; number < LATER; number++) {
        outcome = number % 2 ? nemesis_put_start(&key, key.words[2], memory, BYTES, &counter)
                             : nemesis_get_start(&key, key.words[2], memory, BYTES, &counter);
        must(outcome == NEMESIS_OK && end_of(&counter) == -1,
             "an operation on a process that is lost does not fail");
    }
    must(time(NULL) <= start + LOSS_SECONDS, "later operations took too long to fail");
    printf("each operation started later has failed\n");
    fflush(stdout);
    _exit(0);
}
