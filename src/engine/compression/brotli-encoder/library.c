/* What the compressor calls of Google's Brotli. */
#include "brotli/encode.h"

/* The maximum length of what `compress` writes; 0: the message is too long. */
unsigned bound(unsigned length) { return (unsigned)BrotliEncoderMaxCompressedSize(length); }

/* Returns the length of the stream; 0: it failed. */
unsigned compress(void *stream, unsigned capacity, const void *message, unsigned length, int quality) {
  size_t size = capacity;
  BROTLI_BOOL done = BrotliEncoderCompress(quality, BROTLI_DEFAULT_WINDOW, BROTLI_DEFAULT_MODE, length, message, &size, stream);
  return done ? (unsigned)size : 0;
}
