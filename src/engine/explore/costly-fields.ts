/** The fields of a whole registry whose declaration costs more than necessary, grouped by reason. */
import { type CostFindingCode, costFindings, nestingFindings } from '../cost/cost-findings.ts';
import type { Registry } from '../schema/descriptor.ts';
import type { TypeGraph } from '../schema/type-graph.ts';
import { typeText } from './find-names.ts';

export interface CostlyField {
  readonly fullName: string;
  readonly number: number;
  readonly type: string;
  readonly message: string;
  readonly isGuess: boolean;
}

export interface CostlyFields {
  /** Number of fields by reason. */
  readonly counts: Readonly<Partial<Record<CostFindingCode, number>>>;
  /** Fields of the requested kind, in the order of the schema, up to the requested number. */
  readonly fields: readonly CostlyField[];
}

/** @param includes which files are examined */
export function costlyFields(
  { registry, graph }: { readonly registry: Registry; readonly graph: TypeGraph },
  code: CostFindingCode,
  limit: number,
  includes: (file: string) => boolean,
): CostlyFields {
  const counts: Partial<Record<CostFindingCode, number>> = {};
  const fields: CostlyField[] = [];
  for (const message of registry.messages.values()) {
    if (message.isMapEntry || !includes(message.file)) continue;
    for (const field of message.fields) {
      for (const finding of [...costFindings(field), ...nestingFindings(field, graph)]) {
        counts[finding.code] = (counts[finding.code] ?? 0) + 1;
        if (finding.code !== code || fields.length >= limit) continue;
        const { fullName, number } = field;
        fields.push({ fullName, number, type: typeText(field), message: finding.message, isGuess: finding.isGuess });
      }
    }
  }
  return { counts, fields };
}
