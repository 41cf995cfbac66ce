/** In another worker: a posted range of messages → its sums. */
import { blockSource } from '../../bytes/block-source.ts';
import type { ReadControl, Source } from '../../bytes/source.ts';
import { NATIVE_PROFILES, SCHEMA_LAYOUT_PROFILE } from '../../native/profiles.ts';
import { openSchema } from '../../schema/compile.ts';
import { libraryOf } from '../analyze.ts';
import type { InputSums } from '../part-sums.ts';
import { type TypeLibrary, typeNamed } from '../plan/group-readings.ts';
import { sumMessages } from '../run-messages.ts';
import { MessageTable } from '../store/message-table.ts';
import type { MessageRange, Schemas } from './pool.ts';

export const openLibrary = (schemas: Schemas): TypeLibrary =>
  libraryOf(schemas.map(({ sources, isSound }) => openSchema(sources, isSound)));

export function sumRange(
  { kind, name, handle, limit, messages: packed, request }: MessageRange,
  library: TypeLibrary,
  openHandle: (handle: unknown, name: string) => Source,
  nextTurn: () => Promise<void>,
  control: ReadControl,
): Promise<InputSums> {
  const messages = new MessageTable(packed);
  const store = { kind, source: blockSource(openHandle(handle, name), nextTurn), packed: null, messages, limit };
  const ordinals = Uint32Array.from({ length: messages.length }, (_, at) => at);
  const { type, nativeProfile, ...rest } = request;
  return sumMessages(
    { store, ordinals },
    [store],
    {
      ...rest,
      library,
      type: type === null ? null : typeNamed(library, type)!,
      nativeProfile: [SCHEMA_LAYOUT_PROFILE, ...NATIVE_PROFILES].find(({ id }) => id === nativeProfile) ?? null,
    },
    control,
  );
}
