/** Messages → their protobuf and native bytes as they would be, compressed one by one by what a browser and we have. */

import { encodeSnappy } from '#engine/compression/snappy-encode.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { LAID_OUT, profileById } from '#engine/native/profiles.ts';
import { toWire } from '#engine/native/to-wire.ts';
import { writeNative } from '#engine/native/write.ts';
import { isNative } from '#engine/native-reading.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { readByLayout, readingOfMessage } from './analyze-messages.ts';
import type { CompressionApi } from './compression-api.ts';
import { bodyAt } from './message-body.ts';
import type { HandlersOf } from './protocol.ts';
import { selectMessages } from './select-messages.ts';
import { opened, type Session } from './session-state.ts';

/** Plain protobuf bytes that are measured, and messages: of larger inputs every nth message. */
const MOST_BYTES = 4 << 20;
const MOST_MESSAGES = 2000;

type Encode = (bytes: Uint8Array) => Promise<number> | number;

/** The platform's gzip is zlib at its default level. */
const CODECS: readonly (readonly [codec: string, encode: Encode])[] = [
  ['gzip level 6', gzippedSize],
  ['snappy', (bytes) => encodeSnappy(bytes).length],
];

export const compressionHandlers = (session: Session): HandlersOf<CompressionApi> => ({
  async compress({ scope, shown, ...params }, context) {
    const open = opened(session);
    const nativeProfile = profileById(params.nativeProfile);
    const layoutOf = deriveLayouts(nativeProfile, params.overrides);
    const chosen = await selectMessages(session, scope, params.types, context, true);
    const types = new Map<number, MessageDescriptor | null>();
    const ordinals: number[] = [];
    let bytes = 0;
    for (const ordinal of chosen) {
      const group = open.messages.groupAt(ordinal);
      let type = types.get(group);
      if (type === undefined) {
        const reading = await readingOfMessage(session, params, ordinal);
        const candidates =
          reading === 'native'
            ? session.layouts.typesOf({ ...open.messages.groups.at(group), status: null })
            : [reading];
        type = candidates.find((candidate) => candidate?.fullName === shown) ?? null;
        types.set(group, type);
      }
      if (type === null) continue;
      ordinals.push(ordinal);
      bytes += open.messages.sizeAt(ordinal);
    }
    const step = Math.max(1, Math.ceil(bytes / MOST_BYTES), Math.ceil(ordinals.length / MOST_MESSAGES));
    const measured = ordinals.filter((_, index) => index % step === 0);
    const sums = CODECS.map(([codec]) => ({ codec, protobuf: 0, native: 0 }));
    const plain = { protobuf: 0, native: 0 };
    for (const [done, ordinal] of measured.entries()) {
      if (context.signal.aborted) break;
      context.progress({ done, total: measured.length, unit: 'messages' });
      const type = types.get(open.messages.groupAt(ordinal))!;
      const body = (await bodyAt(open, ordinal)).slice();
      const found = isNative(open.messages.groups.at(open.messages.groupAt(ordinal)))
        ? readByLayout(session, ordinal, body)
        : undefined;
      if (found !== undefined && found?.type !== type) continue;
      const protobuf = found === undefined ? body : toWire(body, found.read).bytes;
      const isAsCaptured = found !== undefined && nativeProfile === LAID_OUT;
      const native = isAsCaptured
        ? body
        : writeNative(protobuf, annotate(protobuf, type).table, layoutOf(type), layoutOf).bytes;
      plain.protobuf += protobuf.length;
      plain.native += native.length;
      for (const [index, [, encode]] of CODECS.entries()) {
        sums[index]!.protobuf += await encode(protobuf);
        sums[index]!.native += await encode(native);
      }
    }
    return { codecs: sums, messages: measured.length, outOf: ordinals.length, ...plain };
  },
});

async function gzippedSize(bytes: Uint8Array): Promise<number> {
  const stream = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(stream).arrayBuffer()).byteLength;
}
