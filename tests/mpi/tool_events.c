/* Events of the tool information interface: registered callbacks are called with the right data, in
 * order, and dropped events are counted.
 *
 * sizes: 1 2 4
 */

#include "check.h"

typedef struct Log {
    int events, dropped_calls, freed, wrong, tag, peer, least_tag, most_tag;
    long long dropped;
    unsigned long long bytes;
    MPI_Count last;
    MPI_T_event_registration registration;
} Log;

static MPI_T_event_instance kept;

static int index_of(const char *name)
{
    int index;
    OK(MPI_T_event_get_index(name, &index));
    return index;
}

static void on_event(MPI_T_event_instance event, MPI_T_event_registration registration,
                     MPI_T_cb_safety safety, void *data)
{
    Log *log = data;
    struct {
        unsigned long long word;
        int numbers[3];
    } copy;
    MPI_Count time;
    int source = -1, tag;
    if (MPI_T_event_copy(event, &copy) || MPI_T_event_get_timestamp(event, &time) ||
        MPI_T_event_get_source(event, &source))
        log->wrong++;
    if (MPI_T_event_read(event, 2, &tag) || tag != copy.numbers[1]) log->wrong++;
    if (source != 0 || time < log->last || registration != log->registration ||
        safety != MPI_T_CB_REQUIRE_NONE)
        log->wrong++;
    log->last = time;
    if (log->most_tag && (tag < log->least_tag || tag > log->most_tag)) return;
    log->events++;
    log->bytes = copy.word;
    log->peer = copy.numbers[0];
    log->tag = copy.numbers[1];
    kept = event;
    /* Callbacks may call MPI. */
    MPI_Comm_rank(MPI_COMM_WORLD, &tag);
}

static void on_dropped(MPI_Count count, MPI_T_event_registration registration, int source,
                       MPI_T_cb_safety safety, void *data)
{
    Log *log = data;
    (void)safety;
    if (source != 0 || registration != log->registration) log->wrong++;
    log->dropped_calls++;
    log->dropped += count;
}

static void on_freed(MPI_T_event_registration registration, MPI_T_cb_safety safety, void *data)
{
    Log *log = data;
    (void)safety;
    if (registration != log->registration) log->wrong++;
    log->freed++;
}

static void register_event(const char *name, Log *log)
{
    memset(log, 0, sizeof *log);
    OK(MPI_T_event_handle_alloc(index_of(name), NULL, MPI_INFO_NULL, &log->registration));
    OK(MPI_T_event_register_callback(log->registration, MPI_T_CB_REQUIRE_MPI_RESTRICTED,
                                     MPI_INFO_NULL, log, on_event));
    OK(MPI_T_event_set_dropped_handler(log->registration, on_dropped));
}

static void free_registration(Log *log)
{
    OK(MPI_T_event_handle_free(log->registration, log, on_freed));
    CHECK(log->freed == 1 && log->wrong == 0, "freed %d times, %d things were wrong", log->freed,
          log->wrong);
}

static void test_descriptions(void)
{
    int sources, events, length;
    MPI_T_source_order ordering;
    char name[128], text[256];
    MPI_Count ticks, most, earlier, later;
    MPI_Info info;
    OK(MPI_T_source_get_num(&sources));
    CHECK(sources == 1, "%d sources", sources);
    length = sizeof name;
    OK(MPI_T_source_get_info(0, name, &length, NULL, NULL, &ordering, &ticks, &most, &info));
    CHECK(length > 1 && ordering == MPI_T_SOURCE_ORDERED && ticks > 0 && most > 0, "source %s",
          name);
    OK(MPI_Info_free(&info));
    FAILS(MPI_T_source_get_info(1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          MPI_T_ERR_INVALID_INDEX);
    OK(MPI_T_source_get_timestamp(0, &earlier));
    OK(MPI_T_source_get_timestamp(0, &later));
    CHECK(later >= earlier, "time runs backwards");
    OK(MPI_T_event_get_num(&events));
    CHECK(events >= 3, "%d kinds of events", events);
    for (int at = 0; at < events; at++) {
        MPI_Datatype types[8];
        MPI_Aint places[8];
        int elements = 0, lengths[2] = {sizeof name, sizeof text}, bind, verbosity, end = 0;
        MPI_T_enum choices;
        OK(MPI_T_event_get_info(at, name, &lengths[0], &verbosity, NULL, NULL, &elements, &choices,
                                &info, text, &lengths[1], &bind));
        OK(MPI_Info_free(&info));
        CHECK(elements == 4 && lengths[1] > 1 && bind == MPI_T_BIND_NO_OBJECT, "%s has %d elements",
              name, elements);
        places[elements] = -7;
        OK(MPI_T_event_get_info(at, NULL, NULL, NULL, types, places, &elements, NULL, NULL, NULL,
                                NULL, NULL));
        CHECK(places[elements] == -7, "more elements than the event has");
        for (int i = 0; i < elements; i++) {
            int bytes;
            CHECK(types[i] == MPI_INT || types[i] == MPI_UNSIGNED_LONG_LONG, "%s: wrong type",
                  name);
            OK(MPI_Type_size(types[i], &bytes));
            CHECK(places[i] >= end, "%s: elements overlap", name);
            end = (int)places[i] + bytes;
        }
    }
    FAILS(MPI_T_event_get_info(events, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                               NULL), MPI_T_ERR_INVALID_INDEX);
    FAILS(MPI_T_event_get_index("nothing", &events), MPI_T_ERR_INVALID_NAME);
}

static void test_handles(void)
{
    MPI_T_event_registration registration;
    MPI_Info info;
    int number;
    FAILS(MPI_T_event_handle_alloc(1000, NULL, MPI_INFO_NULL, &registration),
          MPI_T_ERR_INVALID_INDEX);
    OK(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &registration));
    OK(MPI_T_event_handle_get_info(registration, &info));
    OK(MPI_T_event_handle_set_info(registration, info));
    OK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, info, NULL, on_event));
    OK(MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_NONE, info));
    OK(MPI_Info_free(&info));
    OK(MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_NONE, &info));
    OK(MPI_Info_free(&info));
    FAILS(MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_THREAD_SAFE, &info),
          MPI_T_ERR_INVALID);
    FAILS(MPI_T_event_register_callback(registration, (MPI_T_cb_safety)7, MPI_INFO_NULL, NULL,
                                        on_event), MPI_T_ERR_INVALID);
    OK(MPI_T_event_handle_free(registration, NULL, NULL));
    FAILS(MPI_T_event_handle_free(registration, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
    FAILS(MPI_T_event_read(kept, 0, &number), MPI_T_ERR_INVALID_HANDLE);
}

/* Unexpected messages are events at the receiver. After the registration is freed, there are no
 * more events. */
static void test_unexpected(void)
{
    enum { MESSAGES = 25 };
    Log log;
    int word = 0, flag = 0;
    register_event("nemesis_unexpected_message", &log);
    /* Ignores the messages of collectives and of later tests. */
    log.least_tag = 100;
    log.most_tag = 100 + MESSAGES;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0 && size > 1) {
        MPI_Request requests[MESSAGES + 1];
        for (int i = 0; i <= MESSAGES; i++)
            OK(MPI_Isend(&word, 1, MPI_INT, 1, 100 + i, MPI_COMM_WORLD, &requests[i]));
        OK(MPI_Waitall(MESSAGES + 1, requests, MPI_STATUSES_IGNORE));
    }
    if (rank == 1) {
        while (!flag) OK(MPI_Iprobe(0, 100 + MESSAGES, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        OK(MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        CHECK(log.events == MESSAGES + 1, "%d events for %d messages", log.events, MESSAGES + 1);
        CHECK(log.tag == 100 + MESSAGES && log.bytes == sizeof(int) && log.peer == 0,
              "tag %d, %llu bytes from %d", log.tag, log.bytes, log.peer);
        for (int i = 0; i <= MESSAGES; i++)
            OK(MPI_Recv(&word, 1, MPI_INT, 0, 100 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    free_registration(&log);
    int events = log.events;
    if (rank == 0 && size > 1) OK(MPI_Send(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
    if (rank == 1) {
        OK(MPI_Probe(0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Recv(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(log.events == events, "an event after the end");
    }
}

static void test_rendezvous(void)
{
    enum { LARGE = 2000000 };
    static char memory[LARGE];
    Log log;
    register_event("nemesis_rendezvous_begins", &log);
    if (rank == 0 && size > 1) {
        OK(MPI_Send(memory, LARGE, MPI_CHAR, 1, 42, MPI_COMM_WORLD));
        CHECK(log.events >= 1 && log.bytes == LARGE && log.tag == 42,
              "%d events, %llu bytes, tag %d", log.events, log.bytes, log.tag);
    }
    if (rank == 1) OK(MPI_Recv(memory, LARGE, MPI_CHAR, 0, 42, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    free_registration(&log);
}

/* More communicators than the library keeps events for between two calls that make progress. With
 * one process there is no wait in between. */
static void test_communicators(void)
{
    enum { MANY = 3000 };
    Log log, second;
    MPI_Comm comm;
    register_event("nemesis_communicator_made", &log);
    register_event("nemesis_communicator_made", &second);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Barrier(comm));
    OK(MPI_Comm_free(&comm));
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
        OK(MPI_Comm_free(&comm));
    }
    free_registration(&log);
    CHECK(log.events + log.dropped == MANY + 1, "%d events, %lld dropped", log.events, log.dropped);
    CHECK(log.events >= 1000 && (log.dropped > 0) == (log.dropped_calls > 0),
          "%d calls for %lld dropped", log.dropped_calls, log.dropped);
    CHECK(log.peer == 0 && log.tag == 1, "rank %d of %d", log.peer, log.tag);
    free_registration(&second);
    CHECK(second.events == log.events && second.dropped == log.dropped,
          "the other registration got %d events and %lld dropped ones", second.events,
          second.dropped);
}

int main(int argc, char **argv)
{
    int provided;
    begin(&argc, &argv);
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    test_descriptions();
    test_unexpected();
    test_rendezvous();
    test_communicators();
    test_handles();
    OK(MPI_T_finalize());
    MPI_Finalize();
    return 0;
}
