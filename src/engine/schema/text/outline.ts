/**
 * The type names in a text without faults, from its statements; the contents of types are read on demand, as those of
 * a descriptor set.
 */
import type {
  EnumDeclaration,
  MessageDeclaration,
  Outline,
  ServiceDeclaration,
  TypeVisitor,
  WaitingDeclaration,
} from '../declaration.ts';
import { qualify } from '../link/scope.ts';
import { mapEntryName } from '../names.ts';
import { readEnum } from './read-enum.ts';
import { readMessage } from './read-message.ts';
import { readService } from './read-service.ts';
import type { FileReading, ReadStatement } from './reading.ts';
import type { Statement } from './statements.ts';

/** The text has no faults: one that is thrown is a bug of the caller. */
const readAtOnce: ReadStatement = (_, read) => read();

class OutlinedText implements WaitingDeclaration {
  readonly kind: WaitingDeclaration['kind'];
  readonly statement: Statement;
  readonly #reading: FileReading;

  constructor(kind: WaitingDeclaration['kind'], statement: Statement, reading: FileReading) {
    this.kind = kind;
    this.statement = statement;
    this.#reading = reading;
  }

  readMessage(): MessageDeclaration {
    return readMessage(this.#reading, this.statement, readAtOnce);
  }

  readEnum(): EnumDeclaration {
    return readEnum(this.#reading, this.statement, readAtOnce);
  }

  readService(): ServiceDeclaration {
    return readService(this.#reading, this.statement, readAtOnce);
  }
}

export class TextOutline implements Outline {
  readonly isSound = true;
  readonly #reading: FileReading;
  readonly #waiting: OutlinedText[] = [];

  constructor(reading: FileReading) {
    this.#reading = reading;
  }

  add(kind: WaitingDeclaration['kind'], statement: Statement): void {
    this.#waiting.push(new OutlinedText(kind, statement, this.#reading));
  }

  visit(packageName: string, visitor: TypeVisitor): boolean {
    for (const waiting of this.#waiting) {
      const { kind, statement } = waiting;
      const fullName = qualify(packageName, this.#nameOf(statement));
      if (visitor.name(fullName, kind, waiting) && kind === 'message')
        this.#visitBlock(statement, fullName, waiting, visitor);
    }
    return true;
  }

  /** The name in `message Name`, `local enum Name`. */
  #nameOf({ from }: Statement): string {
    const { tokens } = this.#reading;
    return tokens.at(tokens.is(from, 'export') || tokens.is(from, 'local') ? from + 2 : from + 1)!.text;
  }

  /** @param scope full name of the message that the statements of the block belong to */
  #visitBlock({ block = [] }: Statement, scope: string, outermost: OutlinedText, visitor: TypeVisitor): void {
    const { tokens } = this.#reading;
    const enter = (name: string, kind: WaitingDeclaration['kind'], inner: Statement): void => {
      const fullName = qualify(scope, name);
      if (visitor.name(fullName, kind, outermost) && kind === 'message')
        this.#visitBlock(inner, fullName, outermost, visitor);
    };
    // As in the linker, entries of maps come last.
    const entries: (() => void)[] = [];
    for (const inner of block) {
      const { from, to } = inner;
      const hasVisibility = tokens.is(from, 'export') || tokens.is(from, 'local');
      const keyword = hasVisibility ? from + 1 : from;
      if (inner.block === undefined) {
        if (!tokens.is(from, 'map') || !tokens.isSymbol(from + 1, '<')) continue;
        let at = from;
        while (at < to && !tokens.isSymbol(at, '=')) at++;
        const entry = mapEntryName(tokens.at(at - 1)!.text);
        entries.push(() => enter(entry, 'message', inner));
      } else if (tokens.is(keyword, 'message') || tokens.is(keyword, 'enum')) {
        enter(this.#nameOf(inner), tokens.is(keyword, 'enum') ? 'enum' : 'message', inner);
      } else if (tokens.is(from, 'extend') || tokens.is(from, 'oneof')) {
        if (tokens.is(from, 'extend')) visitor.extensions(outermost);
        this.#visitBlock(inner, scope, outermost, visitor);
      } else {
        let at = from;
        while (at < to && !tokens.is(at, 'group')) at++;
        enter(tokens.at(at + 1)!.text, 'message', inner);
      }
    }
    for (const addEntry of entries) addEntry();
  }
}
