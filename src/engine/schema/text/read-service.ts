/** A service's statement → its declaration. */
import type { MethodDeclaration, RawOption, ServiceDeclaration } from '../declaration.ts';
import { commentOf, type FileReading, fault, type ReadStatement, readHead, readOptionStatement } from './reading.ts';
import { parseMethod } from './statement-parser.ts';
import type { Statement } from './statements.ts';
import type { Span } from './tokens.ts';

export function readService(reading: FileReading, statement: Statement, attempt: ReadStatement): ServiceDeclaration {
  const head = readHead(reading, statement, 'service');
  const methods: MethodDeclaration[] = [];
  const options: RawOption[] = [];
  for (const inner of statement.block!) {
    attempt(inner, () => {
      if (inner.from === inner.to && inner.block === undefined) return;
      const first = reading.tokens[inner.from]!;
      if (first.text === 'option') options.push(readOptionStatement(reading, inner));
      else methods.push(readMethod(reading, inner, attempt));
    });
  }
  const { name, span } = head;
  const body = { methods, isDamaged: false };
  return { name, span, extent: statement, body: () => body, options, comment: commentOf(reading, statement) };
}

function readMethod(reading: FileReading, statement: Statement, attempt: ReadStatement): MethodDeclaration {
  const { tokens } = reading;
  const head = tokens.slice(statement.from, statement.to);
  const name = head[1];
  if (head[0]?.text !== 'rpc' || name?.kind !== 'word') {
    throw fault(head[0] ?? statement, 'schema/syntax', 'Expected "rpc" and the name of a method.');
  }
  const parsed = parseMethod(head);
  const options: RawOption[] = [];
  for (const inner of statement.block ?? []) {
    attempt(inner, () => {
      const first = tokens[inner.from]!;
      if (inner.from === inner.to && inner.block === undefined) return;
      if (first.text !== 'option') throw fault(first, 'schema/syntax', 'The block of a method holds options only.');
      options.push(readOptionStatement(reading, inner));
    });
  }
  const opens = head.flatMap((token, index) => (token.text === '(' ? [index] : []));
  const closes = head.flatMap((token, index) => (token.text === ')' ? [index] : []));
  const spanOf = (which: number): Span => {
    const open = opens[which] ?? 0;
    const from = open + (head[open + 1]?.text === 'stream' ? 2 : 1);
    return { start: (head[from] ?? name).start, end: (head[(closes[which] ?? 1) - 1] ?? name).end };
  };
  return {
    name: name.text,
    span: name,
    extent: statement,
    ...parsed,
    inputSpan: spanOf(0),
    outputSpan: spanOf(1),
    options,
    comment: commentOf(reading, statement),
  };
}
