/** A service's statement → its declaration. */
import type { MethodDeclaration, RawOption, ServiceDeclaration } from '../declaration.ts';
import {
  commentOf,
  type FileReading,
  fault,
  headCursor,
  type ReadStatement,
  readHead,
  readOptionStatement,
} from './reading.ts';
import { parseMethod } from './statement-parser.ts';
import type { Statement } from './statements.ts';
import { type Span, spanOf } from './tokens.ts';

export function readService(reading: FileReading, statement: Statement, attempt: ReadStatement): ServiceDeclaration {
  const head = readHead(reading, statement, 'service');
  const methods: MethodDeclaration[] = [];
  const options: RawOption[] = [];
  for (const inner of statement.block!) {
    attempt(inner, () => {
      if (inner.from === inner.to && inner.block === undefined) return;
      const first = reading.tokens.at(inner.from)!;
      if (first.text === 'option') options.push(readOptionStatement(reading, inner));
      else methods.push(readMethod(reading, inner, attempt));
    });
  }
  const { name, span } = head;
  const body = { methods, isDamaged: false };
  const comment = commentOf(reading, statement);
  return { name, span, extent: spanOf(statement), body: () => body, options, comment };
}

function readMethod(reading: FileReading, statement: Statement, attempt: ReadStatement): MethodDeclaration {
  const { tokens } = reading;
  const head = tokens.slice(statement.from, statement.to);
  const name = head[1];
  if (head[0]?.text !== 'rpc' || name?.kind !== 'word') {
    throw fault(head[0] ?? statement, 'schema/syntax', 'Expected "rpc" and the name of a method.');
  }
  const parsed = parseMethod(headCursor(reading, statement, head));
  const options: RawOption[] = [];
  for (const inner of statement.block ?? []) {
    attempt(inner, () => {
      const first = tokens.at(inner.from)!;
      if (inner.from === inner.to && inner.block === undefined) return;
      if (first.text !== 'option') throw fault(first, 'schema/syntax', 'The block of a method holds options only.');
      options.push(readOptionStatement(reading, inner));
    });
  }
  const opens = head.flatMap((token, index) => (token.text === '(' ? [index] : []));
  const closes = head.flatMap((token, index) => (token.text === ')' ? [index] : []));
  const typeSpan = (which: number): Span => {
    const open = opens[which] ?? 0;
    const from = open + (head[open + 1]?.text === 'stream' ? 2 : 1);
    return { start: (head[from] ?? name).start, end: (head[(closes[which] ?? 1) - 1] ?? name).end };
  };
  return {
    name: name.text,
    span: spanOf(name),
    extent: spanOf(statement),
    input: parsed.input,
    output: parsed.output,
    clientStreaming: parsed.clientStreaming,
    serverStreaming: parsed.serverStreaming,
    inputSpan: typeSpan(0),
    outputSpan: typeSpan(1),
    options,
    comment: commentOf(reading, statement),
  };
}
