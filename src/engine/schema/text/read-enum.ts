/** An enum's statement → its declaration. */
import type { EnumDeclaration, EnumValueDeclaration, RangeDeclaration, RawOption } from '../declaration.ts';
import { TextEnum } from './declared.ts';
import {
  commentOf,
  type FileReading,
  fault,
  type ReadStatement,
  readHead,
  readOptionStatement,
  readReserved,
  splitOptions,
} from './reading.ts';
import { integerLiteral, isInteger } from './statement-parser.ts';
import type { Statement } from './statements.ts';
import { spanOf } from './tokens.ts';

export function readEnum(reading: FileReading, statement: Statement, attempt: ReadStatement): EnumDeclaration {
  const { tokens } = reading;
  const { name, span, visibility } = readHead(reading, statement, 'enum');
  const values: EnumValueDeclaration[] = [];
  const options: RawOption[] = [];
  const reservedRanges: RangeDeclaration[] = [];
  const reservedNames: string[] = [];
  for (const inner of statement.block!) {
    attempt(inner, () => {
      const first = tokens.at(inner.from)!;
      if (inner.block !== undefined) throw fault(tokens.at(inner.to)!, 'schema/syntax', 'A block is not allowed here.');
      if (inner.from === inner.to) return;
      if (first.text === 'option') {
        options.push(readOptionStatement(reading, inner));
        return;
      }
      if (first.text === 'reserved') {
        const read = readReserved(reading, inner, 'enum');
        for (const [start, end] of read.ranges) reservedRanges.push({ start, end, span: spanOf(inner) });
        reservedNames.push(...read.names);
        return;
      }
      const split = splitOptions(reading, inner);
      const last = split.head.at(-1)!;
      if (first.kind !== 'word' || !tokens.isSymbol(inner.from + 1, '=')) {
        throw fault(first, 'schema/syntax', 'Expected the name of a value, "=" and a number.');
      }
      if (last.kind !== 'number' || !isInteger(last.text)) {
        throw fault(last, 'schema/syntax', `"${first.text}" needs a whole number.`);
      }
      const isNegative = split.head[2]!.text === '-';
      const extra = split.head[isNegative ? 4 : 3];
      if (extra !== undefined) throw fault(extra, 'schema/syntax', `Expected ";" after the number of "${first.text}".`);
      const number = integerLiteral(last.text) * (isNegative ? -1 : 1);
      values.push({
        name: first.text,
        span: spanOf(first),
        extent: spanOf(inner),
        number,
        numberSpan: { start: split.head[2]!.start, end: last.end },
        options: split.options,
        comment: commentOf(reading, inner),
      });
    });
  }
  const comment = commentOf(reading, statement);
  const body = { values: values.slice(), reservedRanges, reservedNames, isDamaged: false };
  return new TextEnum({ name, span, visibility }, spanOf(statement), options, comment, body);
}
