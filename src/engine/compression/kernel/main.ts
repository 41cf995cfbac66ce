/** The decoders' kernel: what the host may call, and what it reads. Compiled by scripts/kernel.ts into ../kernel-code.ts. */
import { consumed, inflate } from './inflate.ts';
import { snappy } from './snappy.ts';
import { adler32, crc32, crc32c } from './sums.ts';

export { adler32, consumed, crc32, crc32c, inflate, snappy };
