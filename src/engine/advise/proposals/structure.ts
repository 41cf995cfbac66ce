/** Proposals for numbers by frequency, and for delimited messages. */
import { shortNameOf } from '../../schema/names.ts';
import type { MessageEncodingChange, NumberChange } from '../change.ts';
import { type FieldForm, freeNumber, type MessageForm } from '../forms.ts';
import type { FieldUse, FieldValues } from '../uses.ts';
import { isPackedRun } from '../write-tree.ts';
import type { Proposal, Propose } from './proposal.ts';
import { repeatedRoot } from './repeated-root.ts';

/** The most frequent fields get the numbers with the shortest tags. */
export const renumbering: Propose = (uses) => {
  const proposals: Proposal[] = [];
  for (const message of uses.messages.keys()) {
    const form = uses.forms.get(message)!;
    const changes = form.isMapEntry ? [] : numbersFor(form, (name) => tagsOf(uses.get(message, name)));
    if (changes.length === 0) continue;
    for (const { field, to } of changes) uses.numbersGiven(message).set(field, to);
    proposals.push({ title: `Number the fields of ${shortNameOf(message)} by how often they are written`, changes });
  }
  return proposals;
};

/** Number of tags that are written for a field. */
function tagsOf(use: FieldUse | undefined): number {
  if (use === undefined) return 0;
  const elements = use.lists.reduce((sum, values) => sum + values.length, 0);
  return isPackedRun(use.field) ? use.present : use.field.type === 'group' ? 2 * elements : elements;
}

/** From each of these numbers on, a tag takes a byte more. */
const LONGER = [16, 2048, 2 ** 18, 2 ** 25];

/** Minimises Σ tags × width: each width is for the fields with most tags. Only fields whose width changes are moved. */
function numbersFor(form: MessageForm, tagsOfField: (name: string) => number): readonly NumberChange[] {
  const own = form.fields.filter(({ name }) => !name.startsWith('['));
  const tags = new Map(own.map((field) => [field, tagsOfField(field.name)]));
  const numbers = new Map(own.map((field) => [field, field.number]));
  for (const end of LONGER) shorten(form, tags, numbers, end);
  return own.flatMap((field) => {
    const to = numbers.get(field)!;
    return to === field.number ? [] : [moved(form.fullName, field, to)];
  });
}

/** The numbers below `end` are for the most frequent fields: first those that are free, then those of the least frequent. */
function shorten(
  form: MessageForm,
  tags: ReadonlyMap<FieldForm, number>,
  numbers: Map<FieldForm, number>,
  end: number,
): void {
  const numberOf = (field: FieldForm): number => numbers.get(field)!;
  const isShort = (field: FieldForm): boolean => numberOf(field) < end;
  const byTags = [...tags.keys()].sort((a, b) => tags.get(b)! - tags.get(a)! || numberOf(a) - numberOf(b));
  const used = new Set(numbers.values());
  const free: number[] = [];
  while (free.length < byTags.length) {
    const number = freeNumber(form, used, (free.at(-1) ?? 0) + 1);
    if (number === undefined || number >= end) break;
    free.push(number);
  }
  const slots = byTags.filter(isShort).length + free.length;
  const wanted = new Set(byTags.slice(0, slots).filter((field) => tags.get(field)! > 0));
  const incoming = byTags.filter((field) => wanted.has(field) && !isShort(field));
  const outgoing = byTags
    .filter((field) => !wanted.has(field) && isShort(field))
    .sort((a, b) => tags.get(a)! - tags.get(b)! || numberOf(a) - numberOf(b));
  const chosen = outgoing.slice(0, Math.max(0, incoming.length - free.length));
  chosen.sort((a, b) => numberOf(a) - numberOf(b));
  // There are as many places: of equally frequent fields, those with the lower numbers are wanted.
  const places: readonly (number | FieldForm)[] = [...free, ...chosen];
  incoming.forEach((field, at) => {
    const place = places[at]!;
    const number = numberOf(field);
    if (typeof place === 'number') numbers.set(field, place);
    else {
      numbers.set(field, numberOf(place));
      numbers.set(place, number);
    }
  });
}

const moved = (message: string, { name, number }: FieldForm, to: number): NumberChange => ({
  change: 'number',
  message,
  field: name,
  from: number,
  to,
});

/**
 * Nested messages end with a tag instead of beginning with a length, so that the bytes before each message are alike.
 */
export const delimited: Propose = (uses) => {
  const root = repeatedRoot(uses);
  const proposals: Proposal[] = [];
  if (root !== undefined && root.field.type === 'message') {
    const { name } = root.field;
    const all = below(uses, root.message, root.field);
    proposals.push({ title: `Write ${name} and all messages in it delimited`, changes: all });
    const near = all.filter(({ message }) => message === root.message || message === root.field.typeName);
    if (near.length < all.length) {
      proposals.push({ title: `Write ${name} and the messages right in it delimited`, changes: near });
    }
  }
  const all = [...uses.fields].filter((use) => isPrefixed(use, uses)).map(recoded);
  if (all.length > 0 && all.length !== proposals[0]?.changes.length) {
    proposals.push({ title: 'Write all nested messages delimited', changes: all });
  }
  return proposals;
};

const isPrefixed = ({ message, field }: FieldUse, { forms }: FieldValues): boolean =>
  field.type === 'message' &&
  field.cardinality !== 'map' &&
  !forms.get(message)!.isMapEntry &&
  !field.name.startsWith('[');

const recoded = ({ message, field }: Pick<FieldUse, 'message' | 'field'>): MessageEncodingChange => ({
  change: 'message encoding',
  message,
  field: field.name,
  from: 'length-prefixed',
  to: 'delimited (editions)',
});

/** A field, and the fields in its messages. */
function below(uses: FieldValues, message: string, field: FieldForm): readonly MessageEncodingChange[] {
  const types = new Set([field.typeName!]);
  const changes = [recoded({ message, field })];
  for (const type of types) {
    for (const inner of uses.forms.get(type)?.fields ?? []) {
      const use = uses.get(type, inner.name);
      if (use === undefined || inner.typeName === undefined || inner.type === 'enum') continue;
      types.add(inner.typeName);
      if (isPrefixed(use, uses) && !(type === message && inner.name === field.name)) changes.push(recoded(use));
    }
  }
  return changes;
}
