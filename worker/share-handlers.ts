/** The messages of one type → their shapes, in one payload. */
import { bodyAt } from '#engine/analysis/message-body.ts';
import { readingOfMessage } from '#engine/analysis/message-reading.ts';
import { neededFiles } from '#engine/schema/needed-files.ts';
import { makeShape } from '#engine/shape/make-shape.ts';
import { nativeProfileOf } from './native-profile.ts';
import type { HandlersOf } from './protocol.ts';
import { readingRequest } from './reading-request.ts';
import { selectMessages } from './select-messages.ts';
import { opened, type Session } from './session-state.ts';
import type { ShareApi } from './share-api.ts';

/** Bytes of all messages, 2 MiB: a shape is for links and small files. */
const MOST = 2 << 20;

export const shareHandlers = (session: Session): HandlersOf<ShareApi> => ({
  neededFiles({ type, named }) {
    const { registry } = session.schema;
    const paths = registry.files.map(({ path }) => path);
    const loaded = neededFiles(registry, type, named);
    if (loaded !== undefined) return { unneeded: paths.filter((path) => !loaded.has(path)), shipped: [] };
    const bundled = neededFiles(session.bundled.registry, type, named);
    return bundled === undefined ? { unneeded: [], shipped: [] } : { unneeded: paths, shipped: [...bundled] };
  },

  async shape({ scope, of, ...params }, context) {
    const open = opened(session);
    const nativeProfile = nativeProfileOf(session, params.nativeProfile);
    const ordinals = await selectMessages(session, scope, params.types, context, true);
    const request = readingRequest(session, params);
    const messages: Uint8Array[] = [];
    let bytes = 0;
    let type: Parameters<typeof makeShape>[1]['type'];
    let natively = 0;
    for (const ordinal of ordinals) {
      if (context.signal.aborted) return { ok: false, reason: 'Cancelled.' };
      const reading = await readingOfMessage(open, request, ordinal);
      const { format } = open.messages.groups.at(open.messages.groupAt(ordinal));
      const isProtobuf = reading !== 'native' && format === undefined;
      if (!isProtobuf) natively++;
      if (!isProtobuf || (reading?.fullName ?? null) !== of) continue;
      type = reading;
      const body = (await bodyAt(open, ordinal)).slice();
      bytes += body.length;
      if (bytes > MOST) return { ok: false, reason: 'The messages are larger than 2 MiB: share the figures alone.' };
      messages.push(body);
    }
    if (messages.length === 0 && natively > 0) {
      const reason =
        'A shape is made of protobuf messages, and these were captured in another encoding: share the figures alone.';
      return { ok: false, reason };
    }
    if (messages.length === 0) return { ok: false, reason: 'There is no message to make a shape of.' };
    const shape = makeShape(messages, { type, nativeProfile, overrides: params.overrides });
    return shape
      ? { ok: true, ...shape, messages: messages.length }
      : { ok: false, reason: 'No filler keeps every figure of these messages: share the figures alone.' };
  },
});
