/**
 * Every instance of generate.sh's output against the layouts: tsx scripts/hold-truth.ts OUT FILE… — OUT gets a line for
 * each class and version, and what does not agree is printed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { bundledRegistry, comesBack, compareInstance, readInstances, typeOf } from './corpus/native-truth.ts';

const [out, ...files] = process.argv.slice(2);
if (out === undefined || files.length === 0) throw new Error('usage: tsx scripts/hold-truth.ts OUT FILE…');
const registry = await bundledRegistry();
const lines: string[] = [];
for (const file of files) {
  const classes = new Map<string, { all: number; agree: number; stopped: number; back: number; laidOut: boolean }>();
  for (const instance of readInstances(readFileSync(file, 'utf8'))) {
    const key = `${instance.category}\t${instance.name}\t${instance.className}\t${instance.version}`;
    const sums = classes.get(key) ?? { all: 0, agree: 0, stopped: 0, back: 0, laidOut: true };
    classes.set(key, sums);
    sums.all++;
    const type = typeOf(registry, instance);
    if (type === undefined) {
      sums.laidOut = false;
      continue;
    }
    const difference = compareInstance(type, instance);
    if (difference === 'stopped') sums.stopped++;
    else if (difference === undefined) sums.agree++;
    else console.log(`${key.replaceAll('\t', ' ')}: ${difference}`);
    if (difference === undefined && comesBack(type, instance)) sums.back++;
  }
  for (const [key, { all, agree, stopped, back, laidOut }] of classes) {
    lines.push([key, laidOut ? 1 : 0, all, agree, stopped, back].join('\t'));
  }
}
writeFileSync(out, brotliCompressSync(`${lines.join('\n')}\n`));
