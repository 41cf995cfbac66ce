/** *Collect*: the sums of messages that are read alike. They are plain data, so that sums of several workers merge. */
import { mergeProfiles } from '../cost/merge-profiles.ts';
import { PROTOBUF, type Profile, totalIn } from '../cost/profile.ts';
import { type Loss, lossKind } from '../encodings/losses.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { type ListedFindings, MAX_DIAGNOSTICS, mergeFindings, omittedFindings } from './message-profiler.ts';
import type { MessagesRun, NativeCoverage, Origin } from './messages-run.ts';
import type { MessageStore } from './store/message-store.ts';

/** The sums of the messages of an input that are read alike. */
export interface PartSums {
  /** Messages with the same one are read alike. */
  readonly key: string;
  /** The ordinal at which it was first seen. Parts of a group's own type come before those that single messages name. */
  readonly from: number;
  readonly isOfGroup: boolean;
  /** null: opaque messages, which cannot be read. */
  readonly profile: Profile | null;
  readonly findings: ListedFindings;
  /** They are read as a guessed type. */
  readonly isGuess: boolean;
  /** Bytes that no rule explains. */
  readonly unattributed: number;
  /** The first message of each group, by the group's index. */
  readonly firsts: ReadonlyMap<number, number>;
  readonly messages: number;
  readonly bytes: number;
  readonly capturedBytes: number;
  readonly headerBytes: number;
}

/** The sums of an input's messages, or of some of them. */
export interface InputSums {
  readonly parts: readonly PartSums[];
  readonly native: NativeCoverage;
}

/** Sums of ranges that follow one another → those of all their messages. */
export function mergeSums(ranges: readonly InputSums[]): InputSums {
  const parts = new Map<string, PartSums>();
  const native = { messages: 0, whole: 0, bytes: 0, explained: 0 };
  for (const range of ranges) {
    for (const part of range.parts) {
      const known = parts.get(part.key);
      parts.set(part.key, known === undefined ? part : mergeParts(known, part));
    }
    for (const of of ['messages', 'whole', 'bytes', 'explained'] as const) native[of] += range.native[of];
  }
  const inOrder = [...parts.values()].sort((a, b) => Number(b.isOfGroup) - Number(a.isOfGroup) || a.from - b.from);
  return { parts: inOrder, native };
}

function mergeParts(a: PartSums, b: PartSums): PartSums {
  const [first, second] = a.isOfGroup || !b.isOfGroup ? [a, b] : [b, a];
  return {
    key: a.key,
    from: first.isOfGroup === second.isOfGroup ? Math.min(a.from, b.from) : first.from,
    isOfGroup: first.isOfGroup,
    profile: a.profile === null || b.profile === null ? null : mergeProfiles(a.profile, b.profile),
    findings: a.profile === null ? mergeOpaque(a.findings, b.findings) : mergeFindings(a.findings, b.findings),
    isGuess: a.isGuess,
    unattributed: a.unattributed + b.unattributed,
    firsts: new Map([...b.firsts, ...a.firsts]),
    messages: a.messages + b.messages,
    bytes: a.bytes + b.bytes,
    capturedBytes: a.capturedBytes + b.capturedBytes,
    headerBytes: a.headerBytes + b.headerBytes,
  };
}

const mergeOpaque = (a: ListedFindings, b: ListedFindings): ListedFindings => ({
  ...a,
  diagnostics: [...a.diagnostics, ...b.diagnostics].slice(0, MAX_DIAGNOSTICS),
});

/** Most bytes first, with the messages that each figure is made of. */
export function collect({ messages: { groups } }: MessageStore, { parts, native }: InputSums): MessagesRun {
  const all = groups.all();
  const originOf = ({ firsts, findings, messages, bytes, capturedBytes, headerBytes }: PartSums): Origin => {
    const own = [...firsts].sort(([, a], [, b]) => a - b).map(([group]) => group);
    own.sort((a, b) => all[b]!.bytes - all[a]!.bytes);
    const first = own[0] === undefined ? 0 : firsts.get(own[0])!;
    const keys = own.map((group) => all[group]!.key);
    return { groups: keys, messages, first, bytes, capturedBytes, headerBytes, findings };
  };
  const found = parts.flatMap((part) => (part.profile === null ? [] : [{ ...part, profile: part.profile }]));
  found.sort((a, b) => totalIn(b.profile, PROTOBUF) - totalIn(a.profile, PROTOBUF));
  const opaque = parts.find(({ profile }) => profile === null);
  const more = found.reduce((sum, { profile, findings }) => sum + moreIn(findings, profile), 0);
  return {
    profiles: found.map(({ profile }) => profile),
    origins: found.map(originOf),
    opaque: opaque === undefined ? NO_MESSAGES : originOf(opaque),
    diagnostics: [
      ...found.flatMap(({ findings }): readonly Diagnostic[] => findings.diagnostics),
      ...found.flatMap(({ profile }) => lossFindings(profile)),
      ...(opaque?.findings.diagnostics ?? []),
      ...(more > 0 ? [omittedFindings(more)] : []),
    ],
    native,
  };
}

/** The ledger of a native profile is named by its id. */
const labelOf = (id: string, label: string): string => NATIVE_PROFILES.find((known) => known.id === id)?.label ?? label;

/** Values that the compared encoding cannot carry, with counts. */
const lossFindings = ({ type, pair, other, ledgers }: Profile): readonly Diagnostic[] =>
  Object.entries(ledgers).flatMap(([id, { label, refused, losses }]) => {
    const found = (code: string, severity: Diagnostic['severity'], words: string, kind: Loss | null): Diagnostic => ({
      ...{ code, severity, message: `${labelOf(id, label)}: ${words}${words.endsWith('.') ? '' : '.'}` },
      ...{ space: 'capture', start: 0, end: 0 },
      lost: { encoding: id, kind, type },
    });
    if (refused !== null) return [found('encoding/refused', 'warning', refused, null)];
    return id === pair[1] && other?.isCaptured !== true
      ? losses.map((loss) => found('encoding/loss', 'info', loss, lossKind(loss)))
      : [];
  });

/** Messages with findings that are not listed. Without a type, findings are evidence against protobuf, or unread bytes. */
const moreIn = ({ isUntyped, unlisted }: ListedFindings, { unattributed }: Profile): number =>
  isUntyped && unattributed === 0 ? 0 : unlisted;

const NO_MESSAGES: Origin = {
  groups: [],
  messages: 0,
  first: 0,
  bytes: 0,
  capturedBytes: 0,
  headerBytes: 0,
  findings: { diagnostics: [], head: null },
};
