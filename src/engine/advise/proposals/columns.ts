/** Proposals to write the records of a list as parallel lists. */
import { shortNameOf } from '../../schema/names.ts';
import type { Column } from '../change.ts';
import { canBeColumn } from '../changes/columns.ts';
import type { FieldUse, FieldValues } from '../uses.ts';
import { listed, namesOf, type Proposal, type Propose } from './proposal.ts';

export const columns: Propose = (uses) =>
  [...uses.fields].flatMap((use): readonly Proposal[] => {
    const found = columnsOf(use, uses);
    if (found.length === 0) return [];
    const { message, field } = use;
    const each = found.length === 1 ? found[0]!.of : `each of ${listed(found.map(({ of }) => of))}`;
    return [
      {
        title: `Write ${namesOf([use])} as columns, without ${shortNameOf(field.typeName!)}: a list for ${each}`,
        changes: [{ change: 'columns', message, field: field.name, columns: found }],
      },
    ];
  });

/** Empty: the field is not a list of such records. */
function columnsOf({ message, field }: FieldUse, uses: FieldValues): readonly Column[] {
  if (field.cardinality !== 'repeated' || field.typeName === undefined || field.name.startsWith('[')) return [];
  const form = uses.forms.get(message)!;
  const records = uses.forms.get(field.typeName);
  const fields = records?.fields.filter(({ name }) => uses.get(field.typeName!, name) !== undefined) ?? [];
  if (form.isMapEntry || !fields.every(canBeColumn)) return [];
  const columns: Column[] = [];
  for (const { name } of fields) {
    const column = `${field.name}_${name}`;
    const number = uses.newNumber(message, column);
    if (number === undefined) return [];
    columns.push({ field: column, number, of: name });
  }
  return columns;
}
