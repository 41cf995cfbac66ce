/** Proposals for numbers with the sentinel −1 and no smaller value: shifted by one, no number is negative. */
import { shortNameOf } from '../../schema/names.ts';
import type { Propose } from './proposal.ts';

export const shifts: Propose = ({ fields }) =>
  [...fields].flatMap(({ message, field, lists }) => {
    if (field.type !== 'sint32' && field.type !== 'sint64') return [];
    let least: number | bigint = 0;
    for (const values of lists) for (const value of values) if ((value as number) < least) least = value as number;
    if (least < -1) return [];
    const to = field.type === 'sint64' ? 'uint64' : 'uint32';
    return [
      {
        title: `Write ${field.name} of ${shortNameOf(message)} plus 1 without a sign: nothing below −1 occurs`,
        isCounterfactual: true,
        changes: [
          {
            change: 'type' as const,
            message,
            field: field.name,
            from: field.type,
            to,
            value: 'value + 1, so that -1 (NULL) is 0',
          },
        ],
      },
    ];
  });
