//! The functions of libibverbs, called by name or through a context's table of operations.

use crate::hardware::{Hardware, LocalPair, Posted};
use crate::net;
use crate::node::{COMPLETION_QUEUES, ENTRIES, Node, QUEUE_PAIRS, REGISTRATIONS, Receive};
use crate::options::{DEVICES, Options};
use crate::process::{HARDWARE, fail, free, leak, with};
use nemesis_netmod_verbs::layout::{
    self, AsyncEvent, CompChannel, Context, ContextOps, Cq, Device, DeviceAttr, GidEntry, Mr, Pd,
    PortAttr, Qp, QpAttr, QpInitAttr, RecvWr, SendWr, Srq, SrqInitAttr, Wc, flag, mask, state,
};
use std::collections::VecDeque;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::PoisonError;
use std::time::Instant;

/// What the mock keeps behind a context.
#[repr(C)]
struct OwnContext {
    context: Context,
    options: Options,
    queue_pairs: u32,
    registered: usize,
    channels: u32,
}

unsafe fn own(context: *mut Context) -> *mut OwnContext {
    context.cast()
}

fn refuse<T>(code: c_int) -> *mut T {
    fail(code);
    null_mut()
}

/// Zeroed structure of numbers and addresses.
fn zeroed<T>() -> T {
    // SAFETY: the callers name structures of the interface, for which zeros are valid.
    unsafe { std::mem::zeroed() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_get_device_list(count: *mut c_int) -> *mut *mut Device {
    let mut list: Vec<*mut Device> = DEVICES
        .iter()
        .map(|options| {
            let mut device: Device = zeroed();
            device.node_type = 1;
            device.transport_type = if options.is_iwarp { layout::TRANSPORT_IWARP } else { 0 };
            device.name[..options.name.len()].copy_from_slice(options.name.as_bytes());
            leak(device)
        })
        .collect();
    list.push(null_mut());
    // SAFETY: the caller passes null or a writable number.
    if let Some(count) = unsafe { count.as_mut() } {
        *count = DEVICES.len() as c_int;
    }
    Box::leak(list.into_boxed_slice()).as_mut_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_free_device_list(list: *mut *mut Device) {
    // Contexts keep their devices, so only the list is freed.
    let list = std::ptr::slice_from_raw_parts_mut(list, DEVICES.len() + 1);
    // SAFETY: `ibv_get_device_list` made the list, with this length.
    drop(unsafe { Box::from_raw(list) });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_open_device(device: *mut Device) -> *mut Context {
    let mut hardware = HARDWARE.lock().unwrap_or_else(PoisonError::into_inner);
    if hardware.is_none() {
        *hardware = Hardware::new();
    }
    if hardware.is_none() {
        return refuse(libc::ENODEV);
    }
    // SAFETY: the device comes from the list.
    let name = unsafe { &(*device).name };
    let Some(&options) = DEVICES
        .iter()
        .find(|options| name.starts_with(options.name.as_bytes()) && name[options.name.len()] == 0)
    else {
        return refuse(libc::ENODEV);
    };
    if options.is_iwarp {
        crate::manager::OPENED.set(options);
    }
    let mut context: Context = zeroed();
    context.device = device;
    context.ops = ContextOps {
        poll_cq: Some(poll_cq),
        req_notify_cq: Some(req_notify_cq),
        post_srq_recv: Some(post_srq_recv),
        post_send: Some(post_send),
        ..zeroed()
    };
    let Some(events) = net::open_events() else { return refuse(libc::EMFILE) };
    if let Some(hardware) = hardware.as_mut().filter(|_| options.unplugged > 0) {
        hardware.listeners.push(events);
    }
    (context.cmd_fd, context.async_fd, context.num_comp_vectors) = (-1, events, 1);
    leak(OwnContext { context, options, queue_pairs: 0, registered: 0, channels: 0 }).cast()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_close_device(context: *mut Context) -> c_int {
    // SAFETY: the mock made the context.
    let events = unsafe { (*context).async_fd };
    with(|hardware| {
        hardware.listeners.retain(|&listener| listener != events);
        hardware.is_unplugged &= !hardware.listeners.is_empty();
    });
    // SAFETY: the descriptor belongs to the context, which the mock made.
    unsafe {
        libc::close(events);
        free(own(context))
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_get_async_event(context: *mut Context, event: *mut AsyncEvent) -> c_int {
    // SAFETY: the mock made the context.
    if !net::take(unsafe { (*context).async_fd }) {
        return -1;
    }
    let port_down = AsyncEvent { element: 1, event_type: layout::EVENT_PORT_ERR, unused: 0 };
    // SAFETY: the caller's event is writable.
    unsafe { event.write(port_down) };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_ack_async_event(_: *mut AsyncEvent) {}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_query_device(context: *mut Context, attr: *mut DeviceAttr) -> c_int {
    // SAFETY: the mock made the context, and the caller's structure is writable.
    let (options, attr) = unsafe { ((*own(context)).options, &mut *attr) };
    attr.max_qp = options.queue_pairs as i32;
    attr.max_qp_wr = 1024;
    attr.max_sge = 1;
    attr.max_cqe = ENTRIES as i32;
    attr.max_mr = REGISTRATIONS as i32;
    (attr.max_qp_rd_atom, attr.max_qp_init_rd_atom) = (16, 16);
    attr.atomic_cap = if options.is_iwarp { 0 } else { options.atomics };
    attr.max_srq = 16;
    attr.max_srq_wr = ENTRIES as i32;
    attr.phys_port_cnt = 1;
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_query_port(context: *mut Context, port: u8, attr: *mut PortAttr) -> c_int {
    if port != 1 {
        return libc::EINVAL;
    }
    // SAFETY: the mock made the context, and the caller's structure is writable.
    let (options, attr) = unsafe { ((*own(context)).options, &mut *attr) };
    let is_down = options.unplugged > 0 && with(|hardware| hardware.is_unplugged) == Some(true);
    attr.state = if is_down { layout::PORT_DOWN } else { options.port_state };
    (attr.max_mtu, attr.active_mtu) = (5, if options.link_layer == 2 { 3 } else { 5 });
    attr.gid_tbl_len = if options.is_iwarp { 1 } else { 1024 };
    attr.max_msg_sz = options.message_bytes;
    attr.pkey_tbl_len = if options.is_iwarp { 0 } else { 3 };
    attr.lid = if options.link_layer == 2 { 0 } else { with(|hardware| hardware.lid).unwrap_or(0) };
    attr.link_layer = options.link_layer;
    0
}

/// Returns an address of the port: the last two bytes name the process.
fn gid(options: &Options, index: usize) -> Option<[u8; 16]> {
    let lid = with(|hardware| hardware.lid)?.to_be_bytes();
    let mut gid = [0; 16];
    match (options.link_layer, index) {
        (1, 0) | (2, 0 | 2) => (gid[0], gid[1]) = (0xfe, 0x80),
        (2, 1) => gid[10..14].copy_from_slice(&[0xff, 0xff, 127, 77]),
        (2, 3) => gid[10..14].copy_from_slice(&[0xff, 0xff, 127, 78]),
        _ => return None,
    }
    if !options.has_addresses {
        return None;
    }
    gid[14..].copy_from_slice(&lid);
    Some(gid)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_query_gid(
    context: *mut Context,
    _: u8,
    index: c_int,
    to: *mut u8,
) -> c_int {
    // SAFETY: the mock made the context.
    let options = unsafe { (*own(context)).options };
    let Some(gid) = gid(&options, index as usize) else { return -1 };
    // SAFETY: the caller's memory has 16 bytes.
    unsafe { to.copy_from_nonoverlapping(gid.as_ptr(), 16) };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn _ibv_query_gid_table(
    context: *mut Context,
    entries: *mut GidEntry,
    most: usize,
    _: u32,
    entry_bytes: usize,
) -> isize {
    assert_eq!(entry_bytes, size_of::<GidEntry>(), "the caller knows the structure");
    // As the kernel, whose interface has 16 bits for the length of a table.
    if most * entry_bytes > u16::MAX.into() {
        return -libc::EINVAL as isize;
    }
    // SAFETY: the mock made the context.
    let options = unsafe { (*own(context)).options };
    let found: Vec<GidEntry> = (0..4)
        .filter_map(|index| {
            let gid = gid(&options, index)?;
            let gid_type = match (options.link_layer, index) {
                (1, _) => 0,
                (_, 2) => 1,
                _ => layout::GID_ROCE_V2,
            };
            Some(GidEntry { gid, gid_index: index as u32, port_num: 1, gid_type, ndev_ifindex: 1 })
        })
        .take(most)
        .collect();
    // SAFETY: the caller's table has room for `most` entries.
    unsafe { entries.copy_from_nonoverlapping(found.as_ptr(), found.len()) };
    found.len() as isize
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_query_pkey(_: *mut Context, _: u8, index: c_int, to: *mut u16) -> c_int {
    // The first entry is a limited member, so a client has to look for a full one.
    let Some(pkey) = [0x7fff_u16, 0xffff, 0x8002].get(index as usize) else { return -1 };
    // SAFETY: the caller's memory is writable.
    unsafe { *to = pkey.to_be() };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_alloc_pd(context: *mut Context) -> *mut Pd {
    leak(Pd { context, handle: 0 })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_dealloc_pd(pd: *mut Pd) -> c_int {
    // SAFETY: the mock made the domain.
    unsafe { free(pd) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_create_comp_channel(context: *mut Context) -> *mut CompChannel {
    let pid = std::process::id() as i32;
    for number in 1..10_000 {
        if let Some(fd) = net::open_channel(&net::channel(pid, number)) {
            // SAFETY: the mock made the context.
            unsafe { (*own(context)).channels += 1 };
            // The number stands where the library counts queues.
            return leak(CompChannel { context, fd, refcnt: number as c_int });
        }
    }
    refuse(libc::EMFILE)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_destroy_comp_channel(channel: *mut CompChannel) -> c_int {
    // SAFETY: the mock made the channel, and the descriptor belongs to it.
    unsafe {
        libc::close((*channel).fd);
        free(channel)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_get_cq_event(
    channel: *mut CompChannel,
    cq: *mut *mut Cq,
    user: *mut *mut c_void,
) -> c_int {
    // SAFETY: the mock made the channel.
    let Some(event) = net::read(unsafe { (*channel).fd }) else { return -1 };
    // SAFETY: the event names a queue of this process, and the caller's words are writable.
    unsafe {
        *cq = std::ptr::with_exposed_provenance_mut(event as usize);
        *user = (**cq).cq_context;
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_ack_cq_events(_: *mut Cq, _: u32) {}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_create_cq(
    context: *mut Context,
    entries: c_int,
    cq_context: *mut c_void,
    channel: *mut CompChannel,
    _: c_int,
) -> *mut Cq {
    if entries < 1 || entries as usize > ENTRIES {
        return refuse(libc::EINVAL);
    }
    let mut cq: Cq = zeroed();
    (cq.context, cq.channel, cq.cq_context, cq.cqe) = (context, channel, cq_context, entries);
    let cq = leak(cq);
    // SAFETY: the channel is null or one of the mock.
    let channel = unsafe { channel.as_ref() }.map_or(0, |channel| channel.refcnt as u32);
    let slot = with(|hardware| {
        hardware.own.locked(|shared| {
            let slot =
                (0..COMPLETION_QUEUES).find(|&slot| shared.completion_queues[slot].is_used == 0)?;
            let queue = &mut shared.completion_queues[slot];
            (queue.is_used, queue.is_armed, queue.capacity) = (1, 0, entries as u32);
            (queue.channel, queue.owner) = (channel, cq.expose_provenance() as u64);
            (queue.head, queue.tail) = (0, 0);
            Some(slot)
        })
    });
    let Some(Some(slot)) = slot else { return refuse(libc::ENOMEM) };
    // SAFETY: the queue was just made.
    unsafe { (*cq).handle = slot as u32 };
    cq
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_destroy_cq(cq: *mut Cq) -> c_int {
    // SAFETY: the mock made the queue.
    unsafe {
        let slot = (*cq).handle as usize;
        with(|hardware| {
            hardware.own.locked(|shared| shared.completion_queues[slot].is_used = 0);
        });
        free(cq)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_create_srq(pd: *mut Pd, attr: *mut SrqInitAttr) -> *mut Srq {
    // SAFETY: domain and attributes are the caller's.
    let (context, capacity) = unsafe { ((*pd).context, (*attr).max_wr) };
    if capacity as usize > ENTRIES {
        return refuse(libc::EINVAL);
    }
    let slot = with(|hardware| {
        hardware.own.locked(|shared| {
            let slot = shared.shared_queues.iter().position(|queue| queue.is_used == 0)?;
            let queue = &mut shared.shared_queues[slot];
            (queue.is_used, queue.capacity, queue.head, queue.tail) = (1, capacity, 0, 0);
            Some(slot)
        })
    });
    let Some(Some(slot)) = slot else { return refuse(libc::ENOMEM) };
    let mut srq: Srq = zeroed();
    (srq.context, srq.pd, srq.handle) = (context, pd, slot as u32);
    leak(srq)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_destroy_srq(srq: *mut Srq) -> c_int {
    // SAFETY: the mock made the queue.
    unsafe {
        let slot = (*srq).handle as usize;
        with(|hardware| hardware.own.locked(|shared| shared.shared_queues[slot].is_used = 0));
        free(srq)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_create_qp(pd: *mut Pd, attr: *mut QpInitAttr) -> *mut Qp {
    // SAFETY: domain, attributes and the queues in them are the caller's, made by the mock.
    let (pd_context, attr) = unsafe { ((*pd).context, &mut *attr) };
    // SAFETY: the mock made the context.
    let context = unsafe { &mut *own(pd_context) };
    let options = context.options;
    if attr.qp_type != layout::QPT_RC
        || attr.srq.is_null()
        || attr.cap.max_inline_data > options.inline_bytes
        || attr.cap.max_send_wr > 1024
    {
        return refuse(libc::EINVAL);
    }
    if context.queue_pairs >= options.queue_pairs {
        return refuse(libc::ENOMEM);
    }
    // SAFETY: as above.
    let (send_queue, receive_queue, shared_queue) =
        unsafe { ((*attr.send_cq).handle, (*attr.recv_cq).handle, (*attr.srq).handle) };
    attr.cap.max_inline_data = options.inline_bytes;
    let made = with(|hardware| {
        let (slot, number) = hardware.new_pair(receive_queue, shared_queue)?;
        let pair = LocalPair {
            options,
            send_queue,
            capacity: attr.cap.max_send_wr,
            outstanding: 0,
            silent: 0,
            signals_all: attr.sq_sig_all != 0,
            ignores_not_ready: false,
            pending: VecDeque::new(),
            posted: 0,
        };
        hardware.pairs.insert(slot, pair);
        Some((slot, number))
    });
    let Some(Some((slot, number))) = made else { return refuse(libc::ENOMEM) };
    context.queue_pairs += 1;
    let mut qp: Qp = zeroed();
    (qp.context, qp.qp_context, qp.pd) = (pd_context, attr.qp_context, pd);
    (qp.send_cq, qp.recv_cq, qp.srq) = (attr.send_cq, attr.recv_cq, attr.srq);
    (qp.handle, qp.qp_num, qp.qp_type) = (slot as u32, number, layout::QPT_RC);
    leak(qp)
}

/// Returns whether a device grants rights: that to atomics only if it has them.
fn grants(options: &Options, rights: u32) -> bool {
    options.atomics > 0 || rights & layout::access::REMOTE_ATOMIC == 0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_modify_qp(qp: *mut Qp, attr: *mut QpAttr, given: c_int) -> c_int {
    // SAFETY: the mock made the queue pair, and the attributes are the caller's.
    let (qp, attr) = unsafe { (&mut *qp, &*attr) };
    // SAFETY: the mock made the context.
    let options = unsafe { (*own(qp.context)).options };
    let slot = qp.handle as usize;
    let given = given as u32;
    let next = with(|hardware| {
        let next = hardware.own.locked(|shared| {
            let pair = &mut shared.queue_pairs[slot];
            match (pair.state, attr.qp_state, given) {
                (_, state::ERR, mask::STATE) => {}
                // The connection manager brings it into the other states.
                (state::RESET, state::INIT, given) if options.is_iwarp => {
                    if given != mask::STATE | mask::ACCESS_FLAGS {
                        return None;
                    }
                    pair.access = attr.qp_access_flags;
                }
                _ if options.is_iwarp => return None,
                (state::RESET, state::INIT, mask::TO_INIT)
                    if attr.port_num == 1
                        && matches!(attr.pkey_index, 1 | 2)
                        && grants(&options, attr.qp_access_flags) =>
                {
                    pair.access = attr.qp_access_flags;
                }
                (state::INIT, state::RTR, mask::TO_RTR) => {
                    let path = &attr.ah_attr;
                    let lid = match options.link_layer {
                        2 if path.is_global != 1
                            || !matches!(path.sgid_index, 1 | 3)
                            || path.hop_limit < 2 =>
                        {
                            return None;
                        }
                        2 => u16::from_be_bytes([path.dgid[14], path.dgid[15]]),
                        _ => path.dlid,
                    };
                    let mtu = if options.link_layer == 2 { 3 } else { 5 };
                    if lid == 0 || attr.path_mtu > mtu || path.port_num != 1 {
                        return None;
                    }
                    (pair.their_lid, pair.their_number) = (lid.into(), attr.dest_qp_num);
                    pair.their_psn = attr.rq_psn;
                }
                (state::RTR, state::RTS, mask::TO_RTS) => pair.own_psn = attr.sq_psn,
                _ => return None,
            }
            pair.state = attr.qp_state;
            Some(pair.state)
        })?;
        if let (state::RTS, Some(pair)) = (next, hardware.pairs.get_mut(&slot)) {
            pair.ignores_not_ready = attr.rnr_retry == 7;
        }
        Some(next)
    });
    let Some(Some(next)) = next else { return libc::EINVAL };
    qp.state = next;
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_destroy_qp(qp: *mut Qp) -> c_int {
    // SAFETY: the mock made the queue pair and its context.
    unsafe {
        let slot = (*qp).handle as usize;
        crate::manager::end((*qp).qp_num);
        with(|hardware| {
            hardware.pairs.remove(&slot);
            hardware.own.locked(|shared| shared.queue_pairs[slot].number = 0);
        });
        (*own((*qp).context)).queue_pairs -= 1;
        free(qp)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_reg_mr(
    pd: *mut Pd,
    addr: *mut c_void,
    length: usize,
    rights: c_int,
) -> *mut Mr {
    // SAFETY: the mock made domain and context.
    let (context, own) = unsafe { ((*pd).context, &mut *own((*pd).context)) };
    if own.registered.saturating_add(length) > own.options.locked_bytes {
        return refuse(libc::ENOMEM);
    }
    if !grants(&own.options, rights as u32) {
        return refuse(libc::EINVAL);
    }
    let address = addr.expose_provenance() as u64;
    let key = with(|hardware| hardware.register(address, length as u64, rights as u32));
    let Some(Some(key)) = key else { return refuse(libc::ENOMEM) };
    own.registered += length;
    leak(Mr { context, pd, addr, length, handle: key, lkey: key, rkey: key })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_dereg_mr(mr: *mut Mr) -> c_int {
    // SAFETY: the mock made registration and context.
    unsafe {
        let slot = (*mr).lkey as usize % REGISTRATIONS;
        with(|hardware| hardware.own.locked(|shared| shared.registrations[slot].key = 0));
        (*own((*mr).context)).registered -= (*mr).length;
        free(mr)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_wc_status_str(status: u32) -> *const c_char {
    use layout::status as code;
    let words = match status {
        0 => c"success",
        code::LOC_LEN => c"local length error",
        code::LOC_PROT => c"local protection error",
        code::WR_FLUSH => c"work request flushed",
        code::REM_INV_REQ => c"remote invalid request error",
        code::REM_ACCESS => c"remote access error",
        code::RETRY_EXC => c"transport retry counter exceeded",
        code::RNR_RETRY_EXC => c"receiver-not-ready retry counter exceeded",
        _ => c"unknown status",
    };
    words.as_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_fork_init() -> c_int {
    if refuses_forks() { libc::ENOSYS } else { 0 }
}

/// Whether nothing protects registered memory from a fork, as with kernels before 5.12 and a
/// library that cannot help (`VERBS_MOCK_FORK=refused`).
fn refuses_forks() -> bool {
    std::env::var_os("VERBS_MOCK_FORK").is_some_and(|value| value == "refused")
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_is_fork_initialized() -> c_int {
    if refuses_forks() { 0 } else { 2 }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ibv_query_qp_data_in_order(_: *mut Qp, _: u32, _: u32) -> c_int {
    1
}

/// `ops.poll_cq`
unsafe extern "C" fn poll_cq(cq: *mut Cq, most: c_int, wc: *mut Wc) -> c_int {
    // SAFETY: the mock made the queue.
    let slot = unsafe { (*cq).handle } as usize;
    let polled = with(|hardware| {
        hardware.run_all();
        if is_empty(&hardware.own, slot) {
            return 0;
        }
        let mut taken = Vec::new();
        hardware.own.locked(|shared| {
            let queue = &mut shared.completion_queues[slot];
            while taken.len() < most as usize && queue.head != queue.tail {
                taken.push(queue.entries[queue.head as usize % ENTRIES]);
                queue.head = queue.head.wrapping_add(1);
            }
        });
        for (index, entry) in taken.iter().enumerate() {
            // SAFETY: the caller has room for `most` completions.
            unsafe { *wc.add(index) = entry.wc };
            let pair = entry.queue_pair as usize % QUEUE_PAIRS;
            if entry.queue_pair != 0
                && let Some(pair) = hardware.pairs.get_mut(&pair)
            {
                pair.outstanding = pair.outstanding.saturating_sub(entry.requests);
            }
        }
        taken.len() as c_int
    });
    polled.unwrap_or(-1)
}

/// Returns whether a queue is empty, without its lock.
fn is_empty(node: &Node, slot: usize) -> bool {
    // SAFETY: the queue lies within the state, and both words change as a whole.
    unsafe {
        let queue = &raw const (*node.shared()).completion_queues[slot];
        std::ptr::read_volatile(&raw const (*queue).head)
            == std::ptr::read_volatile(&raw const (*queue).tail)
    }
}

/// `ops.req_notify_cq`
unsafe extern "C" fn req_notify_cq(cq: *mut Cq, _: c_int) -> c_int {
    // SAFETY: the mock made the queue.
    let slot = unsafe { (*cq).handle } as usize;
    with(|hardware| hardware.own.locked(|shared| shared.completion_queues[slot].is_armed = 1));
    0
}

/// `ops.post_srq_recv`
unsafe extern "C" fn post_srq_recv(
    srq: *mut Srq,
    mut wr: *mut RecvWr,
    bad: *mut *mut RecvWr,
) -> c_int {
    // SAFETY: the mock made the queue.
    let slot = unsafe { (*srq).handle } as usize;
    // SAFETY: the caller's list of requests is complete.
    while let Some(receive) = unsafe { wr.as_ref() } {
        // SAFETY: a receive has one part (the device's limit).
        let part = unsafe { *receive.sg_list };
        let posted = with(|hardware| {
            hardware.own.locked(|shared| {
                let queue = &mut shared.shared_queues[slot];
                if queue.tail.wrapping_sub(queue.head) >= queue.capacity {
                    return false;
                }
                queue.receives[queue.tail as usize % ENTRIES] = Receive {
                    wr_id: receive.wr_id,
                    address: part.addr,
                    bytes: part.length,
                    key: part.lkey,
                };
                queue.tail = queue.tail.wrapping_add(1);
                true
            })
        });
        if posted != Some(true) {
            // SAFETY: the caller's word is writable.
            unsafe { *bad = wr };
            return libc::ENOMEM;
        }
        wr = receive.next;
    }
    0
}

/// `ops.post_send`
unsafe extern "C" fn post_send(qp: *mut Qp, mut wr: *mut SendWr, bad: *mut *mut SendWr) -> c_int {
    // SAFETY: the mock made the queue pair and its context.
    let (slot, current, options) =
        unsafe { ((*qp).handle as usize, (*qp).state, (*own((*qp).context)).options) };
    // The connection manager of iWARP changes the state behind the library's back.
    let current = match options.is_iwarp {
        true => with(|hardware| hardware.state(slot)).unwrap_or(current),
        false => current,
    };
    // A queue pair that has failed takes requests and flushes them.
    let may_send = current == state::RTS || options.is_iwarp && current == state::ERR;
    // SAFETY: the caller's list of requests is complete.
    while let Some(request) = unsafe { wr.as_ref() } {
        // SAFETY: a request has one part (the device's limit).
        let part = unsafe { *request.sg_list };
        let opcode = request.opcode;
        let has_opcode = !options.is_iwarp
            || matches!(opcode, layout::opcode::WRITE | layout::opcode::SEND)
            || opcode == layout::opcode::READ;
        let is_inline = request.send_flags & flag::INLINE != 0;
        let is_valid = may_send
            && has_opcode
            && request.num_sge == 1
            && request.opcode <= layout::opcode::FETCH_ADD
            && part.length <= options.message_bytes
            && (!is_inline || part.length <= options.inline_bytes);
        let is_atomic = request.opcode >= layout::opcode::COMPARE_SWAP;
        let carried = (is_valid && is_inline).then(|| {
            let bytes = std::ptr::with_exposed_provenance(part.addr as usize);
            // SAFETY: the caller states that inline bytes are readable.
            unsafe { std::slice::from_raw_parts(bytes, part.length as usize) }.into()
        });
        let posted = Posted {
            wr_id: request.wr_id,
            opcode: request.opcode,
            flags: request.send_flags,
            immediate: request.imm_data,
            address: part.addr,
            bytes: part.length,
            key: part.lkey,
            remote: request.remote_addr,
            compare_add: request.compare_add,
            swap: request.swap,
            remote_key: if is_atomic { request.rkey } else { first_half(request.compare_add) },
            carried,
            delay: 0,
            not_ready: false,
            since: Instant::now(),
        };
        let taken = is_valid && with(|hardware| hardware.post(slot, posted)) == Some(true);
        if !taken {
            // SAFETY: the caller's word is writable.
            unsafe { *bad = wr };
            return if is_valid { libc::ENOMEM } else { libc::EINVAL };
        }
        wr = request.next;
    }
    with(|hardware| hardware.run(slot));
    0
}

/// Returns the key of a write or read: the first four bytes of the word.
fn first_half(word: u64) -> u32 {
    let [a, b, c, d, ..] = word.to_ne_bytes();
    u32::from_ne_bytes([a, b, c, d])
}
