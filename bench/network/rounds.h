/* What raw.c and pingpong.c exchange: the best of some batches counts, since others disturb and nobody helps. */

enum { BATCHES = 50, SHORT_ROUNDS = 200, LONG_ROUNDS = 2, LONG_BYTES = 4 << 20 };
