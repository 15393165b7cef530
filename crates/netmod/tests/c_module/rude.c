/*
 * rude.c: a network module that breaks one rule of nemesis_netmod.h per call. The process to which
 * it "sends" is the number of the rule.
 */
#include "nemesis_netmod.h"

#include <string.h>

#ifndef ABI
#define ABI NEMESIS_NETMOD_ABI
#endif

static int init(const nemesis_setup *setup, const nemesis_host *host, nemesis_start *start) {
    (void)setup;
    (void)host;
    start->module = start;
    start->payload_max = 1024;
    return NEMESIS_OK;
}

static int finalize(void *module, const nemesis_host *host, int what) {
    (void)module;
    (void)host;
    (void)what;
    return NEMESIS_DONE;
}

static int send(void *module, const nemesis_host *host, uint32_t to, const nemesis_packet *packet,
                uint64_t token) {
    nemesis_cell cell;
    nemesis_place place;
    (void)module;
    switch (to) {
    case 0: /* giving a cell back twice */
        host->alloc(host->self, 8, &cell);
        host->give_back(host->self, &cell);
        return host->give_back(host->self, &cell);
    case 1: /* a cell that the host has not lent */
        cell.id = 12345;
        return host->deliver(host->self, 0, &cell);
    case 2: /* a packet longer than its cell */
        host->alloc(host->self, 8, &cell);
        memset(cell.frame, 0xff, NEMESIS_HEADER_BYTES);
        return host->deliver(host->self, 0, &cell);
    case 3: /* a packet from no process */
        host->alloc(host->self, 8, &cell);
        memcpy(cell.frame, packet->header, NEMESIS_HEADER_BYTES);
        return host->deliver(host->self, 99, &cell);
    case 4: /* completing a send that is not pending */
        return host->completed(host->self, token, NEMESIS_OK);
    case 5: /* reporting a lost process twice */
        host->lost(host->self, 1, NEMESIS_LOST, "once");
        return host->lost(host->self, 1, NEMESIS_LOST, "twice");
    case 6: /* asking twice for a destination */
        host->alloc(host->self, 8, &cell);
        memcpy(cell.frame, packet->header, NEMESIS_HEADER_BYTES);
        host->place(host->self, 1, &cell, 8, &place);
        return host->place(host->self, 1, &cell, 8, &place);
    case 7: /* a result without a meaning */
        return 77;
    case 8: /* an error without a meaning */
        return -77;
    case 9: /* a broken rule hidden behind success */
        host->completed(host->self, token, NEMESIS_OK);
        return NEMESIS_DONE;
    default: /* no rule: an error as it should be */
        host->explain(host->self, "the cable is cut");
        return NEMESIS_LOST;
    }
}

static int poll(void *module, const nemesis_host *host) {
    (void)module;
    (void)host;
    return 0;
}

#ifdef HALF_AN_RMA_TABLE
static int flush(void *module, const nemesis_host *host, uint32_t process, uint64_t token) {
    (void)module, (void)host, (void)process, (void)token;
    return NEMESIS_OK;
}

static const nemesis_netmod_rma half = {.flush = flush};
#endif

const nemesis_netmod *nemesis_netmod_table(void) {
    static const nemesis_netmod table = {
        .abi = ABI,
        .bytes = sizeof table,
        .name = "rude",
        .init = init,
        .finalize = finalize,
#ifndef WITHOUT_SEND
        .send = send,
#endif
        .poll_send = poll,
        .poll_recv = poll,
#ifdef HALF_AN_RMA_TABLE
        .rma = &half,
#endif
    };
#ifdef WITHOUT_SEND
    (void)send;
#endif
    return &table;
}
