/** `messages`: a capture → its messages, a line each, each with the SHA-256 of its plain payload. */
import { createHash } from 'node:crypto';
import { assignTypes, ownType } from '#engine/analysis/assign-type.ts';
import { isNative, NativeLayouts } from '#engine/analysis/native-reading.ts';
import { type InputRead, readInput } from '#engine/analysis/read-input.ts';
import type { Message } from '#engine/frame/message.ts';
import { printMessage } from '#engine/frame/print-capture.ts';
import { BadArguments, CAPTURE_USAGE, parseOptions } from './arguments.ts';
import { captureOptions } from './capture-options.ts';
import { withSource } from './file-source.ts';
import { printLosses, whyNoMessage } from './no-message.ts';
import { type Outcome, Refusal, success } from './outcome.ts';
import { printDiagnostic } from './report-text.ts';
import { findType, readCaptureSchema } from './schema.ts';
import { plural } from './text-table.ts';

export const MESSAGES_USAGE = `usage: wirecost messages CAPTURE [options]

CAPTURE is a pcap, pcapng or HAR file, gzipped or not, or - for the standard input; payloads are listed too.

  -s, --schema PATH     what types are known; may be repeated; the bundled schemas, if not given
      --method TEXT     only messages whose method contains it
      --direction WAY   only requests, or only responses: request, response
  -t, --type NAME       only messages of this type
${CAPTURE_USAGE}
      --json            a JSON object a line: ordinal, time, flow, direction, transport, method, status, type, bytes,
                        wireBytes, sha256 (of the plain payload)
`;

export async function messagesCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, ['schema', 'method', 'direction', 'type', 'limit', 'keys', 'json']);
  const [path, more] = options.inputs;
  if (path === undefined || more !== undefined) throw new BadArguments('messages takes one CAPTURE');
  const schema = await readCaptureSchema(options.schema);
  const { registry, notes } = schema;
  const { method, direction } = options;
  const wanted = options.type === undefined ? undefined : findType(schema, options.type);
  const assign = assignTypes(registry, { method, direction, type: wanted });
  const native = new NativeLayouts(registry);
  const lines: string[] = [];
  const capture = await captureOptions(options);
  const input = await withSource(path, (source) =>
    readInput(
      source,
      {},
      (message, payload) => {
        if (method !== undefined && !(message.method ?? '').includes(method)) return;
        if (direction !== undefined && message.direction !== direction) return;
        if (wanted !== undefined && assign(message) === 'left out') return;
        const own = isNative(message) ? native.read(message, payload)?.type : ownType(registry, message);
        const type = own?.fullName ?? message.typeHint;
        const sha256 = createHash('sha256').update(payload).digest('hex');
        lines.push(options.json ? printObject(message, type, sha256) : printLine(message, type, sha256));
      },
      capture,
    ),
  );
  if (lines.length === 0) throw noneFound(path, input);
  return success(lines.map((line) => `${line}\n`).join(''), [
    ...notes,
    ...printLosses(input).split('\n').filter(Boolean),
    ...input.diagnostics.map(printDiagnostic),
  ]);
}

function noneFound(path: string, input: InputRead): Refusal {
  const why = whyNoMessage(input) ?? `None of the ${plural(input.messages, 'message')} of ${path} is selected`;
  return new Refusal(why, input.diagnostics.map(printDiagnostic));
}

const printLine = (message: Message, type: string | null, sha256: string): string =>
  `${printMessage({ ...message, typeHint: type })}  sha256 ${sha256}`;

function printObject(message: Message, type: string | null, sha256: string): string {
  const { ordinal, time, flow, direction, transport, method, status, bytes, wireBytes } = message;
  return JSON.stringify({
    ordinal,
    time,
    flow,
    direction,
    transport,
    method,
    status,
    type,
    bytes,
    wireBytes,
    sha256,
  });
}
