/** Where the worker finds libzstd. It is asked for on demand: a module that comes with the first question for it. */
import address from '@hpcc-js/wasm-zstd?url';

export const ZSTD_ADDRESS = new URL(address, document.baseURI).href;
