/** docs/native-layouts.md from recorded objects: tsx scripts/native-layouts.ts FOLDER, the folder that `npm run corpus` takes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from './corpus/check.ts';
import { readObjects } from './corpus/native-objects.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: tsx scripts/native-layouts.ts FOLDER');

const classes = new Map<string, { agree: number; all: number; laidOut: boolean }>();
for await (const { className, differences } of readObjects(folder)) {
  const known = classes.get(className) ?? { agree: 0, all: 0, laidOut: false };
  known.all++;
  if (differences !== undefined) known.laidOut = true;
  if (differences?.length === 0) known.agree++;
  classes.set(className, known);
}
const rows = [...classes].sort(([a], [b]) => (a < b ? -1 : 1));
const line = ([name, { agree, all }]: (typeof rows)[number]): string => `| \`${name}\` | ${agree} | ${all} |`;
const sum = (of: (entry: { agree: number; all: number }) => number, from: typeof rows): number =>
  from.reduce((total, [, entry]) => total + of(entry), 0);
const laidOut = rows.filter(([, entry]) => entry.laidOut);
const others = rows.filter(([, entry]) => !entry.laidOut);

await writeFile(
  join(PROJECT, 'docs/native-layouts.md'),
  `# Native layouts of OpenSearch

Objects recorded from OpenSearch 2.19.2, and search hits written at wire 2.19.2, 2.12.0 and 1.3.0, each with a trace of every call that wrote it. An object agrees if rows begin and end with every call, with its value, nothing is unattributed, and its bytes come back through protobuf (apart from what only the stream has). Written by \`tsx scripts/native-layouts.ts FOLDER\`; \`npm run corpus -- FOLDER native-objects\` checks the same.

The layouts are the .proto files of \`schemas/opensearch/\`; \`transport.proto\` says which messages an action sends.

| class | agree | objects |
|---|---:|---:|
${laidOut.map(line).join('\n')}
| **sum** | **${sum(({ agree }) => agree, laidOut)}** | **${sum(({ all }) => all, laidOut)}** |

Without a layout, shown as frame, header and opaque body: ${others.map(([name, { all }]) => `\`${name}\` (${all})`).join(', ')}.
`,
);
