/** The bodies of a recorded exchange → drafts of messages, each entered in the ledger. */
import type { Exchange } from '../capture/exchange.ts';
import type { LayerTally } from '../capture/packets-layers.ts';
import { explainHttpBody } from './http-types.ts';
import type { MessageEmitter } from './transport-emitter.ts';

export function emitExchange(exchange: Exchange, emitter: MessageEmitter, layers: LayerTally): void {
  for (const direction of ['request', 'response'] as const) emitSide(exchange, direction, emitter, layers);
}

function emitSide(
  exchange: Exchange,
  direction: 'request' | 'response',
  emitter: MessageEmitter,
  layers: LayerTally,
): void {
  const { headers, body } = exchange[direction];
  if (body === null) return;
  const size = body.bytes.length;
  const path = exchange.url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
  const explained = explainHttpBody({ direction, path, headers, transport: 'har' });
  if (explained === null || (size === 0 && !explained.emptyCounts)) {
    layers['other-bodies'] += size;
    return;
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
      pieces: [{ start: body.captureOffset, end: body.captureOffset + size }],
      steps: [body.encoding, ...codings],
      ...(envelope === undefined ? {} : { envelope }),
    },
    body.bytes,
    null,
  );
}
