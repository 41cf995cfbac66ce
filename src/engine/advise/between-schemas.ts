/**
 * Converts messages between versions of a schema. Fields and enum values are matched by name, and the remaining ones by
 * number. Every value that the other version can hold is kept:
 *
 *   the last value of a list that is singular · of a new oneof the last field · the last entry of a key of a new map
 */
import type { EnumDescriptor } from '../schema/descriptor.ts';
import { ANY } from '../schema/names.ts';
import { plainMapping } from './conversions/plain.ts';
import type { FieldEncodings, FieldForm } from './forms.ts';
import { openAny } from './read-tree.ts';
import { lastOfKeys, TreeNode, type TreeValue } from './value-tree.ts';
import { writeTree } from './write-tree.ts';

export interface ConvertedMessage {
  readonly tree: TreeNode;
  /** The message in its own schema, without the values that the other version does not hold. */
  readonly kept: TreeNode;
  /** Fields with a value that the other version does not hold: `a.B.field`. */
  readonly lost: ReadonlySet<string>;
  /** Fields with a value, `a.B.field`, and the field that each became. */
  readonly pairs: ReadonlyMap<string, SchemaPair>;
}

export interface SchemaPair {
  readonly after: string;
  readonly by: 'name' | 'number';
}

/** A field that has a value in the second version where the first leaves it out. */
interface MovedDefault {
  readonly absent: string;
  readonly name: string;
  readonly value: TreeValue;
}

interface Carried {
  readonly value: TreeValue;
  /** In the first version. */
  readonly from: TreeValue;
}

type EnumMapping = (number: number) => number | undefined;

export class SchemaCarrier {
  readonly #before: FieldEncodings;
  readonly #after: FieldEncodings;
  /** By the full names of both enums. */
  readonly #enums = new Map<string, EnumMapping>();
  /** By the full names of both messages. */
  readonly #moved = new Map<string, readonly MovedDefault[]>();

  constructor(before: FieldEncodings, after: FieldEncodings) {
    this.#before = before;
    this.#after = after;
  }

  carry(tree: TreeNode, type: string): ConvertedMessage {
    const lost = new Set<string>();
    const pairs = new Map<string, SchemaPair>();
    /** Copies of the nodes that lose a value. */
    const copies = new Map<TreeValue, TreeNode>();
    const keptOf = (value: TreeValue): TreeValue => copies.get(value) ?? value;
    const carry = (node: TreeNode, to: string): TreeNode => {
      const copiesBefore = copies.size;
      let isWhole = true;
      const lose = (name: string): void => {
        lost.add(`${node.type}.${name}`);
        isWhole = false;
      };
      const fields = new Map<string, TreeValue[]>();
      const kept = new Map<string, TreeValue[]>();
      /** Fields of both versions, by the oneof of the second. */
      const chosen = new Map<string, readonly [string, string]>();
      for (const [name, values] of node.fields) {
        const old = this.#before.field(node.type, name)!;
        const field = this.#pairOf(old, node.type, to);
        const carried = field && carryValues(values, old, field, to);
        if (carried === undefined || carried.length < values.length) lose(name);
        if (field === undefined || carried === undefined || carried.length === 0) continue;
        const rival = field.oneof === undefined ? undefined : chosen.get(field.oneof);
        if (rival !== undefined) {
          lose(rival[0]);
          fields.delete(rival[1]);
          kept.delete(rival[0]);
        }
        if (field.oneof !== undefined) chosen.set(field.oneof, [name, field.name]);
        fields.set(
          field.name,
          carried.map(({ value }) => value),
        );
        kept.set(
          name,
          carried.map(({ from }) => keptOf(from)),
        );
        pairs.set(`${node.type}.${name}`, {
          after: `${to}.${field.name}`,
          by: field.name === name ? 'name' : 'number',
        });
      }
      for (const { absent, name, value } of this.#movedDefaults(node.type, to)) {
        if (!node.fields.has(absent)) fields.set(name, [value]);
      }
      const carried = new TreeNode(to, fields, node.unknown);
      if (to === ANY && this.#after.readsAny) openAny(carried, this.#after);
      if (!isWhole || copies.size > copiesBefore) copies.set(node, new TreeNode(node.type, kept, node.unknown));
      return carried;
    };
    const carryValues = (values: readonly TreeValue[], old: FieldForm, field: FieldForm, to: string): Carried[] => {
      const carried = values.flatMap((from): Carried[] => {
        const value = carryValue(from, old, field, to);
        return value === undefined ? [] : [{ value, from }];
      });
      if (field.cardinality === 'singular') return carried.slice(-1);
      if (field.cardinality !== 'map' || old.cardinality === 'map') return carried;
      const from = new Map(carried.map((one) => [one.value, one.from]));
      return lastOfKeys([...from.keys()] as TreeNode[]).map((value) => ({ value, from: from.get(value)! }));
    };
    const carryValue = (value: TreeValue, old: FieldForm, field: FieldForm, to: string): TreeValue | undefined => {
      if (!(value instanceof TreeNode)) return this.#carryScalar(value, old, field);
      if (old.type === 'bytes') return field.type === 'bytes' ? carryHeld(value, to) : undefined;
      return isMessage(field) ? carry(value, field.typeName!) : undefined;
    };
    /** The message in an Any is bytes where the other version does not have its type. */
    const carryHeld = (held: TreeNode, to: string): TreeValue =>
      to === ANY && this.#after.get(held.type) !== undefined
        ? carry(held, held.type)
        : writeTree(held, this.#before).bytes;
    const carried = carry(tree, type);
    return { tree: carried, kept: copies.get(tree) ?? tree, lost, pairs };
  }

  /** Fields with the same number are only matched if the new name does not exist in the old version. */
  #pairOf({ name, number }: FieldForm, type: string, to: string): FieldForm | undefined {
    const is = this.#after.get(to)!;
    const same = is.byNumber.get(number);
    const isNew = same !== undefined && this.#before.field(type, same.name) === undefined;
    return is.byName.get(name) ?? (isNew ? same : undefined);
  }

  #carryScalar(value: TreeValue, old: FieldForm, field: FieldForm): TreeValue | undefined {
    if (old.type === 'enum' && field.type === 'enum') {
      const number = this.#enumMapping(old.typeName!, field.typeName!)(value as number);
      return number !== undefined && this.#after.lists(field, number) ? number : undefined;
    }
    if (old.type === field.type) return value;
    const mapped = plainMapping(old.type, field.type)?.to(value);
    return mapped !== undefined && this.#after.lists(field, mapped as number) ? mapped : undefined;
  }

  #enumMapping(before: string, after: string): EnumMapping {
    const key = `${before} ${after}`;
    const known = this.#enums.get(key);
    if (known !== undefined) return known;
    const [was, is] = [this.#before.registry.enums.get(before), this.#after.registry.enums.get(after)];
    const mapping: EnumMapping = was === undefined || is === undefined ? (number) => number : enumMapping(was, is);
    this.#enums.set(key, mapping);
    return mapping;
  }

  /** The values of absent fields that are not the default of the other version: an enum's value 0 may have moved. */
  #movedDefaults(type: string, to: string): readonly MovedDefault[] {
    const key = `${type} ${to}`;
    const known = this.#moved.get(key);
    if (known !== undefined) return known;
    const moved = this.#before.get(type)!.fields.flatMap((old): readonly MovedDefault[] => {
      if (old.type !== 'enum' || old.presence !== 'implicit') return [];
      const field = this.#pairOf(old, type, to);
      if (field?.type !== 'enum' || field.cardinality !== 'singular' || field.oneof !== undefined) return [];
      const value = this.#carryScalar(0, old, field);
      return value === undefined || value === 0 ? [] : [{ absent: old.name, name: field.name, value }];
    });
    this.#moved.set(key, moved);
    return moved;
  }
}

const isMessage = ({ type, typeName }: FieldForm): boolean => typeName !== undefined && type !== 'enum';

/** undefined: the number has only the name of another value. */
function enumMapping(was: EnumDescriptor, is: EnumDescriptor): EnumMapping {
  const numbers = new Map(is.values.map(({ name, number }) => [name, number]));
  const oldNames = new Set(was.values.map(({ name }) => name));
  const byName = new Map<number, number>();
  for (const { name, number } of was.values) {
    const now = numbers.get(name);
    if (now !== undefined && !byName.has(number)) byName.set(number, now);
  }
  const others = new Set(is.values.filter(({ name }) => oldNames.has(name)).map(({ number }) => number));
  return (number) => byName.get(number) ?? (others.has(number) ? undefined : number);
}
