"""Connections of unauthenticated peers to a running job over simulated hosts.

Used by scripts/jobs strangers on host "login" of scripts/with-hosts:

    strangers.py WORK MPIEXEC PROGRAM     starts the job and runs all tests, each of which prints a
                                          line
    strangers.py --listen FILE            on a node: records the first bytes of all connections
                                          until it is killed
"""

import os
import pickle
import random
import resource
import selectors
import socket
import struct
import subprocess
import sys
import time

NODES = ["10.77.1.1", "10.77.1.2"]
LOGIN = "10.77.1.254"
HELLO, CHALLENGE, PROOF = 57, 64, 32
IDLE = 10000


def record(path):
    """Records the first bytes of each direction of each connection that this host sees."""
    flows = {}
    # A socket for a single protocol would see incoming packets only.
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0003))
    wire.settimeout(0.2)
    open(path + ".ready", "w").close()
    saved = time.time()
    while True:
        try:
            packet, (_, protocol, *_) = wire.recvfrom(65536)
        except socket.timeout:
            packet, protocol = b"", 0
        if protocol == 0x0800 and len(packet) > 40 and packet[9] == 6:
            head = (packet[0] & 15) * 4
            ports = struct.unpack("!HH", packet[head : head + 4])
            total = struct.unpack("!H", packet[2:4])[0]
            payload = packet[head + (packet[head + 12] >> 4) * 4 : total]
            source, target = socket.inet_ntoa(packet[12:16]), socket.inet_ntoa(packet[16:20])
            flow = (source, ports[0], target, ports[1])
            if payload and len(flows.get(flow, b"")) < 200:
                flows[flow] = flows.get(flow, b"") + payload
        if time.time() - saved > 0.2:
            with open(path + ".new", "wb") as file:
                pickle.dump(flows, file)
            os.rename(path + ".new", path)
            saved = time.time()


class Job:
    def __init__(self, work, mpiexec, program):
        self.folder = os.path.join(work, "numbers")
        os.mkdir(self.folder)
        self.log = open(os.path.join(work, "job.log"), "w+")
        command = [mpiexec, "-v", "-hosts", "node1,node2", "-ppn", "2", "-n", "4"]
        self.process = subprocess.Popen(
            command + [program, self.folder],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            env={**os.environ, "NEMESIS_VERBOSE": "on"},
        )
        self.check_progress("start")

    def rounds(self):
        try:
            return int(open(os.path.join(self.folder, "rounds")).read())
        except (FileNotFoundError, ValueError):
            return 0

    def check_progress(self, when):
        """Fails unless the job makes progress."""
        before, end = self.rounds(), time.time() + 30
        while self.rounds() < before + 40:
            if self.process.poll() is not None or time.time() > end:
                fail(f"the job makes no progress: {when}")
            time.sleep(0.02)

    def output(self):
        return open(self.log.name).read()

    def stop(self):
        """Ends the job, and returns its exit code."""
        open(os.path.join(self.folder, "stop"), "w").close()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return -1


job = None


def fail(what):
    print(f"strangers: FAILED: {what}")
    if job:
        print("".join(f"    {line}\n" for line in job.output().splitlines()[-20:]))
        job.process.kill()
    sys.exit(1)


def expect(truth, what):
    if not truth:
        fail(what)


def passed(what, result):
    """Prints a line for a test that has passed, if the job still makes progress."""
    job.check_progress(what)
    print(f"{what:<46} ok      {result}", flush=True)


def answers(probe):
    """Returns whether a connection has another end: TCP may connect a free port to itself."""
    try:
        return probe.getsockname() != probe.getpeername()
    except OSError:
        return False


def scan(host):
    """Returns all ports of a host that accept connections, as nmap -sT finds them."""
    found, pending, ports = [], selectors.DefaultSelector(), iter(range(1, 65536))
    busy, more = 0, True
    while more or busy:
        while more and busy < 400:
            port = next(ports, None)
            if port is None:
                more = False
                break
            probe = socket.socket()
            probe.setblocking(False)
            code = probe.connect_ex((host, port))
            if code == 0 and answers(probe):
                found.append(port)
            if code in (0, 111):
                probe.close()
                continue
            pending.register(probe, selectors.EVENT_WRITE, port)
            busy += 1
        for key, _ in pending.select(1) if busy else []:
            error = key.fileobj.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if error == 0 and answers(key.fileobj):
                found.append(key.data)
            pending.unregister(key.fileobj)
            key.fileobj.close()
            busy -= 1
    return found


def connect(address):
    return socket.create_connection(address, timeout=20)


def is_closed(stream):
    """Returns whether the other end closes the connection. Ignores what it sends before."""
    try:
        while stream.recv(4096):
            pass
    except ConnectionResetError:
        return True
    except socket.timeout:
        return False
    return True


def send_garbage(addresses):
    """Sends wrong and random bytes. Every such connection must be closed."""
    generator = random.Random(7)
    known = [
        b"GET / HTTP/1.1\r\nHost: here\r\n\r\n" * 3,
        b"SSH-2.0-OpenSSH_9.2\r\n" * 4,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
        bytes(4096),
        b"\xff" * 4096,
        b"NEMtcp\0\x03" + b"\xff" * 48 + b"\1",
        b"NEMtcp\0\x02" + bytes(60),
        b"NEMtcp\0\x02" + bytes(HELLO - 16),
        b"nemesis\x02" + bytes(60),
    ]
    count = 0
    for address in addresses:
        unknown = [generator.randbytes(generator.randint(HELLO, 2000)) for _ in range(30)]
        for data in known + unknown:
            stream = connect(address)
            try:
                stream.sendall(data)
            except (ConnectionResetError, BrokenPipeError):
                pass
            expect(is_closed(stream), f"{address} closes the connection after {data[:16]!r}")
            count += 1
    return count


def replay(recorded):
    """Repeats recorded handshakes. The old proof does not answer the new challenge."""
    hellos = [
        (flow, data)
        for flow, data in recorded.items()
        if data.startswith(b"NEMtcp") and len(data) >= HELLO + PROOF
    ]
    expect(hellos, "a handshake was recorded")
    for (_, _, host, port), data in hellos:
        stream = connect((host, port))
        stream.sendall(data[:HELLO])
        challenge = b""
        while len(challenge) < CHALLENGE:
            part = stream.recv(CHALLENGE - len(challenge))
            expect(part, "the hello is answered")
            challenge += part
        stream.sendall(data[HELLO : HELLO + PROOF])
        expect(stream.recv(1) == b"", "a repeated proof is refused")
    return len(hellos)


def open_connections(address, count, data):
    """Opens connections, and sends `data` on each."""
    streams = []
    for _ in range(count):
        stream = socket.socket()
        stream.setblocking(False)
        code = stream.connect_ex(address)
        expect(code in (0, 115), f"connection {len(streams)}: {os.strerror(code)}")
        streams.append(stream)
        if len(streams) % 500 == 0:
            time.sleep(0.05)
    for stream in streams if data else []:
        try:
            stream.send(data)
        except OSError:
            pass
    return streams


def count_closed(streams):
    """Returns how many connections the other end has closed."""
    count = 0
    for stream in streams:
        try:
            count += stream.recv(64) == b""
        except BlockingIOError:
            pass
        except OSError:
            count += 1
    return count


def main(work, mpiexec, program):
    global job
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    idle_count = IDLE if limit == resource.RLIM_INFINITY else min(IDLE, limit - 1000)
    record_file = os.path.join(work, "recorded")
    listen = f"exec python3 {os.path.abspath(__file__)} --listen {record_file}"
    listener = subprocess.Popen(["ssh", "node1", listen])
    while not os.path.exists(record_file + ".ready"):
        time.sleep(0.05)
    job = Job(work, mpiexec, program)
    time.sleep(1)
    listener.kill()
    recorded = pickle.load(open(record_file, "rb"))

    addresses = [(host, port) for host in NODES for port in scan(host)]
    expect(len(addresses) == 4, f"only the four processes listen, on one port each: {addresses}")
    expect(not scan(LOGIN), "mpiexec does not listen when all agents have connected")
    passed("scan of all ports of three hosts", f"{len(addresses)} open ports")
    passed("garbage", f"{send_garbage(addresses)} connections")
    passed("replayed handshakes", f"{replay(recorded)} recorded")
    half = b"NEMtcp\0\x03" + bytes(9)
    half_open = [s for address in addresses for s in open_connections(address, 20, half)]
    passed("half a hello, then silence", f"{len(half_open)} connections")
    idle = open_connections(addresses[0], idle_count, b"")
    job.check_progress("with idle connections")
    time.sleep(1)
    dropped = count_closed(idle)
    expect(dropped > idle_count - 500, f"excess connections are dropped: {dropped} of {idle_count}")
    passed(f"{idle_count} idle connections", f"{dropped} dropped")
    expect(job.stop() == 0, "the job ends with exit code 0")
    output = job.output()
    lines = [line for line in output.splitlines() if f"a connection from {LOGIN}:" in line]
    for reason in [
        "it speaks another protocol",
        "it does not know the job key",
        "it looks for another process",
        "too many wait to prove themselves",
    ]:
        logged = any(reason in line and " so far)" in line for line in lines)
        expect(logged, f"the log contains: {reason}")
    count = output.count(" is dropped: ")
    print(f"{'dropped connections are in the log':<46} ok      {count} lines")


if __name__ == "__main__":
    if sys.argv[1] == "--listen":
        record(sys.argv[2])
    main(*sys.argv[1:4])
