/* Measures a device without any library but libibverbs, within one thread that has both ends, two
 * connected queue pairs: a message of 8 bytes with both completions, and a read of 1 MiB. Prints
 * the least time and the tenth percentile, in microseconds. Used by figures:
 * bare DEVICE GID-INDEX. */

#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHORT_ROUNDS = 1000, LONG = 1 << 20, LONG_ROUNDS = 20, WARM_UP = 5 };

static struct ibv_context *context;
static struct ibv_cq *queue;
static struct ibv_mr *memory;
static struct ibv_qp *pairs[2];
static char *bytes;

static void need(int is_right, const char *what)
{
    if (is_right) return;
    fprintf(stderr, "bare: %s failed\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* Connects a queue pair with the other one of the same port. */
static void connect_pair(int which, int gid_index, union ibv_gid gid, enum ibv_mtu mtu)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1};
    attr.qp_access_flags = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
    need(!ibv_modify_qp(pairs[which], &attr,
                        IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
         "INIT");
    memset(&attr, 0, sizeof attr);
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = mtu;
    attr.dest_qp_num = pairs[1 - which]->qp_num;
    attr.max_dest_rd_atomic = 16;
    attr.min_rnr_timer = 12;
    attr.ah_attr.is_global = 1;
    attr.ah_attr.port_num = 1;
    attr.ah_attr.grh.dgid = gid;
    attr.ah_attr.grh.sgid_index = (uint8_t)gid_index;
    attr.ah_attr.grh.hop_limit = 64;
    need(!ibv_modify_qp(pairs[which], &attr,
                        IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                            IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
         "RTR");
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = 17;
    attr.retry_cnt = attr.rnr_retry = 7;
    attr.max_rd_atomic = 16;
    need(!ibv_modify_qp(pairs[which], &attr,
                        IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                            IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
         "RTS");
}

static void open_device(const char *name, int gid_index)
{
    int count, device;
    struct ibv_device **list = ibv_get_device_list(&count);
    need(list != NULL, "ibv_get_device_list");
    for (device = 0; device < count && strcmp(ibv_get_device_name(list[device]), name); device++) {
    }
    need(device < count && (context = ibv_open_device(list[device])) != NULL, name);
    struct ibv_pd *domain = ibv_alloc_pd(context);
    queue = ibv_create_cq(context, 64, NULL, NULL, 0);
    need(domain && queue && !posix_memalign((void **)&bytes, 4096, 2 * LONG), "its objects");
    memset(bytes, 1, 2 * LONG);
    memory = ibv_reg_mr(domain, bytes, 2 * LONG,
                        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE);
    need(memory != NULL, "ibv_reg_mr");
    struct ibv_port_attr port;
    union ibv_gid gid;
    need(!ibv_query_port(context, 1, &port) && !ibv_query_gid(context, 1, gid_index, &gid), "port");
    for (int which = 0; which < 2; which++) {
        struct ibv_qp_init_attr init = {.send_cq = queue, .recv_cq = queue, .qp_type = IBV_QPT_RC};
        init.cap = (struct ibv_qp_cap){.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1,
                                       .max_recv_sge = 1, .max_inline_data = 64};
        init.sq_sig_all = 1;
        pairs[which] = ibv_create_qp(domain, &init);
        need(pairs[which] != NULL, "ibv_create_qp");
    }
    for (int which = 0; which < 2; which++) connect_pair(which, gid_index, gid, port.active_mtu);
}

/* Waits until a number of requests have completed. */
static void complete(int number)
{
    struct ibv_wc completions[4];
    while (number > 0) {
        int found = ibv_poll_cq(queue, 4, completions);
        need(found >= 0, "ibv_poll_cq");
        for (int index = 0; index < found; index++)
            need(completions[index].status == IBV_WC_SUCCESS, "a request");
        number -= found;
    }
}

static void send_short(void)
{
    struct ibv_sge to = {.addr = (uintptr_t)bytes + LONG, .length = 64, .lkey = memory->lkey};
    struct ibv_recv_wr receive = {.sg_list = &to, .num_sge = 1}, *refused;
    need(!ibv_post_recv(pairs[1], &receive, &refused), "ibv_post_recv");
    struct ibv_sge from = {.addr = (uintptr_t)bytes, .length = 8, .lkey = memory->lkey};
    struct ibv_send_wr send = {.sg_list = &from, .num_sge = 1, .opcode = IBV_WR_SEND}, *bad;
    need(!ibv_post_send(pairs[0], &send, &bad), "ibv_post_send");
    complete(2);
}

static void read_long(void)
{
    struct ibv_sge to = {.addr = (uintptr_t)bytes + LONG, .length = LONG, .lkey = memory->lkey};
    struct ibv_send_wr read = {.sg_list = &to, .num_sge = 1, .opcode = IBV_WR_RDMA_READ}, *bad;
    read.wr.rdma.remote_addr = (uintptr_t)bytes;
    read.wr.rdma.rkey = memory->rkey;
    need(!ibv_post_send(pairs[0], &read, &bad), "ibv_post_send");
    complete(1);
}

static int compare(const void *one, const void *other)
{
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

static void measure(const char *name, int rounds, void (*call)(void))
{
    static double times[SHORT_ROUNDS];
    for (int round = -WARM_UP; round < rounds; round++) {
        double begin = now();
        call();
        if (round >= 0) times[round] = now() - begin;
    }
    qsort(times, (size_t)rounds, sizeof times[0], compare);
    printf("%s %.1f %.1f\n", name, times[0], times[rounds / 10]);
}

int main(int argc, char **argv)
{
    need(argc == 3, "naming DEVICE and GID-INDEX");
    open_device(argv[1], atoi(argv[2]));
    measure("short", SHORT_ROUNDS, send_short);
    measure("long", LONG_ROUNDS, read_long);
    return 0;
}
