/**
 * Assigns the errors of schema files to the types whose messages they may change. An error in a message that a type
 * never refers to has no effect on it. An error outside of every declaration may affect any declaration of its file.
 */
import type { Diagnostic } from '../model/diagnostic.ts';
import { fieldsOf, type MessageDescriptor, type Registry } from './descriptor.ts';
import { definitionsIn, type SchemaSymbols } from './symbols.ts';

export interface SchemaFaults {
  /** Types whose messages may be read differently because of an error. */
  readonly touched: () => ReadonlySet<MessageDescriptor>;
  /** The errors that a type is touched by. */
  readonly of: (type: MessageDescriptor) => readonly Diagnostic[];
}

/**
 * Codes of findings that repeat others: a missing file is reported again at each name that cannot be resolved without
 * it.
 */
const TOLD_AGAIN: ReadonlySet<string> = new Set(['schema/missing-import']);

/** Each error is assigned to its declaration once, and all touched types are found at once: there may be thousands. */
export function faultsIn(
  { messages }: Pick<Registry, 'messages'>,
  findings: readonly Diagnostic[],
  symbols: SchemaSymbols,
): SchemaFaults {
  const errors = findings.filter(({ severity, code }) => severity === 'error' && !TOLD_AGAIN.has(code));
  if (errors.length === 0) return { touched: () => new Set(), of: () => [] };
  const byPart = errorsByPart(errors, symbols);
  let touched: ReadonlySet<MessageDescriptor> | undefined;
  return {
    touched: () =>
      (touched ??= leadingTo([...messages.values()], (message) => partsOf(message).some((part) => byPart.has(part)))),
    of(type) {
      const found = new Set<Diagnostic>();
      const reached = new Set([type]);
      for (const message of reached) {
        for (const part of partsOf(message)) for (const error of byPart.get(part) ?? []) found.add(error);
        for (const held of heldBy(message)) reached.add(held);
      }
      return errors.filter((error) => found.has(error));
    },
  };
}

/** A declaration in a file, or what is outside of every declaration. */
const partOf = (file: string, name = ''): string => `${file}\0${name}`;
/** Errors of no file. */
const ANYWHERE = partOf('');

/**
 * Kinds of declarations that errors are assigned to. The last declaration that contains an offset is the innermost.
 */
const SCOPES: ReadonlySet<string> = new Set(['message', 'enum', 'service']);

function errorsByPart(
  errors: readonly Diagnostic[],
  symbols: SchemaSymbols,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const scopes = new Map<string, ReturnType<typeof definitionsIn>>();
  const scopesOf = (file: string) => {
    const known = scopes.get(file) ?? definitionsIn(symbols, file).filter(({ kind }) => SCOPES.has(kind));
    scopes.set(file, known);
    return known;
  };
  const byPart = new Map<string, Diagnostic[]>();
  for (const error of errors) {
    const { file, start } = error;
    const isAround = ({ extent }: ReturnType<typeof scopesOf>[number]) => extent.start <= start && start < extent.end;
    const part = file === undefined ? ANYWHERE : partOf(file, scopesOf(file).findLast(isAround)?.fullName);
    byPart.set(part, [...(byPart.get(part) ?? []), error]);
  }
  return byPart;
}

/** The declarations that a message is read by, without those of the messages in it. */
function partsOf(message: MessageDescriptor): readonly string[] {
  const members = fieldsOf(message);
  return [
    ANYWHERE,
    partOf(message.file),
    partOf(message.file, message.fullName),
    ...members.map(({ file }) => partOf(file)),
    ...members.flatMap(({ enum: of }) => (of === undefined ? [] : [partOf(of.file), partOf(of.file, of.fullName)])),
  ];
}

const heldBy = (message: MessageDescriptor): readonly MessageDescriptor[] =>
  fieldsOf(message).flatMap(({ message: held, content }) => [held, content].filter((one) => one !== undefined));

/** The messages that are faulty, and those whose fields lead to one that is. */
function leadingTo(
  messages: readonly MessageDescriptor[],
  isFaulty: (message: MessageDescriptor) => boolean,
): ReadonlySet<MessageDescriptor> {
  const holders = new Map<MessageDescriptor, MessageDescriptor[]>();
  const all = new Set(messages);
  for (const message of all) {
    for (const held of heldBy(message)) {
      all.add(held);
      const known = holders.get(held);
      if (known === undefined) holders.set(held, [message]);
      else known.push(message);
    }
  }
  const found = new Set([...all].filter(isFaulty));
  for (const message of found) for (const holder of holders.get(message) ?? []) found.add(holder);
  return found;
}
