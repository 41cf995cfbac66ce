/**
 * *Run* over several workers: this one adds messages up from the first one on; once the rest is worth it, others take ranges
 * from the end. Their sums are merged in the order of the messages. Which names of a text have rows of their own depends
 * on the names before, if they are too many: then this worker adds up all messages once more.
 */
import { AbortError, type ReadControl } from '../../bytes/source.ts';
import { MAX_NAMES, OTHERS } from '../../encodings/read-json/known-names.ts';
import { guessKey } from '../message-reading.ts';
import type { RunRequest, Selected } from '../messages-run.ts';
import { type InputSums, mergeSums } from '../part-sums.ts';
import type { Left } from '../store/message-body.ts';
import type { MessageStore } from '../store/message-store.ts';
import type { Helper, MessageRange, Pool, SumMessages } from './pool.ts';

interface Range {
  readonly from: number;
  readonly ordinals: Uint32Array;
}

export async function sumShared(
  selected: Selected,
  stores: readonly MessageStore[],
  request: RunRequest,
  control: ReadControl,
  pool: Pool,
  sum: SumMessages,
): Promise<InputSums> {
  const { store, ordinals } = selected;
  const left: Left = { next: 0, end: ordinals.length };
  const sums: { readonly from: number; readonly sums: InputSums }[] = [];
  const failed: Range[] = [];
  const others: Promise<void>[] = [];
  const done = new Map<unknown, number>();
  let total = 0;
  for (const ordinal of ordinals) total += store.messages.sizeAt(ordinal);
  const report = (who: unknown, bytes: number): void => {
    done.set(who, bytes);
    control.onProgress?.(
      [...done.values()].reduce((all, one) => all + one, 0),
      total,
    );
  };

  /** A part of what is left, the smaller the less is left: all workers end at about the same time. */
  const takeLast = (): Range | null => {
    let bytes = 0;
    for (let at = left.next; at < left.end; at++) bytes += store.messages.sizeAt(ordinals[at]!);
    const wanted = Math.max(pool.limits.range, bytes / (2 * (pool.helpers().length + 1)));
    if (bytes < 2 * pool.limits.range) return null;
    const { end } = left;
    for (let taken = 0; taken < wanted && left.end > left.next; ) taken += store.messages.sizeAt(ordinals[--left.end]!);
    return { from: left.end, ordinals: ordinals.subarray(left.end, end) };
  };

  const helped = async (helper: Helper): Promise<void> => {
    for (let range = takeLast(); range !== null; range = takeLast()) {
      try {
        const found = await helper.sum(posted(store, range.ordinals, request), (bytes) => report(range, bytes));
        sums.push({ from: range.from, sums: withOrdinals(found, range.ordinals) });
      } catch {
        // The worker does not start or has ended: this one does its range, and says what is wrong with it.
        failed.push(range);
        return;
      }
    }
  };

  const start = performance.now();
  const onProgress = (bytes: number): void => {
    report('own', bytes);
    if (others.length > 0 || !pool.isWorthwhile(performance.now() - start, bytes, total)) return;
    pool.compile(request.library.registries);
    others.push(...pool.helpers().map(helped));
  };
  // Where this worker fails or is cancelled, the others are not waited for.
  sums.push({ from: 0, sums: await sum(selected, stores, request, { ...control, onProgress }, left) });
  await Promise.all(others);
  for (const { from, ordinals } of failed)
    sums.push({ from, sums: await sum({ store, ordinals }, stores, request, control) });
  if (control.signal?.aborted) throw new AbortError();
  control.onProgress?.(total, total);
  const merged = mergeSums(sums.sort((a, b) => a.from - b.from).map((one) => one.sums));
  return others.length > 0 && hasTooManyNames(merged) ? sum(selected, stores, request, control) : merged;
}

function hasTooManyNames({ parts }: InputSums): boolean {
  const names = new Set<string>();
  for (const { profile } of parts) {
    for (const { declared, name } of profile?.fields ?? []) if (declared === null) names.add(name);
  }
  return names.size > MAX_NAMES || names.has(OTHERS);
}

const groupsIn = ({ messages }: MessageStore, ordinals: Uint32Array): ReadonlySet<number> => {
  const groups = new Set<number>();
  for (const ordinal of ordinals) groups.add(messages.groupAt(ordinal));
  return groups;
};

function posted(store: MessageStore, range: Uint32Array, request: RunRequest): MessageRange {
  const { kind, source, limit, messages } = store;
  const { type, types, evidence, overrides, nativeProfile, isNativeChosen } = request;
  const keys = [...groupsIn(store, range)].map((group) => guessKey(store, group));
  const guesses = new Map([...request.guesses].filter(([key]) => keys.includes(key)));
  return {
    kind,
    name: source.name,
    handle: source.handle,
    limit,
    messages: messages.pack(range),
    request: {
      ...{ type: type?.fullName ?? null, types, evidence, guesses },
      ...{ nativeProfile: nativeProfile?.id ?? null, isNativeChosen, overrides },
    },
  };
}

/** The other worker numbers the messages of a range from 0. */
function withOrdinals({ parts, native }: InputSums, range: Uint32Array): InputSums {
  return {
    native,
    parts: parts.map((part) => ({
      ...part,
      from: range[part.from]!,
      firsts: new Map([...part.firsts].map(([group, at]) => [group, range[at]!])),
      findings: {
        ...part.findings,
        listed: part.findings.listed.map((at) => range[at]!),
        diagnostics: part.findings.diagnostics.map((found) =>
          found.ordinal === undefined ? found : { ...found, ordinal: range[found.ordinal]! },
        ),
      },
    })),
  };
}
