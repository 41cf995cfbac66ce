/** `layers`: a capture → the ledger of its file. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { storeMessages } from '#engine/analysis/message-store.ts';
import type { CaptureRead } from '#engine/analysis/opened-capture.ts';
import { openInput } from '#engine/analysis/read-input.ts';
import { printTraffic } from '#engine/capture/containers/packets-traffic.ts';
import { printLayers } from '#engine/frame/print-capture.ts';
import { BadArguments, CAPTURE_KINDS, CAPTURE_USAGE, parseOptions, WORKERS_USAGE } from './arguments.ts';
import { captureOptions } from './capture-options.ts';
import { withSource } from './file-source.ts';
import { printInput } from './input-text.ts';
import { withPool } from './node-pool.ts';
import { type Outcome, Refusal, success } from './outcome.ts';
import { progressOf } from './progress.ts';
import { printDiagnostic } from './report-text.ts';
import { plural } from './text-table.ts';

export const LAYERS_USAGE = `usage: wirecost layers CAPTURE [options]

CAPTURE is a file (${CAPTURE_KINDS}),
or - for the standard input. The layers sum to its size.

${CAPTURE_USAGE}
${WORKERS_USAGE}
      --json            as JSON: name, size, bytes (decoded), format, layers, which sum to bytes, and traffic that no
                        messages are read from
`;

export async function layersCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, ['limit', 'keys', 'workers', 'json']);
  const [path, more] = options.inputs;
  if (path === undefined || more !== undefined) throw new BadArguments('layers takes one CAPTURE');
  const control = { ...(await captureOptions(options)), nextTurn, onProgress: progressOf(`Reading ${path}`) };
  const { input } = await withPool(options, (pool) =>
    withSource(path, async (source) => storeMessages(await openInput(source, {}), {}, { ...control, pool })),
  );
  if (input.kind !== 'capture') throw new Refusal(`${path} is not a capture (${CAPTURE_KINDS})`);
  const notes = input.diagnostics.map(printDiagnostic);
  return success(options.json ? printLedger(input) : print(input), notes);
}

const print = (input: CaptureRead): string =>
  `${printInput(input)}\n${printLayers({ layers: input.layers, size: input.bytes })}\n${printUnread(input)}`;

const printUnread = ({ traffic }: CaptureRead): string =>
  traffic.length === 0
    ? ''
    : `\nnot read\n${traffic.map((kind) => `  ${printTraffic(kind)}: ${plural(kind.bytes, 'byte')}\n`).join('')}`;

const printLedger = ({ name, size, bytes, format, layers, traffic }: CaptureRead): string =>
  `${JSON.stringify({ name, size, bytes, format, layers, traffic }, null, 2)}\n`;
