/*
 * What the compressor calls of zlib: one stream, which is used again for each message of the same level. A message is
 * written in pieces, so that its size costs no memory.
 */
#include "zlib.h"

/* In a container of gzip. */
#define WINDOW (15 + 16)
#define MEM_LEVEL 8
#define PIECE 65536

static z_stream stream;
static int openLevel = -2;
static unsigned char in[PIECE];
static unsigned char out[PIECE];

unsigned char *input(void) { return in; }
unsigned char *output(void) { return out; }

/* Begins a message. Returns 0 if there is no room for a stream. */
int begin(int level) {
  if (level == openLevel) return deflateReset(&stream) == Z_OK;
  if (openLevel != -2) deflateEnd(&stream);
  openLevel = -2;
  if (deflateInit2(&stream, level, Z_DEFLATED, WINDOW, MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  openLevel = level;
  return 1;
}

/* Returns the number of bytes in `out`. If it is full, there may be more. */
unsigned more(int isLast) {
  stream.next_out = out;
  stream.avail_out = PIECE;
  deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH);
  return PIECE - stream.avail_out;
}

/* Compresses the piece in `in`, and returns what `more` does. */
unsigned push(unsigned length, int isLast) {
  stream.next_in = in;
  stream.avail_in = length;
  return more(isLast);
}
