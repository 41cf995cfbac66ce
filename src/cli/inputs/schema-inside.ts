/** Schemas among the inputs: beside the messages of a folder or of an archive, or named with them. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isSchemaName, mayBeMessage } from '#engine/model/schema-names.ts';
import { plainSources } from '#engine/schema/plain-sources.ts';
import type { Options } from '../options/arguments.ts';
import { plural } from '../output/text-table.ts';
import { expandInputs } from './expand-inputs.ts';
import { readWholeFile, refusing, withSource } from './file-source.ts';
import { isSchema } from './schema-files.ts';

const ARCHIVE = /\.(zip|tar|tgz|tar\.\w+)$/i;
/** A larger archive is a capture of messages; its schema is given by --schema. */
const MAX_ARCHIVE = 256 << 20;

/** Bytes of a file that are read to detect a schema. */
const HEAD = 1 << 14;

export interface SchemaInside {
  /** Files and archives, as `--schema` takes them. */
  readonly schema: readonly string[];
  /** The inputs without the files of the schema. */
  readonly inputs: readonly string[];
}

/** The inputs as files, and the schema of the options, or the one among the inputs. @throws Refusal */
export async function findSchema({
  inputs,
  schema,
}: Pick<Options, 'inputs' | 'schema'>): Promise<SchemaInside & { readonly notes: readonly string[] }> {
  const { paths, notes } = await expandInputs(inputs);
  if (schema.length > 0) return { schema, inputs: paths, notes };
  const inside = await schemaInside(paths);
  const [first, ...others] = inside.schema;
  if (first === undefined) return { ...inside, notes };
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'more file')}`;
  return { ...inside, notes: [...notes, `wirecost: read with the schema in ${first}${more}; --schema gives another`] };
}

/** @param inputs files. If all of them are schemas, they are inputs, and no schema */
async function schemaInside(inputs: readonly string[]): Promise<SchemaInside> {
  const schemas: string[] = [];
  const messages: string[] = [];
  for (const path of inputs) ((await isSchemaFile(path)) ? schemas : messages).push(path);
  if (messages.length === 0) return { schema: [], inputs };
  for (const path of messages) if (await holdsSchema(path)) schemas.push(path);
  return { schema: schemas, inputs: messages };
}

async function isSchemaFile(path: string): Promise<boolean> {
  if (!isSchemaName(path) || !mayBeMessage(path)) return isSchemaName(path);
  return withSource(path, async (source) => isSchema(path, await source.read(0, Math.min(source.size, HEAD))));
}

const holdsSchema = async (path: string): Promise<boolean> =>
  ARCHIVE.test(path) &&
  refusing(path, async () => {
    const { size } = await stat(path);
    if (size > MAX_ARCHIVE) return false;
    const { sources } = await plainSources([
      { path: basename(path), content: new Uint8Array(await readWholeFile(path)) },
    ]);
    return sources.length > 0;
  });
