/** The messages of one type → their shapes, in one payload. */

import { readingOfMessage } from '#engine/analysis/message-reading.ts';
import { type GroupTypes, typeOfGroup } from '#engine/analysis/plan/group-readings.ts';
import { bodyAt } from '#engine/analysis/store/message-body.ts';
import type { MethodDescriptor } from '#engine/schema/descriptor.ts';
import { filesOf, neededFiles } from '#engine/schema/needed-files.ts';
import { partOfSet } from '#engine/schema/set/part-of-set.ts';
import { makeShape } from '#engine/shape/make-shape.ts';
import { nativeProfileOf } from './native-profile.ts';
import type { HandlersOf } from './protocol.ts';
import { readingRequest } from './reading-request.ts';
import type { SchemaFile } from './schema-api.ts';
import { readSources } from './schema-sources.ts';
import { selectMessages } from './select-messages.ts';
import { evidenceOf, opened, type Session, sessionLibrary } from './session-state.ts';
import type { ShareApi } from './share-api.ts';

/** Bytes of all messages, 2 MiB: a shape is for links and small files. */
const MOST = 2 << 20;

export const shareHandlers = (session: Session): HandlersOf<ShareApi> => ({
  async neededFiles({ type, types, held, sets }, { signal }) {
    const { registry } = session.schema;
    const paths = registry.files.map(({ path }) => path);
    const loaded = type === null ? filesOfCapture(session, types, held) : neededFiles(registry, type, held ?? []);
    if (loaded !== undefined) {
      const unneeded = paths.filter((path) => !loaded.has(path));
      return { unneeded, sets: await partsOfSets(sets, new Set(unneeded), signal), shipped: [] };
    }
    const bundled = type === null ? undefined : neededFiles(session.bundled.registry, type, held ?? []);
    return bundled === undefined
      ? { unneeded: [], sets, shipped: [] }
      : { unneeded: paths, sets: [], shipped: [...bundled] };
  },

  async shape({ scope, of, ...params }, context) {
    const open = opened(session);
    const nativeProfile = nativeProfileOf(session, params.nativeProfile, of);
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
      if (!isProtobuf || reading?.fullName !== of) continue;
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

const ANY_FILE = 'google/protobuf/any.proto';

/**
 * The files that the types of all groups take, and the services that name them. undefined: any file may be needed, for
 * messages of no known type, in a layout, or with an Any whose types are not known.
 */
function filesOfCapture(
  session: Session,
  types: GroupTypes,
  held: readonly string[] | null,
): ReadonlySet<string> | undefined {
  const { groups } = opened(session).messages;
  const evidence = evidenceOf(session);
  const library = sessionLibrary(session);
  const { registry } = session.schema;
  const names = new Set<string>(held);
  for (const group of groups.all()) {
    const type = typeOfGroup(library, group, types, evidence);
    if (type === undefined) return undefined;
    names.add(type.fullName);
  }
  const calls = ({ input, output }: MethodDescriptor): boolean =>
    [input, output].some((type) => type !== undefined && names.has(type.fullName));
  const services = [...registry.services.values()].filter(({ methods }) => methods.some(calls));
  const files = filesOf(
    registry,
    [...names],
    services.map(({ fullName }) => fullName),
  );
  return held === null && files.has(ANY_FILE) ? undefined : files;
}

/** Compressed sets and sets as JSON are unpacked for it. */
async function partsOfSets(
  sets: readonly SchemaFile[],
  unneeded: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly SchemaFile[]> {
  const parts: SchemaFile[] = [];
  for (const { path, content } of (await readSources(sets, signal)).sources) {
    const part = typeof content === 'string' ? undefined : partOfSet(content, (file) => !unneeded.has(file));
    if (part === undefined || part.length > 0) parts.push({ path, content: part ?? content });
  }
  return parts;
}
