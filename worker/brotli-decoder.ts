/** A file of its own, which the worker loads when a body asks for it: it leaves the decoder on the global object. */
import { decompress } from 'brotli/decompress';
import { BROTLI_KEY } from './load-brotli.ts';

Object.assign(globalThis, { [BROTLI_KEY]: decompress });
