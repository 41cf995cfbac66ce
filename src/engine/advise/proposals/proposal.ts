import { shortNameOf } from '../../schema/names.ts';
import type { Change, TypeChange } from '../change.ts';
import type { FieldUse, FieldValues } from '../uses.ts';

export interface Proposal {
  /** One sentence that says what to do. */
  readonly title: string;
  readonly changes: readonly Change[];
  /** It costs raw bytes. It shows what the schema already saves, or what may compress better. */
  readonly isCounterfactual?: boolean;
}

export type Propose = (uses: FieldValues) => readonly Proposal[];

/** The fields of all messages together, and the fields of each message separately if that is a different set. */
export function grouped(
  fields: readonly FieldUse[],
  make: (some: readonly FieldUse[]) => Proposal,
): readonly Proposal[] {
  if (fields.length === 0) return [];
  const byMessage = new Map<string, FieldUse[]>();
  for (const use of fields) byMessage.set(use.message, [...(byMessage.get(use.message) ?? []), use]);
  const groups = byMessage.size === 1 ? [] : [...byMessage.values()];
  return [fields, ...groups].map(make);
}

/** Each proposal takes time to measure. */
const MAX_ALONE = 16;

/** The fields that are tried alone, in their order: those that gain most. */
export function triedAlone(
  fields: readonly FieldUse[],
  gainOf: (use: FieldUse) => number,
  most = MAX_ALONE,
): readonly FieldUse[] {
  const best = new Set(fields.toSorted((a, b) => gainOf(b) - gainOf(a)).slice(0, most));
  return fields.filter((use) => best.has(use));
}

/** `version and seq_no of Hit`, `Span.name, KeyValue.key and 3 more`. */
export function namesOf(fields: readonly Pick<FieldUse, 'message' | 'field'>[]): string {
  const isOfOne = fields.every(({ message }) => message === fields[0]!.message);
  if (isOfOne) return `${listed(fields.map(({ field }) => field.name))} of ${shortNameOf(fields[0]!.message)}`;
  return listed(fields.map(({ message, field }) => `${shortNameOf(message)}.${field.name}`));
}

/** `a, b and c`, `a, b and 3 more`. */
export function listed(names: readonly string[]): string {
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The same in lower case with spaces: `number data point`. */
export const spacedName = (message: string): string =>
  shortNameOf(message)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();

/** The change of a field’s type. */
export const typeChange = ({ message, field }: FieldUse, to: string): TypeChange => ({
  change: 'type',
  message,
  field: field.name,
  from: field.type,
  to,
});
