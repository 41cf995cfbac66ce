/** `messages`: a capture → its messages, a line each, each with the SHA-256 of its plain payload. */
import { createHash } from 'node:crypto';
import { knownType } from '#engine/analysis/message-reading.ts';
import type { InputRead } from '#engine/analysis/read-input.ts';
import { eachBody } from '#engine/analysis/store/message-body.ts';
import type { MessageStore } from '#engine/analysis/store/message-store.ts';
import type { Message } from '#engine/frame/message.ts';
import { printMessage } from '#engine/frame/print-capture.ts';
import { toTerminal } from '#wording/escape.ts';
import { printLosses, whyNoMessage } from '../inputs/no-message.ts';
import { type Planned, withPlan } from '../inputs/plan-inputs.ts';
import { BadArguments, CAPTURE_KINDS, CAPTURE_USAGE, parseOptions } from '../options/arguments.ts';
import { CHOICES_USAGE } from '../options/input-choice.ts';
import { type Outcome, type Print, Refusal, success } from '../output/outcome.ts';
import { printDiagnostic } from '../output/report-text.ts';
import { plural } from '../output/text-table.ts';

export const MESSAGES_USAGE = `usage: wirecost messages CAPTURE [options]

CAPTURE is a file (${CAPTURE_KINDS}),
or - for the standard input; payloads are listed too.

  -s, --schema PATH     more types, beside the bundled ones; may be repeated
      --method TEXT     only messages whose method contains it
      --direction WAY   only requests, or only responses: request, response
  -t, --type NAME       only messages of this type
${CHOICES_USAGE}
${CAPTURE_USAGE}
      --json            one JSON object per line: ordinal, time (ms since 1970), flow, direction, transport,
                        method, status, type, bytes, wireBytes, sha256 (of the plain payload)
`;

const TAKES_ONE = 'messages takes one CAPTURE';

export async function messagesCommand(args: readonly string[], print: Print): Promise<Outcome> {
  const options = parseOptions(args, [
    'schema',
    'method',
    'direction',
    'type',
    'framing',
    'text-encoding',
    'limit',
    'keys',
    'json',
  ]);
  const [path, more] = options.inputs;
  if (path === undefined || more !== undefined) throw new BadArguments(TAKES_ONE);
  const use = async ({ selected: [selected], inputs: [input], request, notes }: Planned): Promise<Outcome> => {
    const { store, ordinals } = selected!;
    const lines = new Lines(print);
    await eachBody(
      store,
      ordinals,
      (payload, ordinal) => {
        const known = listed(store, ordinal);
        const line = { ...known, type: knownType(store, request, ordinal, payload)?.fullName ?? known.type };
        const sha256 = createHash('sha256').update(payload).digest('hex');
        lines.add(options.json ? JSON.stringify({ ...line, sha256 }) : printLine(line, sha256));
        return lines.isFull ? PAUSE : undefined;
      },
      { pause: () => lines.print() },
    );
    if (lines.count === 0) throw noneFound(path, input!);
    return success(lines.last, [
      ...notes,
      ...printLosses(input!).split('\n').filter(Boolean),
      ...input!.diagnostics.map(printDiagnostic),
    ]);
  };
  return withPlan(options, use, { takesOne: TAKES_ONE });
}

/** Characters. */
const PRINTED_AT_ONCE = 1 << 16;
/** A message that is read in one step, and a pause after it. */
const PAUSE = [0] as const;

/** Lines, printed some at a time. */
class Lines {
  readonly #print: Print;
  count = 0;
  /** Lines that are not printed yet. */
  last = '';

  constructor(print: Print) {
    this.#print = print;
  }

  add(line: string): void {
    this.count++;
    this.last += `${line}\n`;
  }

  get isFull(): boolean {
    return this.last.length >= PRINTED_AT_ONCE;
  }

  async print(): Promise<void> {
    const lines = toTerminal(this.last);
    this.last = '';
    await this.#print(lines);
  }
}

function noneFound(path: string, input: InputRead): Refusal {
  const why = whyNoMessage(input) ?? `None of the ${plural(input.messages, 'message')} of ${path} is selected`;
  return new Refusal(why, input.diagnostics.map(printDiagnostic));
}

interface Line {
  readonly ordinal: number;
  readonly time: number | null;
  readonly flow: string | null;
  readonly direction: Message['direction'];
  readonly transport: string;
  readonly method: string | null;
  readonly status: string | null;
  /** null: none is known. */
  readonly type: string | null;
  readonly bytes: number;
  readonly wireBytes: number;
}

function listed({ kind, messages }: MessageStore, ordinal: number): Line {
  const { transport, typeHint } = messages.groups.at(messages.groupAt(ordinal));
  const time = messages.timeAt(ordinal);
  return {
    ordinal,
    time: Number.isNaN(time) ? null : time,
    flow: messages.flows.wordOf(messages.flowAt(ordinal)),
    direction: messages.directionAt(ordinal),
    transport,
    method: messages.methodAt(ordinal),
    status: messages.statusAt(ordinal),
    // A capture's own names are listed even where no schema has them. Payloads have the type that they are read as.
    type: kind === 'payloads' ? null : typeHint,
    bytes: messages.sizeAt(ordinal),
    wireBytes: messages.capturedSizeAt(ordinal),
  };
}

const printLine = ({ type, wireBytes, ...line }: Line, sha256: string): string =>
  `${printMessage({ ...line, capturedBytes: wireBytes, typeHint: type })}  sha256 ${sha256}`;
