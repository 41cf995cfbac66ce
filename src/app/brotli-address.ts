/** Where the worker finds the Brotli decoder: a file of its own, which is loaded when a body asks for it. */
import address from '../../worker/brotli-decoder.ts?worker&url';

export const BROTLI_ADDRESS = new URL(address, document.baseURI).href;
