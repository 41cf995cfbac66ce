/** `advise`: messages and their schema → what should change, each proposal measured by re-encoding. */
import { join } from 'node:path';
import type { Advice, AdviceSubject, MeasuredChanges } from '#engine/advise/advice.ts';
import { Advisor } from '#engine/advise/advise.ts';
import { type Batches, batchesOf } from '#engine/advise/batch.ts';
import { type BelowLimit, belowLimit } from '#engine/advise/below-limit.ts';
import { type Change, ImpossibleChange } from '#engine/advise/change.ts';
import { REMOTE_WRITE_1, REMOTE_WRITE_2 } from '#engine/advise/changes/other-schema.ts';
import { editsOf } from '#engine/advise/edits-of.ts';
import type { MeasuringCompressor } from '#engine/advise/measure.ts';
import { patchOf } from '#engine/advise/patch.ts';
import { joinUnit } from '#engine/advise/payload.ts';
import { rankAdvice } from '#engine/advise/rank-advice.ts';
import { readChanges } from '#engine/advise/read-change.ts';
import { schemaAfter } from '#engine/advise/schema-after.ts';
import { measureWaste, type WasteReport } from '#engine/advise/waste.ts';
import { firstCompressor } from '#engine/compression/captured-with.ts';
import type { CompressorId } from '#engine/compression/compressor-row.ts';
import { COMPRESSORS, loadCompressor } from '#engine/compression/compressors.ts';
import { leftOut, rewrittenWords } from '#wording/advice-notes.ts';
import { newNumbersText } from '#wording/advice-words.ts';
import { readTyped, type TypedInputs } from '../inputs/advise-input.ts';
import { readText } from '../inputs/file-source.ts';
import { parseJson } from '../inputs/json-text.ts';
import { readCaptureSchema, readSchema, type SchemaFiles } from '../inputs/schema.ts';
import { findSchema } from '../inputs/schema-inside.ts';
import { BadArguments, KEYS_USAGE, type Options, parseOptions } from '../options/arguments.ts';
import { CHOICES_USAGE } from '../options/input-choice.ts';
import { adviceJson, printAdvice, printBatches, printChosen, printWaste } from '../output/advise-text.ts';
import { type Outcome, Refusal, success } from '../output/outcome.ts';
import { makeFolder, type OutputFile, writeOutputs } from '../output/output-files.ts';
import { progressOf } from '../output/progress.ts';
import { printCount } from '../output/text-table.ts';
import { SCHEMAS } from '../shipped-files.ts';

const IDS = COMPRESSORS.map(({ id }) => id);

export const ADVISE_USAGE = `usage: wirecost advise INPUT... [--schema PATH...] [options]

Finds schema changes that make the messages smaller. Each change is applied, the messages are encoded again, and the
changes are ranked by their saving after compression. A row names what the change breaks (binary, JSON, source) and what
deploying it takes. Of more than 100,000 messages, every nth is measured.

  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set; may be repeated; without it, the schema
                        that is found beside the messages or in the capture
                        (gRPC's server reflection), or the bundled schemas
  -t, --type NAME       the message type; without it, the type that explains the messages best
      --compressor ID   ranks by this one, and measures no other: ${IDS.join(', ')};
                        without it all are measured. The rank is then by the compressor of the messages or of their
                        file, or by zstd
      --apply N,N       measures these rows together
      --changes FILE    measures exactly the changes of FILE, a JSON array (docs/advise.md)
      --out DIR         with --apply or --changes: after.binpb, the messages, and after.fds.binpb, the schema
      --patch FILE      with --apply or --changes: a diff of the .proto files, for git apply in their folder
      --method TEXT     of a capture, only messages whose method contains it
      --direction WAY   of a capture, only requests, or only responses: request, response
${KEYS_USAGE}
      --rate N          messages a second; each row then has the bytes that it saves a day
      --waste           only the bytes that each kind of waste costs
      --limit SIZE      the changes that bring the largest message below this size: 4MiB, 64KiB, 1400
${CHOICES_USAGE}
      --json            as JSON (docs/advise.md)
`;

const ADVISE_OPTIONS = [
  'schema',
  'type',
  'compressor',
  'apply',
  'changes',
  'out',
  'patch',
  'method',
  'direction',
  'keys',
  'waste',
  'rate',
  'limit',
  'framing',
  'text-encoding',
  'json',
] as const;

export async function adviseCommand(args: readonly string[]): Promise<Outcome> {
  const given = parseOptions(args, ADVISE_OPTIONS, 'largest');
  if (given.inputs.length === 0) throw new BadArguments('advise takes at least one INPUT');
  const found = await findSchema(given);
  const options = { ...given, schema: found.schema, inputs: found.inputs };
  const ofMessages: string[] = [];
  const typed = (await readTyped(options.inputs, await readAdvisedSchema(options), options)).into(ofMessages);
  const { type, units, schema } = typed;
  const said = [...found.notes, ...schema.notes, ...ofMessages];
  const subject = await loadCompressors(options, firstCompressor(typed.capturedWith));
  const { compressors, rankedBy } = subject;
  const advisor = await Advisor.open({ registry: schema.registry, type: type.fullName, units, ...subject });
  const without = leftOut(advisor.baseline);
  if (without !== '') said.push(`wirecost: ${without}`);
  if (advisor.trees.length === 0) throw new Refusal('There is nothing to advise on', said);
  const asked = { options, typed, advisor, rankedBy };
  if (options.changes !== undefined) {
    const changes = await readChangesFile(options.changes);
    const measured = await refusing(() => advisor.measure(changes));
    const row = { ...(await advisor.adviceOn(options.changes, measured)), id: 1 };
    await writeOut(options, schema, advisor, measured);
    const notes = [...said, ...newNumbersNotes(row, advisor, rankedBy, options)];
    return report(asked, { advice: [row], notes });
  }
  const settled: Advice[] = [];
  const onProgress = progressOf('Measuring changes');
  for await (const { advice, done, total } of advisor.proposals()) {
    onProgress(done, total);
    if (advice?.isSettled) settled.push(advice);
  }
  const ranked = rankAdvice(settled, rankedBy);
  const { below } = options;
  if (below !== undefined) return reportLimit(options, await belowLimit(advisor, ranked, below), ranked, below, said);
  if (options.apply.length === 0) {
    for (const name of ['out', 'patch'] as const) {
      if (options[name] !== undefined) throw new BadArguments(`--${name} needs --apply or --changes`);
    }
    const waste = await measureWaste(advisor, type.fullName, compressors);
    if (options.waste) return reportWaste(asked, waste, said);
    const batch = await batchesOf(advisor.trees, advisor.forms, type.fullName, compressors);
    return report(asked, { advice: ranked, notes: said, waste, batch });
  }
  const chosen = options.apply.map((id) => {
    const row = ranked.find((one) => one.id === id);
    if (row === undefined) throw new Refusal(`There is no row ${id}; there are ${ranked.length}`);
    return row;
  });
  const measured = await measureTogether(advisor, chosen);
  const title = chosen.map((row) => row.title).join('; ');
  const together = { ...(await advisor.adviceOn(title, measured)), id: 1 };
  await writeOut(options, schema, advisor, measured);
  const notes = [...said, ...newNumbersNotes(together, advisor, rankedBy, options)];
  return report(asked, { advice: [together], notes, chosen });
}

/** The patch gives new numbers to fields that old records would be misread with; the written messages keep the old ones. */
function newNumbersNotes(
  row: Advice,
  { baseline }: Advisor,
  rankedBy: string | undefined,
  { out, patch, json }: Options,
): readonly string[] {
  if (json) return [];
  const compressor = rankedBy === undefined ? undefined : { id: rankedBy, label: rankedBy };
  const notes = newNumbersText(row, baseline[row.against], compressor).map((text) => `wirecost: ${text}`);
  if (notes.length > 0 && out !== undefined && patch !== undefined)
    notes.push('wirecost: after.binpb has the old numbers: after.fds.binpb describes it, the patched files do not');
  return notes;
}

function reportLimit(
  { json }: Options,
  below: BelowLimit,
  ranked: readonly Advice[],
  limit: number,
  notes: readonly string[],
): Outcome {
  if (json) return success(`${JSON.stringify({ limit, ...below }, null, 2)}\n`, notes);
  const lines = [`The largest message takes ${printCount(below.largest)} bytes; the limit is ${printCount(limit)}.`];
  if (below.largest <= limit) lines.push('It is within the limit already.');
  const anew = rewrittenWords(below.largest, below.rewritten);
  if (anew !== '') lines.push(anew);
  if (below.largest > limit && below.rewritten > limit) {
    const { changes, fields } = below;
    if (changes === undefined) lines.push('No small set of changes brings it below.');
    else {
      lines.push(`With these changes it takes ${printCount(changes.largest)}:`);
      for (const id of changes.ids) lines.push(`  ${id}  ${ranked.find((row) => row.id === id)!.title}`);
    }
    if (fields === undefined) lines.push('No small set of fields makes up the excess.');
    else
      lines.push(
        `Without these fields it takes ${printCount(fields.largest)}:`,
        ...fields.names.map((name) => `  ${name}`),
      );
  }
  return success(lines.map((line) => `${line}\n`).join(''), notes);
}

async function measureTogether(advisor: Advisor, rows: readonly Advice[]): Promise<MeasuredChanges> {
  try {
    return await advisor.measure(mergeChanges(rows));
  } catch (error) {
    if (!(error instanceof ImpossibleChange)) throw error;
    const clashing = advisor.clashing(rows);
    const ids = (clashing.length === 0 ? rows : clashing).map(({ id }) => id);
    throw new Refusal(`Rows ${ids.join(', ')} do not go together: ${error.message}`);
  }
}

/** A change that two rows share is applied once. */
function mergeChanges(rows: readonly Advice[]): readonly Change[] {
  const byText = new Map<string, Change>();
  for (const change of rows.flatMap(({ changes }) => changes)) byText.set(JSON.stringify(change), change);
  return [...byText.values()];
}

interface Asked {
  readonly options: Options;
  readonly typed: TypedInputs;
  readonly advisor: Advisor;
  readonly rankedBy: string;
}

interface Found {
  readonly advice: readonly Advice[];
  readonly notes: readonly string[];
  readonly waste?: WasteReport;
  readonly batch?: Batches | undefined;
  /** The rows that the only row of `advice` applies together. */
  readonly chosen?: readonly Advice[];
}

function report(
  { options: { json, rate }, typed, advisor, rankedBy }: Asked,
  { advice, notes, waste, batch, chosen = [] }: Found,
): Outcome {
  const { schema, computed, capturedWith } = typed;
  const type = typed.type.fullName;
  const baseline = { ...advisor.baseline, computed, capturedWith };
  const flow = rate === undefined ? undefined : { messages: baseline.measured, rate };
  if (json)
    return success(
      `${JSON.stringify(
        { ...adviceJson(type, baseline, advice, (row) => patchOf(schema, row.edits).diff, flow), waste, batch },
        null,
        2,
      )}\n`,
      notes,
    );
  const isWasted = waste?.kinds.some(({ effort }) => effort === 'writer only') === true;
  const first = isWasted ? `${printWaste(type, waste, rankedBy, computed)}\n` : '';
  const last = batch === undefined ? '' : `\n${printBatches(batch, rankedBy)}`;
  if (chosen.length > 1) {
    // In a cell, the sentences of all rows would make a line as long as all of them.
    const rows = advice.map((row) => ({ ...row, title: `${chosen.length} changes together` }));
    return success(printChosen(chosen) + printAdvice(type, baseline, rows, rankedBy, flow), notes);
  }
  return success(first + printAdvice(type, baseline, advice, rankedBy, flow) + last, notes);
}

function reportWaste(
  { options, typed: { type, computed }, rankedBy }: Asked,
  waste: WasteReport,
  notes: readonly string[],
): Outcome {
  const text = options.json
    ? `${JSON.stringify(waste, null, 2)}\n`
    : printWaste(type.fullName, waste, rankedBy, computed);
  return success(text, notes);
}

/** The successor of remote write 1.0 ships with the tool. */
const SUCCESSOR = 'prometheus/remote-write-2.proto';

async function readAdvisedSchema({ schema: paths }: Options): Promise<SchemaFiles> {
  const schema = paths.length === 0 ? await readCaptureSchema(paths) : await readSchema(paths);
  const { messages } = schema.registry;
  schema.placeNames();
  if (!messages.has(REMOTE_WRITE_1) || messages.has(REMOTE_WRITE_2)) return schema;
  return readSchema([...paths, join(SCHEMAS, SUCCESSOR)]);
}

async function loadCompressors(
  { compressor }: Options,
  first: CompressorId,
): Promise<Pick<AdviceSubject, 'compressors' | 'others' | 'clock'> & { readonly rankedBy: string }> {
  if (compressor !== undefined && !IDS.some((id) => id === compressor)) {
    throw new BadArguments(`No compressor ${compressor}; there are ${IDS.join(', ')}`);
  }
  const ids = compressor === undefined ? IDS : [compressor as CompressorId];
  const load = async (id: CompressorId): Promise<MeasuringCompressor> => {
    const { compress } = await loadCompressor(id);
    return { id, size: async (bytes) => (await compress(bytes)).length };
  };
  const others = Object.fromEntries(IDS.map((id) => [id, () => load(id)]));
  const clock = () => performance.now();
  return { compressors: await Promise.all(ids.map(load)), others, clock, rankedBy: compressor ?? first };
}

async function readChangesFile(path: string): Promise<readonly Change[]> {
  const value = parseJson(await readText(path), path);
  const list = Array.isArray(value) ? value : ((value as { readonly changes?: unknown } | null)?.changes ?? undefined);
  if (!Array.isArray(list)) throw new Refusal(`${path} holds no array of changes`);
  return refusing(async () => readChanges(list));
}

async function refusing<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof ImpossibleChange) throw new Refusal(error.message);
    throw error;
  }
}

/** The messages and the schema after exactly the measured changes. */
async function writeOut(
  { out, patch }: Options,
  schema: SchemaFiles,
  advisor: Advisor,
  measured: MeasuredChanges,
): Promise<void> {
  const files: OutputFile[] = [];
  if (patch !== undefined) {
    const { diff, refused } = patchOf(schema, measured.edits);
    if (refused !== undefined) throw new Refusal(`There is no patch: ${refused}`);
    files.push({ path: patch, content: diff });
  }
  if (out !== undefined) {
    await makeFolder(out);
    const { applied, units } = measured;
    const messages = units.flatMap((unit) => unit.messages);
    const delimiter = units.length === 1 ? units[0]!.delimiter : null;
    // Without sizes, several messages would be read as one.
    const all = { delimiter: messages.length === 1 ? delimiter : (delimiter ?? 'varint'), messages };
    files.push({ path: join(out, 'after.binpb'), content: joinUnit(all) });
    const isOther = applied.afterRoot !== applied.root;
    const root = schema.registry.messages.get(applied.afterRoot)!.file;
    const set = schemaAfter(
      schema.sources,
      schema.registry,
      editsOf(advisor.forms, applied.after),
      (path) => isOther || !path.endsWith('remote-write-2.proto') || path === root,
    );
    files.push({ path: join(out, 'after.fds.binpb'), content: set });
  }
  await writeOutputs(files);
}
