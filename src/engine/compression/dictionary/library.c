/* What the advisor calls of libzstd: its trainer of dictionaries, and messages compressed one by one. */
#define ZDICT_STATIC_LINKING_ONLY
#include <string.h>
#include "zdict.h"
#include "zstd.h"

/* The parameters of ZDICT_trainFromBuffer. Returns the dictionary's length; 0: the samples are too few. */
unsigned train(void *dictionary, unsigned capacity, const void *samples, const size_t *sizes, unsigned count, int level) {
  ZDICT_fastCover_params_t parameters;
  memset(&parameters, 0, sizeof parameters);
  parameters.d = 8;
  parameters.steps = 4;
  parameters.zParams.compressionLevel = level;
  size_t length = ZDICT_optimizeTrainFromBuffer_fastCover(dictionary, capacity, samples, sizes, count, &parameters);
  return ZDICT_isError(length) ? 0 : (unsigned)length;
}

static ZSTD_CCtx *context;
static ZSTD_CDict *loaded;
static int plainLevel;

/* For the messages that follow; of length 0: none. */
void load(const void *dictionary, unsigned length, int level) {
  if (!context) context = ZSTD_createCCtx();
  ZSTD_freeCDict(loaded);
  loaded = length ? ZSTD_createCDict(dictionary, length, level) : NULL;
  plainLevel = level;
}

/* Returns the length of the frame; 0: it failed. */
unsigned compress(void *frame, unsigned capacity, const void *message, unsigned length) {
  size_t size = loaded ? ZSTD_compress_usingCDict(context, frame, capacity, message, length, loaded)
                       : ZSTD_compressCCtx(context, frame, capacity, message, length, plainLevel);
  return ZSTD_isError(size) ? 0 : (unsigned)size;
}
