/** `layers`: a capture → the ledger of its file. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CaptureRead } from '#engine/analysis/opened-capture.ts';
import { openInput } from '#engine/analysis/read-input.ts';
import { storeMessages } from '#engine/analysis/store/message-store.ts';
import { printTraffic } from '#engine/capture/containers/packets-traffic.ts';
import { printLayers } from '#engine/frame/print-capture.ts';
import { withSource } from '../inputs/file-source.ts';
import { withPool } from '../node-pool.ts';
import { BadArguments, CAPTURE_KINDS, CAPTURE_USAGE, parseOptions, WORKERS_USAGE } from '../options/arguments.ts';
import { captureOptions } from '../options/capture-options.ts';
import { checkChoice } from '../options/input-choice.ts';
import { printInput } from '../output/input-text.ts';
import { type Outcome, Refusal, success } from '../output/outcome.ts';
import { progressOf } from '../output/progress.ts';
import { printDiagnostic } from '../output/report-text.ts';
import { plural } from '../output/text-table.ts';

export const LAYERS_USAGE = `usage: wirecost layers CAPTURE [options]

CAPTURE is a file (${CAPTURE_KINDS}),
or - for the standard input. The layers sum to its size.

${CAPTURE_USAGE}
      --framing FIELDS  the fields around each message of other connections: 'le32 [1 message]' (docs/captures.md)
${WORKERS_USAGE}
      --json            as JSON: name, size, bytes (decoded), format, layers, which sum to bytes, and traffic that no
                        messages are read from
`;

export async function layersCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, ['limit', 'keys', 'framing', 'workers', 'json']);
  const [path, more] = options.inputs;
  if (path === undefined || more !== undefined) throw new BadArguments('layers takes one CAPTURE');
  const choice = checkChoice(options);
  const control = { ...(await captureOptions(options)), nextTurn, onProgress: progressOf(`Reading ${path}`) };
  const { input } = await withPool(options, (pool) =>
    withSource(path, async (source) => storeMessages(await openInput(source, choice), choice, { ...control, pool })),
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
