/** Two versions of a service: its methods by name. */
import type { MethodDescriptor, ServiceDescriptor } from '../descriptor.ts';
import { compareNative, comparePlain, type PlainRule } from './compare-fields.ts';
import { compareContents, type SameType } from './compare-types.ts';
import { changeOf, type MethodChange, reason, type SymbolChange, UNCOMPILED } from './symbol-change.ts';
import { compatibilityOf, type DifferenceReason, sidesOf } from './verdicts.ts';

const signature = ({ input, output, clientStreaming, serverStreaming }: MethodDescriptor): string =>
  `rpc (${clientStreaming ? 'stream ' : ''}${input.fullName}) returns (${serverStreaming ? 'stream ' : ''}${output.fullName})`;

const METHOD_OPTIONS: Readonly<Record<string, PlainRule>> = {
  idempotency_level: [
    'IDEMPOTENCY_UNKNOWN',
    'conditional',
    'Callers may retry a call, or send it as GET, that must not be.',
    'binary',
    'json',
  ],
};

export function compareServices(
  a: ServiceDescriptor,
  b: ServiceDescriptor,
  isSame: SameType,
): SymbolChange | undefined {
  const methods: MethodChange[] = [];
  const old = new Map(a.methods.map((method) => [method.name, method]));
  for (const method of b.methods) {
    const before = old.get(method.name);
    old.delete(method.name);
    const after = signature(method);
    if (before === undefined) {
      methods.push({
        kind: 'added',
        name: method.name,
        before: undefined,
        after,
        verdict: 'safe',
        sides: sidesOf([]),
        reasons: [],
      });
      continue;
    }
    const was = signature(before);
    const level: DifferenceReason[] = [];
    const add = (...found: Parameters<typeof reason>) => level.push(reason(...found));
    comparePlain(before.plain, method.plain, METHOD_OPTIONS, add);
    compareNative('Its', before, method, add);
    if (was === after && level.length === 0) continue;
    if (was === after) {
      const name = { kind: 'changed', name: method.name, before: was, after } as const;
      methods.push({ ...name, verdict: compatibilityOf(level), sides: sidesOf(level), reasons: level });
      continue;
    }
    const isStreamChanged =
      before.clientStreaming !== method.clientStreaming || before.serverStreaming !== method.serverStreaming;
    const found = isStreamChanged
      ? reason('unsafe', 'One message and a stream of messages are called differently.')
      : reason('conditional', 'Messages hold no type names; what the one writes, the other must be able to read.');
    for (const [old, now] of [
      [before.input, method.input],
      [before.output, method.output],
    ] as const) {
      if (!isSame(old, now)) compareContents(old, now, isSame, add);
    }
    const change = { kind: 'changed', name: method.name, before: was, after } as const;
    const all = [found, reason('unsafe', 'Code that calls or answers it no longer compiles.', 'source'), ...level];
    methods.push({ ...change, verdict: compatibilityOf(all), sides: sidesOf(all), reasons: all });
  }
  for (const method of old.values()) {
    const found = reason('unsafe', 'The method was removed: calls to it fail.');
    const change = { kind: 'removed', name: method.name, before: signature(method), after: undefined } as const;
    const all = [found, UNCOMPILED];
    methods.push({ ...change, verdict: compatibilityOf(all), sides: sidesOf(all), reasons: all });
  }
  return changeOf(a, b, [], { methods });
}
