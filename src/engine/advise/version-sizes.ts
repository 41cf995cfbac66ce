/** Messages of one type, written in two versions of a schema → what they, and each of their fields, take in both. */
import { bytesIn, type Profile } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import type { Registry } from '../schema/descriptor.ts';
import { ANY } from '../schema/names.ts';
import { SchemaCarrier } from './between-schemas.ts';
import { FieldEncodings } from './forms.ts';
import { readTree } from './read-tree.ts';
import { writeTree } from './write-tree.ts';

const HELD = `${ANY}.[`;

export interface VersionSizes {
  /** Full name of the messages' type, in the first version. */
  readonly type: string;
  /** Messages that were written in both versions, and those that are not complete messages of the type. */
  readonly messages: number;
  readonly unread: number;
  /** Bytes of all messages, written by the one writer in each version. */
  readonly before: number;
  readonly after: number;
  /** The fields that occur in the first version. */
  readonly fields: readonly FieldSizes[];
  /** Fields with a value that the second version does not hold: `a.B.field`. */
  readonly lost: readonly string[];
  /** Bytes of their values that are not held, in the first version. */
  readonly lostBytes: number;
}

export interface FieldSizes {
  /** Full name of the message, and the field's name, in the first version. */
  readonly message: string;
  readonly field: string;
  /** Its bytes at all places of the message, with all that is nested in it; what it became has the bytes after. */
  readonly before: number;
  readonly after: number;
}

export class VersionMeter {
  readonly #type: string;
  readonly #moved: string;
  readonly #was: FieldEncodings;
  readonly #is: FieldEncodings;
  readonly #carrier: SchemaCarrier;
  readonly #before: Ledgers;
  readonly #after: Ledgers;
  readonly #lost = new Set<string>();
  /** `a.B.field` in both versions. */
  readonly #pairs = new Map<string, string>();
  #messages = 0;
  #unread = 0;
  #bytes = { before: 0, after: 0, lostBytes: 0 };

  /** null: one of the versions does not have the type. @param type full name @param moved its name in the second */
  static open(before: Registry, after: Registry, type: string, moved = type): VersionMeter | null {
    return before.messages.has(type) && after.messages.has(moved) ? new VersionMeter(before, after, type, moved) : null;
  }

  constructor(before: Registry, after: Registry, type: string, moved: string) {
    this.#type = type;
    this.#moved = moved;
    this.#was = new FieldEncodings(before);
    this.#is = new FieldEncodings(after);
    this.#carrier = new SchemaCarrier(this.#was, this.#is);
    this.#before = new Ledgers(before.messages.get(type), null);
    this.#after = new Ledgers(after.messages.get(moved), null);
  }

  /** @param message protobuf */
  add(message: Uint8Array): void {
    const tree = readTree(message, this.#was, this.#type);
    if (tree === undefined) {
      this.#unread++;
      return;
    }
    const carried = this.#carrier.carry(tree, this.#moved);
    for (const name of carried.lost) this.#lost.add(name);
    for (const [name, { after }] of carried.pairs) this.#pairs.set(name, after);
    const [before, after] = [writeTree(tree, this.#was).bytes, writeTree(carried.tree, this.#is).bytes];
    this.#before.add(before);
    this.#after.add(after);
    this.#messages++;
    this.#bytes.before += before.length;
    this.#bytes.after += after.length;
    if (carried.kept !== tree) this.#bytes.lostBytes += before.length - writeTree(carried.kept, this.#was).bytes.length;
  }

  sizes(): VersionSizes {
    const after = sizesByField(this.#after.profile());
    const fields = [...sizesByField(this.#before.profile())].map(([name, { message, field, bytes }]) => ({
      message,
      field,
      before: bytes,
      // The message in an Any is a field of its own in a profile.
      after: after.get(name.startsWith(HELD) ? name : (this.#pairs.get(name) ?? ''))?.bytes ?? 0,
    }));
    const [type, messages, unread] = [this.#type, this.#messages, this.#unread];
    return { type, messages, unread, ...this.#bytes, fields, lost: [...this.#lost] };
  }
}

/** By `a.B.field`. A field inside of itself is part of the outermost one. */
function sizesByField({ type, fields }: Profile) {
  const below = new Map<string, number>();
  for (const { path, parent, ledgers } of fields.toReversed()) {
    const bytes = bytesIn({ ledgers }, 'protobuf') + (below.get(path) ?? 0);
    below.set(path, bytes);
    below.set(parent, bytes + (below.get(parent) ?? 0));
  }
  const types = new Map<string, string>([['', type]]);
  const around = new Map<string, ReadonlySet<string>>([['', new Set()]]);
  const sizes = new Map<string, { readonly message: string; readonly field: string; readonly bytes: number }>();
  for (const { path, parent, name: field, declared, occurrences } of fields) {
    const [message, outer] = [types.get(parent) ?? '', around.get(parent)!];
    const name = `${message}.${field}`;
    types.set(path, declared?.type ?? '');
    around.set(path, new Set([...outer, name]));
    if (declared === null || occurrences === 0 || outer.has(name)) continue;
    sizes.set(name, { message, field, bytes: below.get(path)! + (sizes.get(name)?.bytes ?? 0) });
  }
  return sizes;
}
