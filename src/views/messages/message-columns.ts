/** The columns of the message list: their contents and their order. */

import type {
  CaptureSummary,
  InputSummary,
  MessageColumn,
  MessageGroup,
  MessageSummary,
} from '#state/session-state.ts';
import { formatCount, formatSeconds } from '#wording/number-text.ts';
import type { TermName } from '#wording/terms.ts';

/** The data of a row. */
export interface ListedMessage {
  readonly row: MessageSummary;
  readonly group: MessageGroup | undefined;
  /** As `groupTypes` prints it. */
  readonly type: string;
  /** As the groups have it, without the packages that all methods have alike. */
  readonly method: string;
  /** Milliseconds since the epoch at which the capture begins. */
  readonly begin: number;
}

export interface ColumnSpec {
  readonly id: MessageColumn | 'file' | 'time' | 'transport' | 'preview';
  readonly title: string;
  readonly term: TermName;
  /** The column that a click on the title sorts by; null: none. */
  readonly sort: MessageColumn | null;
  /** Shown only for captures, or for inputs of several files. */
  readonly of: 'all' | 'captures' | 'files';
  readonly isNumber?: boolean;
  readonly say: (message: ListedMessage) => string;
}

const timeText = (time: number, begin: number): string => formatSeconds(time - begin, 4);

export const COLUMNS: readonly ColumnSpec[] = [
  {
    id: 'ordinal',
    title: 'No.',
    term: 'column-ordinal',
    sort: 'ordinal',
    of: 'all',
    isNumber: true,
    say: ({ row }) => formatCount(row.ordinal),
  },
  {
    id: 'file',
    title: 'File',
    term: 'column-file',
    sort: 'flow',
    of: 'files',
    say: ({ row }) => row.flow ?? '',
  },
  {
    id: 'time',
    title: 'Time, s',
    term: 'column-time',
    sort: 'ordinal',
    of: 'captures',
    isNumber: true,
    say: ({ row, begin }) => (row.time === null ? '' : timeText(row.time, begin)),
  },
  {
    id: 'flow',
    title: 'Flow',
    term: 'column-flow',
    sort: 'flow',
    of: 'captures',
    say: ({ row }) => row.flow ?? '',
  },
  {
    id: 'direction',
    title: 'Direction',
    term: 'column-direction',
    sort: 'direction',
    of: 'captures',
    say: ({ group }) => group?.direction ?? '',
  },
  {
    id: 'transport',
    title: 'Transport',
    term: 'column-transport',
    sort: null,
    of: 'captures',
    say: ({ group }) => group?.transport ?? '',
  },
  {
    id: 'method',
    title: 'Method',
    term: 'column-method',
    sort: 'method',
    of: 'captures',
    say: ({ method }) => method,
  },
  {
    id: 'status',
    title: 'Status',
    term: 'column-status',
    sort: 'status',
    of: 'captures',
    say: ({ row }) => row.status ?? '',
  },
  {
    id: 'type',
    title: 'Type',
    term: 'column-messageType',
    sort: 'type',
    of: 'captures',
    say: ({ type }) => type,
  },
  {
    id: 'capturedBytes',
    title: 'Captured',
    term: 'column-capturedBytes',
    sort: 'capturedBytes',
    of: 'captures',
    isNumber: true,
    say: ({ row }) => formatCount(row.capturedBytes),
  },
  {
    id: 'bytes',
    title: 'Bytes',
    term: 'column-bytes',
    sort: 'bytes',
    of: 'all',
    isNumber: true,
    say: ({ row }) => formatCount(row.size),
  },
  {
    id: 'preview',
    title: 'Begins with',
    term: 'column-preview',
    sort: null,
    of: 'all',
    say: ({ row }) => row.preview,
  },
];

/** Bytes of an input for each message that numbers have room for from the start: they do not move as messages come. */
const BYTES_EACH = 1000;

/** Characters of the largest numbers that the columns of numbers and times show, as CSS. */
export function widestOf(summary: InputSummary): Readonly<Record<'--ordinal' | '--time', string>> {
  const last = summary.kind === 'capture' ? (summary.lastTime ?? 0) - beginOf(summary) : 0;
  const widthOf = (text: string): string => `${text.length / 2}rem`;
  const most = Math.max(summary.messages, Math.round(summary.size / BYTES_EACH));
  return { '--ordinal': widthOf(formatCount(most)), '--time': widthOf(timeText(last, 0)) };
}

export const beginOf = (summary: CaptureSummary): number => summary.firstTime ?? 0;
