/** The width there is → the columns that fit. The bars stay at every width. */
import type { Column } from './visible-rows.ts';

export interface TableColumns {
  readonly columns: readonly Column[];
  /** Of the grid that every row is. */
  readonly template: string;
  readonly barWidth: number;
  /** Whether the field cell has room for type and presence beside the name. */
  readonly facts: boolean;
}

const FIGURE = 92;

export function chooseColumns(width: number, hasNative: boolean): TableColumns {
  const only = (columns: readonly Column[]) =>
    hasNative ? columns : columns.filter((column) => column !== 'native' && column !== 'delta');
  if (width >= 980) {
    const barWidth = Math.round(Math.min(380, width * 0.24));
    return build(
      only(['field', 'occurrences', 'presence', 'overhead', 'protobuf', 'native', 'delta', 'share']),
      barWidth,
      true,
    );
  }
  if (width >= 640) {
    return build(
      only(['field', 'presence', 'overhead', 'protobuf', 'native', 'delta']),
      Math.round(width * 0.2),
      width >= 860,
    );
  }
  return build(
    hasNative ? ['field', 'overhead', 'delta'] : ['field', 'overhead', 'protobuf'],
    Math.round(width * 0.26),
    false,
  );
}

function build(columns: readonly Column[], barWidth: number, facts: boolean): TableColumns {
  const track = (column: Column): string => {
    if (column === 'field') return 'minmax(0, 1fr)';
    if (column === 'overhead') return `${barWidth + 16}px`;
    return column === 'presence' || column === 'share' ? `${FIGURE - 12}px` : `${FIGURE}px`;
  };
  return { columns, template: columns.map(track).join(' '), barWidth, facts };
}
