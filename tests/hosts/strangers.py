"""Strangers at the door of a running job over simulated hosts: scripts/test-strangers. On "login" of scripts/with-hosts:

    strangers.py WORK MPIEXEC PROGRAM     starts the job and does it all; a line for each thing
    strangers.py --listen FILE            on a node: records what is said at the beginning of connections, until it is ended
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
HELLO, CHALLENGE, PROOF = 49, 64, 32
IDLE = 10000


def record(path):
    """Keeps the first bytes of each direction of each connection that this host sees."""
    flows = {}
    # All protocols: of one alone only what comes in would be seen.
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
            flow = (socket.inet_ntoa(packet[12:16]), ports[0], socket.inet_ntoa(packet[16:20]), ports[1])
            if payload and len(flows.get(flow, b"")) < 200:
                flows[flow] = flows.get(flow, b"") + payload
        if time.time() - saved > 0.2:
            with open(path + ".new", "wb") as file:
                pickle.dump(flows, file)
            os.rename(path + ".new", path)
            saved = time.time()


class Job:
    def __init__(self, work, mpiexec, program):
        self.folder = os.path.join(work, "words")
        os.mkdir(self.folder)
        self.log = open(os.path.join(work, "job.log"), "w+")
        command = [mpiexec, "-v", "-hosts", "node1,node2", "-ppn", "2", "-n", "4", program, self.folder]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env={**os.environ, "NEMESIS_VERBOSE": "on"})
        self.goes_on("it starts")

    def rounds(self):
        try:
            return int(open(os.path.join(self.folder, "rounds")).read())
        except (FileNotFoundError, ValueError):
            return 0

    def goes_on(self, when):
        """The job makes progress, now."""
        before, end = self.rounds(), time.time() + 30
        while self.rounds() < before + 40:
            if self.process.poll() is not None or time.time() > end:
                fail(f"the job does not go on: {when}")
            time.sleep(0.02)

    def said(self):
        return open(self.log.name).read()

    def ends(self):
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
        print("".join(f"    {line}\n" for line in job.said().splitlines()[-20:]))
        job.process.kill()
    sys.exit(1)


def expect(truth, what):
    if not truth:
        fail(what)


def tell(what, result):
    job.goes_on(what)
    print(f"{what:<46} ok      {result}", flush=True)


def answers(probe):
    """Whether a connection has another end: one to a free port of this host may have met itself."""
    try:
        return probe.getsockname() != probe.getpeername()
    except OSError:
        return False


def scan(host):
    """All ports of a host that take connections, as nmap -sT finds them."""
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
            if key.fileobj.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0 and answers(key.fileobj):
                found.append(key.data)
            pending.unregister(key.fileobj)
            key.fileobj.close()
            busy -= 1
    return found


def knock(door):
    return socket.create_connection(door, timeout=20)


def is_turned_away(stream):
    """Whether the other end closes; what it says before is thrown away."""
    try:
        while stream.recv(4096):
            pass
    except ConnectionResetError:
        return True
    except socket.timeout:
        return False
    return True


def garbage(doors):
    dice = random.Random(7)
    known = [b"GET / HTTP/1.1\r\nHost: here\r\n\r\n" * 3, b"SSH-2.0-OpenSSH_9.2\r\n" * 4, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
             bytes(4096), b"\xff" * 4096, b"NEMtcp\0\x02" + b"\xff" * 40 + b"\1", b"NEMtcp\0\x01" + bytes(60), b"nemesis\x01" + bytes(60)]
    count = 0
    for door in doors:
        for text in known + [dice.randbytes(dice.randint(HELLO, 2000)) for _ in range(30)]:
            stream = knock(door)
            try:
                stream.sendall(text)
            except (ConnectionResetError, BrokenPipeError):
                pass
            expect(is_turned_away(stream), f"{text[:16]!r} at {door} is turned away")
            count += 1
    return count


def replay(recorded):
    """Says again what honest processes said: the hello gets a new challenge, to which the old proof is no answer."""
    hellos = [(flow, said) for flow, said in recorded.items() if said.startswith(b"NEMtcp") and len(said) >= HELLO + PROOF]
    expect(hellos, "a handshake was recorded")
    for (_, _, host, port), said in hellos:
        stream = knock((host, port))
        stream.sendall(said[:HELLO])
        challenge = b""
        while len(challenge) < CHALLENGE:
            part = stream.recv(CHALLENGE - len(challenge))
            expect(part, "the hello is answered")
            challenge += part
        stream.sendall(said[HELLO : HELLO + PROOF])
        expect(stream.recv(1) == b"", "a proof said again is no proof")
    return len(hellos)


def crowd(door, count, words):
    streams = []
    for _ in range(count):
        stream = socket.socket()
        stream.setblocking(False)
        code = stream.connect_ex(door)
        expect(code in (0, 115), f"connection {len(streams)}: {os.strerror(code)}")
        streams.append(stream)
        if len(streams) % 500 == 0:
            time.sleep(0.05)
    for stream in streams if words else []:
        try:
            stream.send(words)
        except OSError:
            pass
    return streams


def closed(streams):
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
    crowd_size = IDLE if limit == resource.RLIM_INFINITY else min(IDLE, limit - 1000)
    heard = os.path.join(work, "heard")
    listener = subprocess.Popen(["ssh", "node1", f"exec python3 {os.path.abspath(__file__)} --listen {heard}"])
    while not os.path.exists(heard + ".ready"):
        time.sleep(0.05)
    job = Job(work, mpiexec, program)
    time.sleep(1)
    listener.kill()
    recorded = pickle.load(open(heard, "rb"))

    doors = [(host, port) for host in NODES for port in scan(host)]
    expect(len(doors) == 4, f"each process listens on one port, nobody else does: {doors}")
    expect(not scan(LOGIN), "mpiexec does not listen when all agents have come")
    tell("all ports of three hosts are scanned", f"{len(doors)} doors")
    tell("garbage", f"{garbage(doors)} conversations")
    tell("a replayed handshake", f"{replay(recorded)} recorded")
    half = [stream for door in doors for stream in crowd(door, 20, b"NEMtcp\0\x02" + bytes(9))]
    tell("half a greeting, and silence", f"{len(half)} connections")
    idle = crowd(doors[0], crowd_size, b"")
    job.goes_on("in the crowd")
    time.sleep(1)
    gone = closed(idle)
    expect(gone > crowd_size - 500, f"those in excess are dropped: {gone} of {crowd_size}")
    tell(f"{crowd_size} idle connections", f"{gone} dropped")
    expect(job.ends() == 0, "the job ends well")
    said = job.said()
    for reason in ["it speaks another protocol", "it does not know the job key", "it looks for another process", "too many wait to prove themselves"]:
        expect(any(f"a connection from {LOGIN}:" in line and reason in line and " so far)" in line for line in said.splitlines()), f"the log says: {reason}")
    print(f"{'strangers are named and counted in the log':<46} ok      {said.count(' is dropped: ')} lines")


if __name__ == "__main__":
    if sys.argv[1] == "--listen":
        record(sys.argv[2])
    main(*sys.argv[1:4])
