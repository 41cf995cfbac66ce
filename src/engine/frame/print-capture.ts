/**
 * A capture as text: its messages, one a line, and the ledger of the file. The command line prints it, and golden files
 * store it.
 */

import { LAYERS } from '../capture/containers/packets-layers.ts';
import { countText, plural } from '../model/count-text.ts';
import { formatPercent, NBSP } from '../model/percent-text.ts';
import type { CaptureFacts } from './capture-facts.ts';
import type { Message } from './message.ts';

type Listed = Pick<
  Message,
  | 'ordinal'
  | 'direction'
  | 'transport'
  | 'format'
  | 'method'
  | 'status'
  | 'typeHint'
  | 'bytes'
  | 'capturedBytes'
  | 'flow'
>;

/** `12  request  opensearch  indices:data/read/search  1,024 bytes (512 captured)  10.0.0.1:9300 → …` */
export function printMessage(message: Listed): string {
  const { ordinal, direction, transport, format, method, status, typeHint, bytes, capturedBytes, flow } = message;
  const captured = capturedBytes === bytes ? '' : ` (${countText(capturedBytes)} captured)`;
  const size = `${plural(bytes, 'byte')}${captured}`;
  return [
    String(ordinal).padStart(4),
    (direction ?? '').padEnd(8),
    transport + (format === undefined ? '' : ` ${format}`),
    method ?? '?',
    ...(status === null ? [] : [status]),
    size,
    ...(typeHint === null ? [] : [typeHint]),
    ...(flow === null ? [] : [flow]),
  ].join('  ');
}

/** The layers that have bytes, outermost first, with their shares. The last line is the file's size. */
export function printLayers({ layers, size }: Pick<CaptureFacts, 'layers' | 'size'>): string {
  const rows = LAYERS.filter((layer) => layers[layer] > 0).map((layer) => row(layer, layers[layer], size));
  return [...rows, row('size', size, size)].join('\n');
}

const row = (name: string, bytes: number, size: number): string =>
  `${name.padEnd(16)}${countText(bytes).padStart(14)}${formatPercent(bytes / Math.max(1, size))
    .replace(NBSP, ' ')
    .padStart(10)}`;
