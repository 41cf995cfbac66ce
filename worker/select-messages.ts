/**
 * A scope → the ordinals that pass it. The text is searched in the bytes; all other conditions are checked on columns.
 */
import { typeOfGroup } from '#engine/analysis/plan/group-readings.ts';
import { eachBody } from '#engine/analysis/store/message-body.ts';
import type { MessageTable } from '#engine/analysis/store/message-table.ts';
import { includesBytes } from './byte-search.ts';
import type { GroupTypes, MessageOrder, MessageScope } from './input-api.ts';
import { type Control, readControl } from './protocol.ts';
import { evidenceOf, opened, type Session, type StoredInput, sessionLibrary } from './session-state.ts';

/** Ordinals in the order of the capture; only those of `scope.ordinals`, if `chosen`. */
export async function selectMessages(
  session: Session,
  scope: MessageScope,
  types: GroupTypes,
  control: Control,
  chosen: boolean,
): Promise<Uint32Array> {
  const open = opened(session);
  const { messages } = open;
  const passes = groupTest(session, scope, types);
  const flow = scope.flow === null ? null : messages.flows.find(scope.flow);
  // A link may name a flow of another capture.
  if (flow === undefined) return new Uint32Array();
  const { minBytes, maxBytes, time, name, ordinals } = scope;
  const picked = chosen && ordinals.length > 0 ? maskOf(ordinals, messages.length) : null;
  const holding = scope.text === '' ? null : await messagesHolding(open, scope.text, control);
  const found = new Uint32Array(messages.length);
  let count = 0;
  for (let ordinal = 0; ordinal < found.length; ordinal++) {
    if (flow !== null && messages.flowAt(ordinal) !== flow) continue;
    if (picked !== null && picked[ordinal] === 0) continue;
    if (minBytes !== null && messages.sizeAt(ordinal) < minBytes) continue;
    if (maxBytes !== null && messages.sizeAt(ordinal) > maxBytes) continue;
    if (time !== null && !(messages.timeAt(ordinal) >= time[0] && messages.timeAt(ordinal) < time[1])) continue;
    if (scope.groups.length > 0 && !passes.chosen(messages.groupAt(ordinal))) continue;
    if (name !== '' && !passes.named(ordinal) && !isSaid(messages, ordinal, name)) continue;
    if (holding !== null && !holding.has(ordinal)) continue;
    found[count++] = ordinal;
  }
  return found.subarray(0, count);
}

/** 0: in no range. Ranges may overlap; a range takes the same time however long it is. */
function maskOf(ranges: MessageScope['ordinals'], length: number): Int32Array {
  const mask = new Int32Array(length);
  for (const [from, to] of ranges) {
    if (from >= Math.min(to, length)) continue;
    mask[from]!++;
    if (to < length) mask[to]!--;
  }
  for (let at = 1; at < length; at++) mask[at]! += mask[at - 1]!;
  return mask;
}

export function sortMessages(
  session: Session,
  ordinals: Uint32Array,
  { column, descending }: MessageOrder,
  types: GroupTypes,
): Uint32Array {
  const sign = descending ? -1 : 1;
  if (column === 'ordinal') return descending ? ordinals.reverse() : ordinals;
  const { messages } = opened(session);
  if (column === 'bytes' || column === 'capturedBytes') {
    const size = column === 'bytes' ? messages.sizeAt : messages.capturedSizeAt;
    return ordinals.sort((a, b) => sign * (size(a) - size(b)) || a - b);
  }
  const rank = ranksOf(session, column, types);
  return ordinals.sort((a, b) => sign * (rank(a) - rank(b)) || a - b);
}

/** Words are compared once each, messages by the place of theirs. */
function ranksOf(
  session: Session,
  column: Exclude<MessageOrder['column'], 'ordinal' | 'bytes' | 'capturedBytes'>,
  types: GroupTypes,
): (ordinal: number) => number {
  const { messages } = opened(session);
  const library = sessionLibrary(session);
  if (column === 'flow' || column === 'status') {
    const place = placesOf(column === 'flow' ? messages.flows.all() : messages.statuses.all());
    const wordAt = column === 'flow' ? messages.flowAt : messages.statusNumberAt;
    return (ordinal) => place[wordAt(ordinal) - 1] ?? -1;
  }
  const groups = messages.groups.all();
  const place = placesOf(
    groups.map((group) => {
      if (column === 'type')
        return typeOfGroup(library, group, types, evidenceOf(session))?.fullName ?? group.typeHint ?? '';
      return (column === 'method' ? group.method : group.direction) ?? '';
    }),
  );
  return (ordinal) => place[messages.groupAt(ordinal)]!;
}

/** The alphabetical place of each word; equal words have equal places. */
function placesOf(words: readonly string[]): readonly number[] {
  const sorted = [...new Set(words)].sort();
  const places = new Map(sorted.map((word, place) => [word, place]));
  return words.map((word) => places.get(word)!);
}

/** Looked up by group and by flow, once each. */
function groupTest(session: Session, scope: MessageScope, types: GroupTypes) {
  const { messages } = opened(session);
  const { groups, flows } = messages;
  const library = sessionLibrary(session);
  const evidence = evidenceOf(session);
  const wanted = new Set(scope.groups.map(groups.indexOf));
  const named: boolean[] = [];
  const onFlow: boolean[] = [];
  const isNamed = (index: number): boolean => {
    const group = groups.at(index);
    const words = [
      group.method,
      group.transport,
      group.typeHint,
      typeOfGroup(library, group, types, evidence)?.fullName ?? null,
    ];
    return words.some((word) => includesText(word, scope.name));
  };
  return {
    chosen: (group: number): boolean => wanted.has(group),
    named: (ordinal: number): boolean => {
      const [group, flow] = [messages.groupAt(ordinal), messages.flowAt(ordinal)];
      named[group] ??= isNamed(group);
      onFlow[flow] ??= includesText(flows.wordOf(flow), scope.name);
      return named[group] || onFlow[flow];
    },
  };
}

/** Whether the name is in what messages of a group differ in. */
const isSaid = (messages: MessageTable, ordinal: number, name: string): boolean =>
  includesText(messages.statusAt(ordinal), name) || includesText(messages.methodAt(ordinal), name);

const includesText = (word: string | null, part: string): boolean =>
  word?.toLowerCase().includes(part.toLowerCase()) ?? false;

async function messagesHolding(open: StoredInput, text: string, control: Control): Promise<ReadonlySet<number>> {
  const key = `${open.messages.length} ${text}`;
  if (open.holding?.key !== key) {
    const needle = new TextEncoder().encode(text);
    const found = new Set<number>();
    const all = Uint32Array.from({ length: open.messages.length }, (_, ordinal) => ordinal);
    await eachBody(
      open,
      all,
      (payload, ordinal) => {
        if (includesBytes(payload, needle)) found.add(ordinal);
        return undefined;
      },
      readControl(control),
    );
    open.holding = { key, ordinals: found };
  }
  return open.holding.ordinals;
}
