/**
 * Message types → the minimum bytes of one record of each of their fields: the cost of the declarations before any
 * message is read. A length prefix counts as one byte, a value as its shortest form, and the contents of a message as
 * nothing.
 */
import { extensionCost } from '../cost/schema-cost.ts';
import type { Registry } from '../schema/descriptor.ts';

export interface TypeCost {
  readonly fullName: string;
  readonly package: string;
  readonly fields: number;
  readonly tag: number;
  readonly length: number;
  readonly value: number;
  /** Bytes of end tags of groups. */
  readonly groupEnd: number;
}

/** For more types than this, no picture of all of them is drawn. */
export const MAX_TYPES = 4000;

/**
 * One step for each type. null: there are more than `MAX_TYPES`.
 * @param isOwn whether the types of a file are counted
 */
export function* typeCosts(
  { messages, files }: Registry,
  isOwn: (file: string) => boolean,
): Generator<undefined, readonly TypeCost[] | null> {
  const packages = new Map(files.map((file) => [file.path, file.package]));
  const own = [...messages.values()].filter(({ file }) => isOwn(file));
  if (own.length > MAX_TYPES) return null;
  const costs: TypeCost[] = [];
  for (const { fullName, file, fields } of own) {
    const sum = { tag: 0, length: 0, value: 0, groupEnd: 0 };
    for (const field of fields) {
      const { tagBytes, width, protobuf } = extensionCost(field);
      const length = width === 'length-prefixed' ? 1 : 0;
      const groupEnd = width === 'group' ? tagBytes : 0;
      sum.tag += tagBytes;
      sum.length += length;
      sum.groupEnd += groupEnd;
      sum.value += Math.max(0, protobuf.least - tagBytes - length - groupEnd);
    }
    costs.push({ fullName, package: packages.get(file) ?? '', fields: fields.length, ...sum });
    yield;
  }
  return costs;
}
