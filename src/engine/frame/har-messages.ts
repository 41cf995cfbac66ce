/** The bodies of a HAR's exchanges → drafts of messages; every other byte of the file is its container's. */
import { type HarExchange, type HarSide, readHar } from '../capture/har.ts';
import type { LayerTally } from '../capture/packets-layers.ts';
import type { CaptureLog } from '../capture/packets-log.ts';
import { explainHttpBody } from './http-types.ts';
import type { MessageEmitter } from './transport-emitter.ts';

export function readHarMessages(bytes: Uint8Array, emitter: MessageEmitter, layers: LayerTally, log: CaptureLog): void {
  const exchanges = readHar(bytes);
  if (exchanges === null) {
    log.add(
      'har/malformed',
      'error',
      'This begins like a HAR file and is none: its JSON cannot be read.',
      0,
      bytes.length,
    );
    layers.unattributed += bytes.length;
    return;
  }
  let bodies = 0;
  for (const exchange of exchanges) {
    for (const direction of ['request', 'response'] as const) {
      bodies += readSide(exchange, exchange[direction], direction, bytes, emitter, layers);
    }
  }
  layers.container += bytes.length - bodies;
}

/** @returns bytes of the body in the file */
function readSide(
  exchange: HarExchange,
  side: HarSide,
  direction: 'request' | 'response',
  bytes: Uint8Array,
  emitter: MessageEmitter,
  layers: LayerTally,
): number {
  const { body } = side;
  if (body === null) return 0;
  const size = body.end - body.start;
  const path = exchange.url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
  const explained = explainHttpBody({ direction, path, headers: side.headers, transport: 'har' });
  if (explained === null || (size === 0 && !explained.emptyCounts)) {
    layers['other-bodies'] += size;
    return size;
  }
  // Browsers record a response's content with its codings taken off.
  const codings = direction === 'request' ? explained.steps : explained.steps.filter((step) => step === 'base64');
  const { envelope } = explained;
  if (envelope === undefined) layers.compressed += size;
  emitter.emit(
    {
      transport: explained.transport,
      side: direction === 'request' ? 0 : 1,
      time: exchange.time,
      direction,
      method: `${exchange.method} ${path}`,
      status: direction === 'request' ? null : exchange.status,
      typeHint: explained.typeHint,
      headerBytes: 0,
      context: {},
      pieces: [{ start: body.start, end: body.end }],
      steps: [body.encoding, ...codings],
      ...(envelope === undefined ? {} : { envelope }),
    },
    bytes.subarray(body.start, body.end),
    null,
  );
  return size;
}
