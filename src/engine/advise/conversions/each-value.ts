import { ImpossibleChange, type TypeChange } from '../change.ts';
import { nodesOfType } from '../changes/target.ts';
import { isUnwritten } from '../value-tree.ts';
import type { Mapping, ValueMapping } from './conversion.ts';

/** Converts each value of one field by itself. */
export function eachValue(
  { message, field, to: type }: Pick<TypeChange, 'message' | 'field' | 'to'>,
  { to, back }: ValueMapping,
  compatibility?: Mapping['compatibility'],
): Mapping {
  return {
    forward(tree, { before, after }) {
      const [was, is] = [before.field(message, field), after.field(message, field)];
      const isImplicit = is?.presence === 'implicit';
      for (const node of nodesOfType(tree, message)) {
        const values = node.fields.get(field);
        if (values === undefined) continue;
        node.fields.set(
          field,
          values.map((value) => {
            const mapped = to(value);
            // A default value of a field without presence is not written, so another value would be read back.
            const isLost = mapped !== undefined && isImplicit && isUnwritten(mapped, is!) !== isUnwritten(value, was!);
            if (mapped === undefined || isLost)
              throw new ImpossibleChange(`${message}.${field} has a value that ${type} cannot hold`);
            return mapped;
          }),
        );
      }
    },
    backward(tree) {
      for (const node of nodesOfType(tree, message)) {
        const values = node.fields.get(field);
        if (values !== undefined) node.fields.set(field, values.map(back));
      }
    },
    ...(compatibility === undefined ? {} : { compatibility }),
  };
}
