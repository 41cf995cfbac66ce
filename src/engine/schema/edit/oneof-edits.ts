/** Edits of a text that move fields into or out of a oneof. Fields that stay keep their lines. */
import type { FieldDescriptor } from '../descriptor.ts';
import { definitionOf, type SchemaSymbols } from '../symbols.ts';
import { type Span, type Token, tokenize } from '../text/tokens.ts';
import { applyTextEdits, indentAt, type TextEdit, UnwritableEdit } from './text-edit.ts';

export interface MovedField {
  readonly field: FieldDescriptor;
  /** The span of its declaration, including the semicolon. */
  readonly extent: Span;
  /** Name of the new oneof; null: no oneof. */
  readonly to: string | null;
  /** Other edits of its declaration. */
  readonly edits: readonly TextEdit[];
}

/** Fields that become a new oneof, or fields that leave theirs. */
interface Block {
  /** null: the fields are in no oneof. */
  readonly name: string | null;
  readonly lines: string[];
}

export function oneofEdits(text: string, symbols: SchemaSymbols, moved: readonly MovedField[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const extentOf = (oneof: string): Span | undefined =>
    definitionOf(symbols, { kind: 'oneof', fullName: oneof })?.extent;
  const made = new Map<string, Block>();
  /** Blocks that are inserted after a oneof, by its full name. */
  const behind = new Map<string, Block[]>();
  const leaving = new Map<string, MovedField[]>();
  for (const one of moved) {
    const from = one.field.oneof?.fullName;
    if (from !== undefined) leaving.set(from, [...(leaving.get(from) ?? []), one]);
  }
  const targetOf = ({ field, to }: MovedField): string => `${field.parent.fullName}.${to}`;
  const isEmptied = (oneof: string): boolean => {
    const some = leaving.get(oneof)!;
    return some.length === some[0]!.field.oneof!.fields.length && !moved.some((one) => targetOf(one) === oneof);
  };
  /** Whether all fields of the oneof stay in place, and only the oneof around them is removed. */
  const isUnwrapped = (oneof: string): boolean =>
    isEmptied(oneof) && leaving.get(oneof)!.every(({ to }) => to === null);

  for (const one of moved) {
    const { field, extent, to } = one;
    const from = field.oneof?.fullName;
    if (from !== undefined && isUnwrapped(from)) {
      edits.push(...one.edits);
      continue;
    }
    const home = to === null ? undefined : extentOf(targetOf(one));
    const block = made.get(targetOf(one));
    if (from === undefined && home === undefined && block === undefined) {
      const head = `oneof ${to} {${newline}${indentAt(text, extent.start)}  `;
      edits.push({ start: extent.start, end: extent.start, text: head }, ...one.edits);
      made.set(targetOf(one), { name: to, lines: [] });
      continue;
    }
    const line = applyTextEdits(
      text.slice(0, extent.end),
      one.edits.toSorted((a, b) => a.start - b.start),
    ).slice(extent.start);
    if (from === undefined || !isEmptied(from)) edits.push(withLine(text, extent));
    if (block !== undefined) block.lines.push(line);
    else if (home !== undefined) {
      const close = home.end - 1;
      edits.push({ start: close, end: close, text: `  ${line}${newline}${indentAt(text, close)}` });
    } else {
      const own = { name: to, lines: [line] };
      if (to !== null) made.set(targetOf(one), own);
      behind.set(from!, [...(behind.get(from!) ?? []), own]);
    }
  }
  for (const one of moved) {
    const block = one.field.oneof === undefined && one.to !== null ? made.get(targetOf(one)) : undefined;
    const isFirst = moved.find((other) => targetOf(other) === targetOf(one)) === one;
    if (block === undefined || !isFirst || extentOf(targetOf(one)) !== undefined) continue;
    const indent = indentAt(text, one.extent.start);
    const lines = [...block.lines.map((line) => `${indent}  ${line}`), `${indent}}`];
    edits.push({ start: one.extent.end, end: one.extent.end, text: newline + lines.join(newline) });
  }
  for (const oneof of leaving.keys()) {
    if (isUnwrapped(oneof)) {
      edits.push(...unwrapped(text, extentOf(oneof), oneof));
      continue;
    }
    const extent = extentOf(oneof)!;
    const indent = indentAt(text, extent.start);
    const texts = (behind.get(oneof) ?? []).map(({ name, lines }) =>
      name === null
        ? lines.join('')
        : [`oneof ${name} {`, ...lines.map((line) => `${indent}  ${line}`), `${indent}}`].join(newline),
    );
    if (isEmptied(oneof)) {
      edits.push(texts.length === 0 ? withLine(text, extent) : { ...extent, text: texts.join(newline + indent) });
    } else if (texts.length > 0) {
      edits.push({ start: extent.end, end: extent.end, text: texts.map((one) => newline + indent + one).join('') });
    }
  }
  return edits;
}

/** Removes the declaration of a oneof around its fields. */
function unwrapped(text: string, extent: Span | undefined, oneof: string): readonly TextEdit[] {
  const start = extent?.start ?? 0;
  const tokens = [...tokenize(text.slice(start, extent?.end ?? 0)).tokens];
  if (tokens.length < 5 || tokens.some(({ text: word, kind }) => word === 'option' && kind === 'word')) {
    throw new UnwritableEdit(`${oneof} has options of its own`);
  }
  const [first, , open] = tokens as [Token, Token, Token];
  const close = start + tokens.at(-1)!.start;
  const behind = /^\s*/.exec(text.slice(start + open.end))![0].length;
  const before = /\s*$/.exec(text.slice(0, close))![0].length;
  return [
    { start: start + first.start, end: start + open.end + behind, text: '' },
    { start: close - before, end: close + 1, text: '' },
  ];
}

/** Cuts a span, with its line if nothing else is on it. */
function withLine(text: string, { start, end }: Span): TextEdit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end));
  const isAlone = rest !== null && text.slice(lineStart, start).trim() === '';
  return isAlone ? { start: lineStart, end: end + rest[0].length, text: '' } : { start, end, text: '' };
}
