/** `--schema` and `--type` → the registry, and the type that the messages are instances of. */

import { join } from 'node:path';
import { checkNativeOptions } from '#engine/native/check-options.ts';
import { clearWinner, rankTypes } from '#engine/rank-types.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { Refusal } from './outcome.ts';
import { printDiagnostic } from './report-text.ts';
import { readSchemaFiles } from './schema-files.ts';
import { printPercent } from './text-table.ts';

/** @throws Refusal where the schema has errors: figures of half a schema would look like figures. */
export async function readRegistry(paths: readonly string[]): Promise<Registry> {
  const files = await readSchemaFiles(paths);
  if (files.length === 0) throw new Refusal(`No .proto file and no descriptor set in ${paths.join(', ')}`);
  const { registry, symbols, diagnostics } = compileSchema(files);
  const errors = [...diagnostics, ...checkNativeOptions({ registry, symbols })].filter(
    ({ severity }) => severity === 'error',
  );
  if (errors.length > 0) throw new Refusal('The schema has errors', errors.map(printDiagnostic));
  return registry;
}

/** What captures are read with where no --schema is given. */
const BUNDLED = join(import.meta.dirname, '../../schemas');

/** Those given, else the bundled ones; the note says which were not asked for. */
export async function readCaptureRegistry(paths: readonly string[]): Promise<{ registry: Registry; notes: string[] }> {
  if (paths.length > 0) return { registry: await readRegistry(paths), notes: [] };
  return {
    registry: await readRegistry([BUNDLED]),
    notes: ['wirecost: read with the bundled schemas; --schema gives others'],
  };
}

/** By its full name or, where only one type ends so, the end of it. @throws Refusal */
export function findType(registry: Registry, name: string): MessageDescriptor {
  const wanted = name.replace(/^\./, '');
  const exact = registry.messages.get(wanted);
  if (exact !== undefined) return exact;
  const ending = [...registry.messages.values()].filter((type) => type.fullName.endsWith(`.${wanted}`));
  if (ending.length === 1) return ending[0]!;
  const known = ending.length > 1 ? ending : [...registry.messages.values()].filter((type) => !type.isMapEntry);
  const names = known.map((type) => type.fullName);
  const shown = names.length > 20 ? [...names.slice(0, 20), `and ${names.length - 20} more`] : names;
  throw new Refusal(
    `${ending.length > 1 ? `Several types are called ${wanted}` : `No message type ${wanted} in the schema`}: ${shown.join(', ')}`,
  );
}

/** The type that explains the messages best. @throws Refusal where that is not clear. */
export function chooseType(
  registry: Registry,
  messages: readonly Uint8Array[],
): { type: MessageDescriptor; note: string } {
  const ranked = rankTypes(registry, messages);
  const winner = clearWinner(ranked);
  const list = ranked.slice(0, 5).map(({ type, score }) => `  ${type.fullName} explains ${printPercent(score)}`);
  if (winner === undefined) {
    throw new Refusal('It is not clear which type the messages are of; choose one with --type', list);
  }
  return {
    type: winner.type,
    note: `wirecost: read as ${winner.type.fullName}, which explains ${printPercent(winner.score)} of the bytes; --type chooses another`,
  };
}
