/** The open input's messages → ranked types, profiles, and both sides' rows of one of them. */
import { type AnalyzeRequest, analyze, type Findings } from '#engine/analyze.ts';
import type { Diagnostic } from '#engine/diagnostic.ts';
import { type InspectedSide, inspect, withoutDoubts } from '#engine/inspect.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { rankTypes } from '#engine/rank-types.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { isGuessed } from '#engine/wire/guessed.ts';
import { inferDescriptor } from '#engine/wire/infer-descriptor.ts';
import type { AnalysisApi, AnalyzeParams } from './analysis-api.ts';
import { bodyAt } from './message-body.ts';
import { type HandlersOf, readControl } from './protocol.ts';
import { type OpenInput, opened, type Session } from './session-state.ts';

/** Messages that types are compared on, and bytes of each. */
const RANKED_MESSAGES = 20;
const RANKED_BYTES = 256 << 10;
const RANKED_TYPES = 20;
/** Messages that a type is guessed from, and bytes of all of them. */
const GUESSED_MESSAGES = 256;
const GUESSED_BYTES = 8 << 20;

export function analysisHandlers(session: Session): HandlersOf<AnalysisApi> {
  const requestOf = async ({ type, nativeProfile, overrides }: AnalyzeParams): Promise<AnalyzeRequest> => ({
    type:
      (type === null ? undefined : session.schema.registry.messages.get(type)) ?? (await guessType(opened(session))),
    nativeProfile: NATIVE_PROFILES.find(({ id }) => id === nativeProfile) ?? NATIVE_PROFILES[0]!,
    overrides,
  });
  return {
    async rankTypes(_, { signal }) {
      const { registry, shelved } = session.schema;
      const { undressed, messages } = opened(session);
      const samples: Uint8Array[] = [];
      const step = Math.max(1, Math.floor(messages.length / RANKED_MESSAGES));
      for (let ordinal = 0; ordinal < messages.length && samples.length < RANKED_MESSAGES; ordinal += step) {
        if (signal.aborted) return [];
        samples.push((await bodyAt(undressed.source, messages.bodyAt(ordinal))).slice(0, RANKED_BYTES));
      }
      return rankTypes(registry, samples)
        .filter(({ type, score }) => score > 0 && !shelved.has(type.file))
        .slice(0, RANKED_TYPES)
        .map(({ type, share }) => ({ type: type.fullName, score: share, reason: reasonOf(share, samples.length) }));
    },

    async analyze(params, context) {
      const open = opened(session);
      const request = await requestOf(params);
      const read = (type: MessageDescriptor | undefined) =>
        analyze(
          open.undressed.source,
          { dress: 'binary', framing: open.framing },
          { ...request, type },
          readControl(context),
        );
      const found = await read(request.type);
      if (!isGuessed(request.type)) return { profiles: found.profiles, diagnostics: found.diagnostics };
      const unread = unattributedOf(found);
      if (unread > 0) {
        // A message that was not sampled may not be what the others are: then bytes are lost that a reading by field
        // numbers alone explains.
        const plain = await read(undefined);
        if (unattributedOf(plain) < unread) {
          open.guess = null;
          return { profiles: plain.profiles, diagnostics: structural(plain) };
        }
      }
      return { profiles: found.profiles, diagnostics: structural(found) };
    },

    async inspect(params, { transfer }) {
      const { undressed, messages } = opened(session);
      const { type, nativeProfile, overrides } = await requestOf(params);
      const { ordinal } = params;
      // A copy: the source may hand out a view of bytes it keeps, and these leave the thread.
      const bytes = (await bodyAt(undressed.source, messages.bodyAt(ordinal))).slice();
      const inspected = inspect(bytes, { type, layoutOf: deriveLayouts(nativeProfile, overrides), ordinal });
      transfer(...buffersOf(inspected.wire), ...(inspected.native ? buffersOf(inspected.native) : []));
      return { ordinal, ...inspected };
    },
  };
}

/** Without doubts about the guess; where every byte is read, there are no more findings of another kind either. */
const structural = (findings: Findings): readonly Diagnostic[] =>
  withoutDoubts(findings.diagnostics).filter(
    ({ code }) => unattributedOf(findings) > 0 || code !== 'wire/more-findings',
  );

const unattributedOf = ({ profiles }: Findings): number =>
  profiles.reduce((sum, { unattributed }) => sum + unattributed, 0);

/** A type guessed from messages spread over the input; undefined where a guess would not hold. */
async function guessType(open: OpenInput): Promise<MessageDescriptor | undefined> {
  const { undressed, messages } = open;
  if (open.guess === undefined) {
    const samples: Uint8Array[] = [];
    const step = Math.max(1, Math.ceil(messages.length / GUESSED_MESSAGES));
    let bytes = 0;
    for (let ordinal = 0; ordinal < messages.length && bytes < GUESSED_BYTES; ordinal += step) {
      const body = await bodyAt(undressed.source, messages.bodyAt(ordinal));
      samples.push(body.slice());
      bytes += body.length;
    }
    open.guess = inferDescriptor(samples);
  }
  return open.guess ?? undefined;
}

const reasonOf = (share: number, messages: number): string => {
  const what = messages === 1 ? 'the message' : `${messages} messages`;
  return share === 1 ? `has a field for every byte of ${what}` : `has a field for some bytes of ${what}`;
};

/** Every buffer of a side, once: columns may share one. */
const buffersOf = ({ bytes, table, path, counterpart }: InspectedSide): readonly ArrayBuffer[] => {
  const { start, end, parent, field, head, flags } = table;
  const columns = [bytes, start, end, parent, field, head, flags, path, counterpart];
  return [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
};
