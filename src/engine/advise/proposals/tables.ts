/** Proposals for a table of texts; and for the one known schema with such a table. */
import { latin1 } from '../../bytes/latin1.ts';
import { varintWidth } from '../../bytes/varint.ts';
import { tagWidth } from '../../wire/encoding-facts.ts';
import { REMOTE_WRITE_1, REMOTE_WRITE_2 } from '../changes/other-schema.ts';
import type { FieldUse } from '../uses.ts';
import { nodesOf, type TreeNode } from '../value-tree.ts';
import { namesOf, type Proposal, type Propose, triedAlone } from './proposal.ts';

/** Number of fields whose tables are tried in pairs. */
const MAX_PAIRED = 4;

export const symbolTables: Propose = (uses) => {
  const { fields, forms, root, held, trees } = uses;
  if (forms.field(root, 'symbols') !== undefined) return [];
  const number = uses.newNumber(root, 'symbols');
  if (number === undefined) return [];
  const saved = new Map<FieldUse, number>();
  for (const use of fields) {
    if (use.field.type !== 'string' || use.field.name.startsWith('[') || held.has(use.message)) continue;
    const bytes = savedByTable(use, tagWidth(number));
    if (bytes > 0) saved.set(use, bytes);
  }
  const paying = [...saved.keys()];
  const savedBy = (use: FieldUse): number => saved.get(use)!;
  const sets = triedAlone(paying, savedBy).map((use) => [use]);
  const paired = triedAlone(paying, savedBy, MAX_PAIRED);
  for (const [at, a] of paired.entries()) for (const b of paired.slice(at + 1)) sets.push([a, b]);
  if (paying.length > 2) sets.push(paying);
  const repeated = new Set(paying.filter((use) => isRepeated([use], trees)));
  const isPaying = (some: readonly FieldUse[]): boolean =>
    some.some((use) => repeated.has(use)) || (some.length > 1 && isRepeated(some, trees));
  return sets.filter(isPaying).map(
    (some): Proposal => ({
      title: `Write the texts of ${namesOf(some)} once, in a table, and refer to them: ${breakEven(some, tagWidth(number))}`,
      changes: [
        {
          change: 'symbol table',
          table: { message: root, field: 'symbols', number, first: '' },
          fields: some.map(({ message, field }) => `${message}.${field.name}`),
          type: 'uint32',
          order: 'by first use, entries in field number order',
        },
      ],
    }),
  );
};

/** Each message has a table of its own: whether one of them uses an entry twice. */
function isRepeated(fields: readonly FieldUse[], trees: readonly TreeNode[]): boolean {
  const names = new Map<string, string[]>();
  for (const { message, field } of fields) names.set(message, [...(names.get(message) ?? []), field.name]);
  return trees.some((tree) => {
    const known = new Set<string>();
    for (const node of nodesOf(tree)) {
      for (const value of (names.get(node.type) ?? []).flatMap((name) => node.fields.get(name) ?? [])) {
        const text = value as Uint8Array;
        if (text.length === 0) continue;
        const key = latin1(text, 0, text.length);
        if (known.has(key)) return true;
        known.add(key);
      }
    }
    return false;
  });
}

/** uses × (text − reference) > table entry, for a text and a reference of average width. */
function breakEven(fields: readonly FieldUse[], tag: number): string {
  const widths = new Map<string, number>();
  for (const { lists } of fields) {
    for (const values of lists) {
      for (const value of values) {
        const text = value as Uint8Array;
        if (text.length > 0) widths.set(latin1(text, 0, text.length), varintWidth(text.length, 0) + text.length);
      }
    }
  }
  let written = 0;
  let references = 0;
  let reference = 0;
  for (const width of widths.values()) {
    written += width;
    references += varintWidth(++reference, 0);
  }
  const entry = tag * widths.size + written;
  const uses = Math.floor(entry / (written - references)) + 1;
  return `a text of ${(written / widths.size).toFixed(1)} bytes with its length pays from use ${uses} on`;
}

/** For one field: Σ (text − reference) − Σ table entries. A text of ten bytes saves bytes from the second use on. */
function savedByTable({ lists }: FieldUse, tag: number): number {
  const references = new Map<string, number>([['', 0]]);
  let saved = 0;
  for (const values of lists) {
    for (const value of values) {
      const text = value as Uint8Array;
      const key = latin1(text, 0, text.length);
      const written = varintWidth(text.length, 0) + text.length;
      let reference = references.get(key);
      if (reference === undefined) {
        reference = references.size;
        references.set(key, reference);
        saved -= tag + written;
      }
      saved += written - varintWidth(reference, 0);
    }
  }
  return saved;
}

export const otherSchemas: Propose = ({ root, forms }) =>
  root !== REMOTE_WRITE_1 || forms.get(REMOTE_WRITE_2) === undefined
    ? []
    : [
        {
          title: 'Send it as remote write 2.0',
          changes: [
            {
              change: 'other schema',
              from: REMOTE_WRITE_1,
              to: REMOTE_WRITE_2,
              how: 'symbols by first use after "", labels_refs packed pairs, samples, histograms, exemplars as they are, no metadata message',
            },
          ],
        },
      ];
