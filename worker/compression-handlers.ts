/** Messages → their protobuf and native bytes as they would be, compressed one by one by what a browser and we have. */

import { isNative } from '#engine/analysis/native-reading.ts';
import { type Encoder, SNAPPY, type ZstdLibrary, type ZstdModule, zstdOf } from '#engine/compression/encoders.ts';
import { Encodings } from '#engine/cost/encodings.ts';
import { profileById } from '#engine/native/profiles.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { readByLayout, readingOfMessage } from './analyze-messages.ts';
import type { CompressionApi } from './compression-api.ts';
import { bodyAt } from './message-body.ts';
import type { HandlersOf } from './protocol.ts';
import { selectMessages } from './select-messages.ts';
import { opened, type Session } from './session-state.ts';

/** Plain protobuf bytes that are measured, and messages: of larger inputs every nth message. */
const MOST_BYTES = 4 << 20;
const MOST_MESSAGES = 2000;

/** The platform's gzip is zlib at its default level. */
const GZIP: Encoder<Promise<number>> = { codec: 'gzip level 6', size: gzippedSize };

export const compressionHandlers = (session: Session): HandlersOf<CompressionApi> => ({
  async compress({ scope, shown, zstd, ...params }, context) {
    const open = opened(session);
    const encodings = new Encodings(profileById(params.nativeProfile), params.overrides);
    const library = await loadZstd(zstd);
    // Where it cannot be had, the other figures stand alone.
    const encoders = [GZIP, SNAPPY, ...(library === null ? [] : [zstdOf(library)])];
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
    const sums = encoders.map(({ codec }) => ({ codec, protobuf: 0, native: 0 }));
    const plain = { protobuf: 0, native: 0 };
    for (const [done, ordinal] of measured.entries()) {
      if (context.signal.aborted) break;
      context.progress({ done, total: measured.length, unit: 'messages' });
      const type = types.get(open.messages.groupAt(ordinal))!;
      const body = (await bodyAt(open, ordinal)).slice();
      const found = isNative(open.messages.groups.at(open.messages.groupAt(ordinal)))
        ? readByLayout(session, ordinal, body)
        : undefined;
      if (found !== undefined && (found?.type !== type || found.read.diagnostics.length > 0)) continue;
      const { protobuf, native } =
        found === undefined ? encodings.ofProtobuf(body, type) : encodings.ofNative(body, found);
      plain.protobuf += protobuf.length;
      plain.native += native.length;
      for (const [index, { size }] of encoders.entries()) {
        sums[index]!.protobuf += await size(protobuf);
        sums[index]!.native += await size(native);
      }
    }
    return { codecs: sums, messages: measured.length, outOf: ordinals.length, ...plain };
  },
});

async function gzippedSize(bytes: Uint8Array): Promise<number> {
  const { readable, writable } = new CompressionStream('gzip');
  const writer = writable.getWriter();
  const [gzipped] = await Promise.all([
    new Response(readable).arrayBuffer(),
    writer.write(bytes.slice()),
    writer.close(),
  ]);
  return gzipped.byteLength;
}

/** A module is fetched and compiled once, however often it is asked for. */
async function loadZstd(address: string): Promise<ZstdLibrary | null> {
  try {
    const { Zstd } = (await import(/* @vite-ignore */ address)) as ZstdModule;
    return await Zstd.load();
  } catch {
    return null;
  }
}
