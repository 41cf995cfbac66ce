/**
 * Two values in both encodings, byte by byte. It explains the colours of the whole app.
 *
 *   string id = 2;      12 03 6c 6f 67      01 03 6c 6f 67
 *   int64 version = 4;  20 ff … 01          ff ff ff ff ff ff ff ff
 */
import type { ReactNode } from 'react';
import type { Category } from '#engine/model/annotation.ts';

interface Stretch {
  readonly category: Category;
  readonly bytes: string;
}

const EXAMPLES: readonly {
  readonly field: string;
  readonly sides: readonly {
    readonly encoding: string;
    readonly size: number;
    readonly stretches: readonly Stretch[];
  }[];
}[] = [
  {
    field: 'optional string id = 2, “log”',
    sides: [
      {
        encoding: 'protobuf',
        size: 5,
        stretches: [
          { category: 'tag', bytes: '12' },
          { category: 'length', bytes: '03' },
          { category: 'value', bytes: '6c 6f 67' },
        ],
      },
      {
        encoding: 'native',
        size: 5,
        stretches: [
          { category: 'flag', bytes: '01' },
          { category: 'length', bytes: '03' },
          { category: 'value', bytes: '6c 6f 67' },
        ],
      },
    ],
  },
  {
    field: 'int64 version = 4, −1',
    sides: [
      {
        encoding: 'protobuf',
        size: 11,
        stretches: [
          { category: 'tag', bytes: '20' },
          { category: 'value', bytes: 'ff ff ff ff ff ff ff ff ff 01' },
        ],
      },
      { encoding: 'native', size: 8, stretches: [{ category: 'value', bytes: 'ff ff ff ff ff ff ff ff' }] },
    ],
  },
];

export function OneFieldTwice(): ReactNode {
  return (
    <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
      {EXAMPLES.map(({ field, sides }) => (
        <div key={field}>
          <p className="mb-1">{field}</p>
          <dl className="grid grid-cols-[4rem_1fr_auto] items-start gap-x-3 gap-y-1">
            {sides.map(({ encoding, size, stretches }) => (
              <div key={encoding} className="contents">
                <dt className="leading-5 text-ink-muted">{encoding}</dt>
                <dd className="flex min-w-0 flex-wrap gap-x-2 gap-y-1 font-mono text-2xs leading-5">
                  {stretches.map(({ category, bytes }) => (
                    <span key={category} className="flex flex-col">
                      <span>{bytes}</span>
                      <span
                        className="border-t-3 font-sans text-2xs text-ink-muted"
                        style={{ borderColor: `var(--cat-${category})` }}
                      >
                        {category}
                      </span>
                    </span>
                  ))}
                </dd>
                <dd className="text-right leading-5">{size}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}
