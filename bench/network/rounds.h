/* What raw.c and pingpong.c exchange: all lengths from 1 B to 4 MiB; the best of some batches counts, since others disturb and nobody helps. */

enum { BATCHES = 20, LONG_BYTES = 4 << 20 };

static int rounds(int bytes)
{
    return bytes <= 4096 ? 100 : bytes <= 65536 ? 40 : bytes <= 1 << 20 ? 8 : 2;
}
