/** Notes of the message’s bytes and trees. */
import { plural } from '#engine/model/count-text.ts';
import { formatBytes, formatCount, formatSeconds } from './number-text.ts';

export const MESSAGE_NOTES = {
  noProtobuf: 'Protobuf has no bytes for it.',
  noBytes: 'It has no bytes here.',
  click: 'Choose a byte to see what it is.',
  sharedOnly: 'Only these bytes were shared with the figures.',
  notCompressed: 'Nothing that is measured here compresses this message.',
  figuresOnly: 'Only figures were shared: there are no bytes.',
  none: 'There is no message to show.',
  filter: 'Only messages whose method, type, transport, status or flow contains this',
  stopped: 'There are no messages to list: reading was cancelled.',
  noFindings: 'Nothing is wrong: every byte is explained.',
  empty: 'No bytes.',
  holdsText: 'Only messages that hold this text',
  atLeast: 'At least this many bytes',
  atMost: 'At most this many bytes',
} as const;

/** Flows that the filter's list does not have. */
export const moreFlows = (count: number): string =>
  `and ${formatCount(count)} more; the filter by method and type finds them, too`;

/** A flow of the filter that the capture does not have, as in a link that was made of another one. */
export const flowOfNone = (flow: string): string => `${flow}: not in this capture`;

export const moreGroups = (next: number, left: number): string =>
  `Show ${formatCount(next)} of ${formatCount(left)} more groups`;

/** The messages that are added up: `2 of 6 messages, filtered` */
export const chosenPart = (chosen: number, of: number, isByHand: boolean): string =>
  `${formatCount(chosen)} of ${plural(of, 'message')}, ${isByHand ? 'chosen' : 'filtered'}`;

export const hexLabel = (label: string, bytes: number): string =>
  `${label}: ${plural(bytes, 'byte')}. Arrow keys go from row to row.`;

/** @param interval milliseconds of one point of the line */
export const timelineLabel = (duration: string, peak: number, interval: number): string =>
  `Bytes over ${duration}, at most ${formatBytes(peak)} in ${formatSeconds(interval, 4)} s`;

/** @param descending how the list is sorted by it; null: it is not */
export const sortLabel = (title: string, descending: boolean | null): string =>
  `Sort by ${title}${descending === null ? '' : `, now ${descending ? 'descending' : 'ascending'}`}`;
