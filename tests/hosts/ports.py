"""What others see of a port, and what they try. Used by scripts/jobs networks:

    ports.py capture FILE            counts the packets that this host sees, and those with the
                                     words of between.c; ends by SIGTERM when no packet is left
    ports.py strangers NAME READY    connects to the port with this name as strangers do, creates
                                     the file READY, and waits until all connections are closed or
                                     it is killed
"""

import os
import random
import signal
import socket
import sys

NEEDLE = b"words are for the other"
MAGIC = b"NEMport\x04"
# A nonce, and the build of a guest.
REST_BYTES = 32 + 40


def capture(path):
    # A socket for a single protocol would see incoming packets only.
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0003))
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
    wire.settimeout(0.1)
    seen = total = 0
    tail = {}
    is_ended = []
    signal.signal(signal.SIGTERM, lambda *_: is_ended.append(True))
    open(path + ".ready", "w").close()
    while True:
        try:
            packet = wire.recv(1 << 17)
        except socket.timeout:
            if is_ended:
                break
            continue
        if len(packet) > 40 and packet[0] >> 4 == 4 and packet[9] == 6:
            head = (packet[0] & 15) * 4
            flow, payload = packet[12 : head + 4], packet[head + (packet[head + 12] >> 4) * 4 :]
            total += len(payload)
            # The words may be divided between two packets.
            both = tail.get(flow, b"") + payload
            seen += NEEDLE in both
            tail[flow] = both[-len(NEEDLE) + 1 :]
    with open(path, "w") as file:
        file.write(f"{seen} {total}\n")


def address(name):
    """Returns the first address in the name of a port."""
    data = bytes.fromhex(name.rsplit(":", 1)[1])
    port, length = int.from_bytes(data[16:18], "big"), data[18]
    family = socket.AF_INET if length == 4 else socket.AF_INET6
    return socket.inet_ntop(family, data[19 : 19 + length]), port


def strangers(name, ready):
    generator = random.Random(7)
    place = address(name)
    opening = MAGIC + b"\1" + generator.randbytes(REST_BYTES)
    said = [b"", b"GET / HTTP/1.1\r\n\r\n", MAGIC, opening[:20], opening, opening + bytes(80)]
    said += [generator.randbytes(generator.randint(1, 500)) for _ in range(10)]
    said += [MAGIC + purpose + bytes(REST_BYTES) for purpose in (b"\7", b"\2")]
    said += [MAGIC + b"\xff" * 4096]
    streams = []
    for data in said * 6:
        stream = socket.create_connection(place, timeout=20)
        streams.append(stream)
        try:
            stream.sendall(data)
        except OSError:
            pass
    open(ready, "w").close()
    for stream in streams:
        try:
            while stream.recv(4096):
                pass
        except OSError:
            pass
    print(f"{len(streams)} strangers")


{"capture": capture, "strangers": strangers}[sys.argv[1]](*sys.argv[2:])
