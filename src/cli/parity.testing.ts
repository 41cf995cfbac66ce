/** One file through the worker and through the command line → the answers of both in one form. */
import type { Advice } from '#engine/advise/advice.ts';
import { isForCaptures } from '#engine/analysis/plan/capture-schemas.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { startAt } from '#engine/model/annotation.ts';
import { type Client, connect } from '#worker/connect.ts';
import type { Api } from '#worker/protocol.ts';
import { EVERYTHING, IN_ORDER } from '#worker/requests.testing.ts';
import type { SchemaFile } from '#worker/schema-api.ts';
import { serve } from '#worker/serve.ts';
import { createSession } from '#worker/session.ts';
import { withPlan } from './inputs/plan-inputs.ts';
import { MEASURE_OPTIONS, type Measured, measure, runPlanned } from './measure/measure.ts';
import { parseOptions } from './options/arguments.ts';
import { Refusal } from './output/outcome.ts';
import { run } from './run.ts';

/** A message as the list and its rows show it. */
export interface ListedMessage {
  readonly ordinal: number;
  readonly time: number | null;
  readonly flow: string | null;
  readonly status: string | null;
  readonly bytes: number;
  readonly capturedBytes: number;
  /** Full name; null: no type is known. */
  readonly type: string | null;
  /** messageOffset of each row. */
  readonly starts: readonly number[];
}

/** Captured streams of one type: what each part pays, in bits. */
export interface StreamsPaid {
  readonly streams: number;
  readonly compressedBytes: number;
  readonly paid: Readonly<Record<string, number>>;
}

export interface Answer {
  readonly profiles: readonly Profile[];
  readonly groups: unknown;
  readonly plan: unknown;
  readonly diagnostics: unknown;
  /** Findings of reading the input. */
  readonly unread: unknown;
}

async function ask<M extends keyof Api>(client: Client, method: M, params: Parameters<Api[M]>[0]) {
  const outcome = await client.call(method, params);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value;
}

interface OpenSession {
  readonly client: Client;
  close(): void;
}

async function openSession(schema: readonly SchemaFile[], bundled: readonly SchemaFile[]): Promise<OpenSession> {
  const { port1, port2 } = new MessageChannel();
  serve(port2, createSession());
  const client = connect(port1);
  if (bundled.length > 0) await ask(client, 'setBundled', { files: bundled });
  if (schema.length > 0) await ask(client, 'setSchema', { files: schema });
  return {
    client,
    close() {
      port1.close();
      port2.close();
    },
  };
}

/**
 * A worker that is asked for one file after the other. As in the page, some bundled schemas are there for captures only.
 * @param schema loaded by hand @param bundled schemas that ship with the app
 */
export async function openWorker(schema: readonly SchemaFile[], bundled: readonly SchemaFile[]) {
  const forCaptures = await openSession(schema, bundled);
  const forPayloads = await openSession(
    schema,
    bundled.filter(({ path }) => !isForCaptures(path)),
  );
  let { client } = forPayloads;
  let kind: 'capture' | 'payloads' = 'payloads';
  let reading: string | null | undefined;
  const openInput = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const params = { name, data: new Blob([bytes]) };
    ({ client } = forPayloads);
    const summary = await ask(client, 'openInput', params);
    ({ kind } = summary);
    reading = undefined;
    if (kind !== 'capture') return summary;
    ({ client } = forCaptures);
    const capture = await ask(client, 'openInput', params);
    if (schema.length === 0) {
      const { set } = await ask(client, 'reflectedSchema', {});
      const files = set === null ? [] : [{ path: 'server-reflection.binpb', content: new Blob([set]) }];
      await ask(client, 'setSchema', { files });
    }
    return capture;
  };
  return {
    async open(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      await openInput(name, bytes);
    },
    /** @param chosen full name of the type of payloads */
    async analyze(name: string, bytes: Uint8Array<ArrayBuffer>, chosen?: string): Promise<Answer> {
      const summary = await openInput(name, bytes);
      const isCapture = summary.kind === 'capture';
      const reading = isCapture ? null : await ask(client, 'planReading', EVERYTHING);
      const groups = isCapture ? await ask(client, 'groupReadings', { types: {} }) : {};
      const { profiles, origins, diagnostics } = await ask(client, 'analyze', {
        ...EVERYTHING,
        type: chosen ?? reading?.type ?? null,
        nativeProfile: null,
        overrides: {},
      });
      return {
        ...{ profiles, groups: origins.map((origin) => origin.groups), plan: { reading, groups }, diagnostics },
        unread: summary.diagnostics,
      };
    },
    /** The first messages of the open input. */
    async messages(most: number): Promise<readonly ListedMessage[]> {
      const list = { ...EVERYTHING, from: 0, to: most, order: IN_ORDER };
      const { rows } = await ask(client, 'messages', list);
      const listed: ListedMessage[] = [];
      for (const { ordinal, time, flow, status, size: bytes, capturedBytes } of rows) {
        const reading = await this.reading();
        const side = await ask(client, 'inspect', { ...reading, ordinal });
        const { table } = side.captured === 'native' ? (side.native ?? side.protobuf) : side.protobuf;
        const type = side.type === '' ? null : side.type;
        listed.push({
          ordinal,
          time,
          flow,
          status,
          bytes,
          capturedBytes,
          type,
          starts: Array.from({ length: table.length }, (_, row) => startAt(table, row)),
        });
      }
      return listed;
    },
    /** Captured streams of a type; null: there are none. */
    async streams(shown: string): Promise<StreamsPaid | null> {
      const params = { ...EVERYTHING, ...(await this.reading()), shown, encoding: 'protobuf', compressor: null };
      const answer = await ask(client, 'bits', params);
      return answer && paidOf(answer.streams, answer.compressedBytes, [answer]);
    },
    async advice(shown: string) {
      const params = { ...EVERYTHING, ...(await this.reading()), shown, compressor: 'zstd' as const };
      const advised = await ask(client, 'advise', params);
      if ('refused' in advised) throw new Error(advised.refused);
      return advised.rows.map(({ title, changes, saved, deployed }) => ({ title, changes, saved, deployed }));
    },
    async reading() {
      const isCapture = kind === 'capture';
      reading ??= isCapture ? null : (await ask(client, 'planReading', EVERYTHING)).type;
      return { type: reading ?? null, types: {}, nativeProfile: null, overrides: {} };
    },
    close(): void {
      forCaptures.close();
      forPayloads.close();
    },
  };
}

/** @param schema paths of --schema; none: the schemas that ship with the tool @param chosen the name of `--type` */
export async function throughCommand(path: string, schema: readonly string[], chosen?: string): Promise<Answer> {
  const type = chosen === undefined ? [] : ['--type', chosen];
  const options = parseOptions([path, ...type, ...schema.flatMap((one) => ['--schema', one])], MEASURE_OPTIONS);
  try {
    const measured = await measure(options, { compares: false });
    return answerOf(measured);
  } catch (error) {
    // Where no message can be read, the command line prints a reason and ends. The plan and the findings are the same.
    if (!(error instanceof Refusal)) throw error;
    return withPlan(options, async (planned) => {
      const { sections, reports } = await runPlanned(planned, options, { compares: false });
      return answerOf({ sections, reports, plan: planned.plan });
    });
  }
}

const answerOf = ({ sections, reports, plan }: Pick<Measured, 'sections' | 'reports' | 'plan'>): Answer => ({
  profiles: sections.map(({ profile }) => profile),
  groups: sections.map(({ groups }) => groups),
  plan: { reading: plan.reading, groups: plan.groups },
  diagnostics: reports.flatMap(({ diagnostics }) => diagnostics),
  unread: reports.flatMap(({ input }) => input.diagnostics),
});

async function output(args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(args);
  if (code !== 0) throw new Error(err);
  return out;
}

const objectsIn = (lines: string) =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** More rows than a message of the fixtures has. */
const EVERY_ROW = 1_000_000;

/** `messages --json`, and `annotate` of each. */
export async function messagesThroughCommand(path: string, most: number): Promise<readonly ListedMessage[]> {
  const listed: ListedMessage[] = [];
  for (const line of objectsIn(await output(['messages', path, '--json'])).slice(0, most)) {
    const { ordinal, time, flow, status, bytes, wireBytes: capturedBytes, type } = line;
    const { code, out } = await run(['annotate', path, '--message', String(ordinal), '--rows', String(EVERY_ROW)]);
    if (code !== 0) {
      // The command refuses a native message without a layout; the page shows its bytes as one row.
      listed.push({ ordinal, time, flow, status, bytes, capturedBytes, type, starts: [0] });
      continue;
    }
    const [body = ''] = out.split(/\nits (?:header, |compressed contents )/);
    const starts = [...body.matchAll(/^ *(\d+) +[·\d]/gm)].map(([, start]) => Number(start));
    listed.push({ ordinal, time, flow, status, bytes, capturedBytes, type, starts });
  }
  return listed;
}

/** `bits --json` of the messages of a type; null: they are not compressed. */
export async function streamsThroughCommand(path: string, type: string): Promise<StreamsPaid | null> {
  const { code, out } = await run(['bits', path, '--type', type, '--json']);
  if (code !== 0) return null;
  const lines = objectsIn(out);
  const compressed = lines.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0);
  return paidOf(
    lines.length,
    compressed,
    lines.map(({ container, fields }) => ({
      container,
      fields: fields.map(({ path: field, shared: _, ...paid }: Record<string, string>) => ({ path: field, paid })),
    })),
  );
}

interface Paid {
  readonly container: Readonly<Record<string, number>>;
  readonly fields: readonly { readonly path: string; readonly paid: Readonly<Partial<Record<string, number>>> }[];
}

/**
 * Bits are fractions, and worker and command line add them up in different orders: rounded to a thousandth of a bit.
 */
function paidOf(streams: number, compressedBytes: number, parts: readonly Paid[]): StreamsPaid {
  const sums = new Map<string, number>();
  const add = (name: string, bits = 0) => sums.set(name, (sums.get(name) ?? 0) + bits);
  for (const { container, fields } of parts) {
    for (const [item, bits] of Object.entries(container)) add(item, bits);
    for (const { path, paid } of fields) {
      for (const [part, bits] of Object.entries(paid)) {
        // The command counts flags, counts and types of native messages as values.
        add(`${path} ${part === 'tag' || part === 'length' ? part : 'value'}`, bits);
      }
    }
  }
  const paid = [...sums].map(([name, bits]) => [name, Math.round(bits * 1000) / 1000] as const);
  return { streams, compressedBytes, paid: Object.fromEntries(paid.filter(([, bits]) => bits !== 0).sort()) };
}

/** `advise --json`: its rows. */
export async function adviceThroughCommand(path: string, schema: string, type: string) {
  const out = await output(['advise', path, '--schema', schema, '--type', type, '--compressor', 'zstd', '--json']);
  const { advice } = JSON.parse(out) as { advice: readonly Pick<Advice, 'title' | 'changes' | 'saved' | 'deployed'>[] };
  return advice.map(({ title, changes, saved, deployed }) => ({ title, changes, saved, deployed }));
}
