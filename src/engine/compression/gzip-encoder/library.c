/* What the compressor calls of zlib: one stream, which is used again for each message of the same level. */
#include "zlib.h"

/* In a container of gzip. */
#define WINDOW (15 + 16)
#define MEM_LEVEL 8

static z_stream stream;
static int openLevel = -2;

static int ready(int level) {
  if (level == openLevel) return deflateReset(&stream) == Z_OK;
  if (openLevel != -2) deflateEnd(&stream);
  openLevel = -2;
  if (deflateInit2(&stream, level, Z_DEFLATED, WINDOW, MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  openLevel = level;
  return 1;
}

/* The maximum length of what `gzip` writes; 0: there is no room for a stream. */
unsigned bound(unsigned length, int level) { return ready(level) ? (unsigned)deflateBound(&stream, length) : 0; }

/* Returns the length of the file; 0: it failed. */
unsigned gzip(void *file, unsigned capacity, const void *message, unsigned length, int level) {
  if (!ready(level)) return 0;
  stream.next_in = (Bytef *)message;
  stream.avail_in = length;
  stream.next_out = file;
  stream.avail_out = capacity;
  return deflate(&stream, Z_FINISH) == Z_STREAM_END ? capacity - stream.avail_out : 0;
}
