/**
 * The output of a generate.sh, in the form that fixtures/ keeps: tsx scripts/keep-truth.ts OUT INSTANCES FILE… It keeps
 * the first instances of each class and version, each once, the registry's entries without an instance, and records and
 * releases as they are.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const [out, instances, ...files] = process.argv.slice(2);
if (out === undefined || files.length === 0) throw new Error('usage: tsx scripts/keep-truth.ts OUT INSTANCES FILE…');
const kept = new Map<string, Set<string>>();
for (const file of files) {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [kind, category, name, className, version] = line.split('\t');
    if (kind === 'records' || kind === 'release') kept.set(line, new Set([line]));
    if (kind !== 'instance' && kind !== 'none') continue;
    const key = [kind, category, name, kind === 'none' ? className : '', version].join('\t');
    const lines = kept.get(key) ?? new Set<string>();
    if (lines.size < Number(instances)) lines.add(kind === 'none' ? line.split('\t').slice(0, 5).join('\t') : line);
    kept.set(key, lines);
  }
}
const text = `${[...kept.values()].flatMap((lines) => [...lines]).join('\n')}\n`;
writeFileSync(
  out,
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 } }),
);
