/**
 * Schema files as the page sent them → the compiled schema. Blobs are read here, each once; the worker takes other
 * messages meanwhile.
 */

import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { type OpenedSchema, openingSteps, type SchemaSource } from '#engine/schema/compile.ts';
import { isPackedSchema } from '#engine/schema/packed-schema.ts';
import { loadUnpacking, plainSources } from '#engine/schema/plain-sources.ts';
import { runInSteps } from '#engine/schema/steps.ts';
import type { PlainSources } from '#engine/schema/unpack-source.ts';
import { nextMacrotask } from './next-macrotask.ts';
import type { Context } from './protocol.ts';
import type { SchemaFile, UnpackedFiles } from './schema-api.ts';

/** Files read in parallel, because a disk has high latency but enough bandwidth. */
const READ_AT_ONCE = 64;

/** Files of an archive sent to the page in one message: each costs the page a fraction of a millisecond. */
const UNPACKED_AT_ONCE = 100;

/** Milliseconds of work between two looks for messages. */
const PATIENCE = 25;

const contents = new WeakMap<Blob, string | Uint8Array>();

/** Throws where the call is cancelled. @param isSound texts have no faults, as the bundled ones */
export async function compileFiles(
  files: readonly SchemaFile[],
  { signal, progress }: Pick<Context, 'signal' | 'progress'>,
  isSound = false,
): Promise<OpenedSchema> {
  const report = (share: number): void =>
    progress({ done: Math.floor(share * files.length), total: files.length, unit: 'files' });
  // Each file is read from the disk, parsed and linked: half of the time for the first, a quarter for each of the others.
  const plain = await readSources(files, signal, (done) => report(done / files.length / 2));
  const schema = await runWithPauses(openingSteps(plain.sources, { isSound }), signal, ({ phase, done, total }) => {
    report((phase === 'reading' ? 0.5 : 0.75) + done / Math.max(1, total) / 4);
  });
  // Another schema may have been compiled meanwhile.
  signal.throwIfAborted();
  return { ...schema, diagnostics: [...plain.diagnostics, ...schema.diagnostics] };
}

/** Texts and plain descriptor sets. Throws where it is cancelled. @param report gets the number of files read so far */
export async function readSources(
  files: readonly SchemaFile[],
  signal: AbortSignal,
  report: (done: number) => void = () => {},
): Promise<PlainSources> {
  const sources: SchemaSource[] = [];
  for (let at = 0; at < files.length; at += READ_AT_ONCE) {
    signal.throwIfAborted();
    sources.push(...(await Promise.all(files.slice(at, at + READ_AT_ONCE).map(readSource))));
    report(sources.length);
  }
  return plainSources(sources, { run: (steps) => runWithPauses(steps, signal) });
}

/** Runs the steps, and takes the worker's other messages now and then. Throws where the call is cancelled. */
export function runWithPauses<Step, T>(
  steps: Generator<Step, T>,
  signal: AbortSignal,
  onTurn: (step: Step) => void = () => {},
): Promise<T> {
  let heard = performance.now();
  return runInSteps(steps, (step) => {
    if (performance.now() - heard < PATIENCE) return undefined;
    onTurn(step);
    return nextMacrotask().then(() => {
      signal.throwIfAborted();
      heard = performance.now();
    });
  });
}

async function readSource({ path, content }: SchemaFile): Promise<SchemaSource> {
  if (!(content instanceof Blob)) return { path, content };
  const known = contents.get(content);
  if (known !== undefined) return { path, content: known };
  const read = path.endsWith('.proto') ? await content.text() : new Uint8Array(await content.arrayBuffer());
  contents.set(content, read);
  return { path, content: read };
}

/** @returns a function that gives the next files of an archive at each call. */
export async function unpackInParts(archive: SchemaFile): Promise<() => UnpackedFiles> {
  const { path, content } = await readSource(archive);
  let diagnostics: Diagnostic[] = [];
  if (typeof content === 'string' || !isPackedSchema(path, content)) return () => ({ files: [], diagnostics });
  const { unpackSource } = await loadUnpacking();
  const unpacked = unpackSource(path, content, (fault) => diagnostics.push(fault));
  return () => {
    diagnostics = [];
    const files: SchemaFile[] = [];
    while (files.length < UNPACKED_AT_ONCE) {
      const next = unpacked.next();
      if (next.done) break;
      files.push(asBlob(next.value));
    }
    return { files, diagnostics };
  };
}

/** A page stores large numbers of blobs outside its own memory. */
function asBlob({ path, content }: SchemaSource): SchemaFile {
  const blob = new Blob([typeof content === 'string' ? content : content.slice()]);
  contents.set(blob, content);
  return { path, content: blob };
}
