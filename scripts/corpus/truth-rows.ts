/** The rows of every payload with a truth file, added up by field path: the way a single message is shown, not the scan. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesSource } from '#engine/bytes/source.ts';
import { readPayloads } from '#engine/frame/payload.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { addRows, emptyLedger } from '#engine/wire/path-totals.ts';
import { readSchemaFiles } from '../../src/cli/inputs/schema-files.ts';
import { type Check, Differences, type Finding, PROJECT, readBytes } from './check.ts';
import type { Truth } from './truth.ts';

export const truthByRows: Check = {
  id: 'truth-rows',
  title: 'truth files, from the rows of each message',
  run: compareRows,
};

async function* compareRows(folder: string): AsyncGenerator<Finding> {
  const { registry } = compileSchema(await readSchemaFiles([join(PROJECT, 'schemas')]));
  for (const file of (await readdir(join(folder, 'truth'))).sort()) {
    const truth = JSON.parse(await readFile(join(folder, 'truth', file), 'utf8')) as Truth;
    const source = bytesSource(truth.payload, await readBytes(folder, truth.payload));
    const ledger = emptyLedger();
    const differences = new Differences();
    await readPayloads(source, {}, (_, payload) => {
      const { table, diagnostics } = annotate(payload, registry.messages.get(truth.type));
      differences.add(...diagnostics.map(({ message }) => message));
      addRows(ledger, table, payload);
    });
    differences.expect('bytes unattributed', ledger.unattributed, 0);
    const theirs = new Map(truth.fields.map((field) => [field.path, field]));
    for (const path of new Set([...ledger.fields.keys(), ...theirs.keys()])) {
      const [us, them] = [ledger.fields.get(path), theirs.get(path)];
      differences.expect(
        path,
        us && [us.number, us.occurrences, us.elements, us.packedRuns, us.tag, us.length, us.value],
        them && [
          them.number,
          them.occurrences,
          them.elements,
          them.packed_runs ?? 0,
          them.tag_bytes,
          them.len_bytes,
          them.value_bytes,
        ],
      );
    }
    yield { name: truth.payload, differences: differences.list };
  }
}
