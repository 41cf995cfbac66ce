/** The same file through the worker and through the command line → what both say of it, in one shape. */
import type { Profile } from '#engine/cost/profile.ts';
import { type Client, connect } from '#worker/connect.ts';
import type { Api } from '#worker/protocol.ts';
import { EVERYTHING } from '#worker/requests.testing.ts';
import type { SchemaFile } from '#worker/schema-api.ts';
import { serve } from '#worker/serve.ts';
import { createSession } from '#worker/session.ts';
import { parseOptions } from './arguments.ts';
import { MEASURE_OPTIONS, measure } from './measure.ts';
import { Refusal } from './outcome.ts';

export interface Answer {
  readonly profiles: readonly Profile[];
  readonly groups: unknown;
  readonly plan: unknown;
  readonly diagnostics: unknown;
}

async function ask<M extends keyof Api>(client: Client, method: M, params: Parameters<Api[M]>[0]) {
  const outcome = await client.call(method, params);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value;
}

/** A worker to ask for one file after the other. @param schema loaded by hand @param bundled what ships with the app */
export async function openWorker(schema: readonly SchemaFile[], bundled: readonly SchemaFile[]) {
  const { port1, port2 } = new MessageChannel();
  serve(port2, createSession());
  const client = connect(port1);
  if (bundled.length > 0) await ask(client, 'setBundled', { files: bundled });
  if (schema.length > 0) await ask(client, 'setSchema', { files: schema });
  return {
    async analyze(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Answer> {
      const summary = await ask(client, 'openInput', { name, data: new Blob([bytes]) });
      const isCapture = summary.kind === 'capture';
      const reading = isCapture ? null : await ask(client, 'planReading', EVERYTHING);
      const groups = isCapture ? await ask(client, 'groupReadings', { types: {} }) : {};
      const { profiles, origins, diagnostics } = await ask(client, 'analyze', {
        ...EVERYTHING,
        type: reading?.type ?? null,
        nativeProfile: isCapture ? 'laid-out' : 'opensearch',
        overrides: {},
      });
      return { profiles, groups: origins.map((origin) => origin.groups), plan: { reading, groups }, diagnostics };
    },
    close(): void {
      port1.close();
      port2.close();
    },
  };
}

/** @param schema paths of --schema; none: what ships with the tool */
export async function throughCommand(path: string, schema: readonly string[]): Promise<Answer> {
  const options = parseOptions([path, ...schema.flatMap((one) => ['--schema', one])], MEASURE_OPTIONS);
  try {
    const { profiles, sections, plan, reports } = await measure(options);
    return {
      profiles,
      groups: sections.map(({ groups }) => groups),
      plan,
      diagnostics: reports.flatMap(({ diagnostics }) => diagnostics),
    };
  } catch (error) {
    // For a capture in which nothing can be read, the command line prints a reason and ends.
    if (!(error instanceof Refusal)) throw error;
    return { profiles: [], groups: [], plan: null, diagnostics: [] };
  }
}
