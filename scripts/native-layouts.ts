/** docs/native-layouts.md from recorded objects: tsx scripts/native-layouts.ts FOLDER, the folder that `npm run corpus` takes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from './corpus/check.ts';
import { readObjects } from './corpus/native-objects.ts';
import { bundledRegistry, compareInstance, keptTruth, readInstances, typeOf } from './corpus/native-truth.ts';

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

/** By category of the registry: its names, those with a layout, and of the instances those that agree, by version. */
interface Kinds {
  readonly names: Set<string>;
  readonly missing: Set<string>;
  readonly versions: Map<string, { agree: number; all: number }>;
}
const categories = new Map<string, Kinds>();
const registry = await bundledRegistry();
for (const text of keptTruth().values()) {
  for (const instance of readInstances(text)) {
    const { category, name, version } = instance;
    const kinds: Kinds = categories.get(category) ?? { names: new Set(), missing: new Set(), versions: new Map() };
    categories.set(category, kinds);
    kinds.names.add(name);
    const type = typeOf(registry, category, name);
    if (type === undefined) {
      kinds.missing.add(name);
      continue;
    }
    const sums = kinds.versions.get(version) ?? { agree: 0, all: 0 };
    kinds.versions.set(version, sums);
    sums.all++;
    if (compareInstance(type, instance) === undefined) sums.agree++;
  }
}
const versions = [...new Set([...categories.values()].flatMap((kinds) => [...kinds.versions.keys()]))].sort((a, b) =>
  a.localeCompare(b, 'en', { numeric: true }),
);
const written = [...categories]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([category, kinds]) => {
    const cells = versions.map((version) => {
      const sums = kinds.versions.get(version);
      return sums === undefined ? '' : `${sums.agree} of ${sums.all}`;
    });
    return `| ${category === 'message' ? 'transport messages' : `\`${category}\``} | ${kinds.names.size - kinds.missing.size} of ${kinds.names.size} | ${cells.join(' | ')} |`;
  });
const missing = [...categories]
  .filter(([, kinds]) => kinds.missing.size > 0)
  .map(([category, kinds]) => `${category}: ${[...kinds.missing].map((name) => `\`${name}\``).join(', ')}.`);

await writeFile(
  join(PROJECT, 'docs/native-layouts.md'),
  `# Native layouts of OpenSearch

Objects recorded from OpenSearch 2.19.2, and search hits written at wire 2.19.2, 2.12.0 and 1.3.0, each with a trace of every call that wrote it. An object agrees if every call has a row with the same bytes and value, no byte is unattributed, and its bytes come back through protobuf (apart from what only the stream has). Written by \`tsx scripts/native-layouts.ts FOLDER\`; \`npm run corpus -- FOLDER native-objects\` checks the same.

The layouts are the .proto files of \`schemas/opensearch/\`; \`transport.proto\` says which messages an action sends.

| class | agree | objects |
|---|---:|---:|
${laidOut.map(line).join('\n')}
| **sum** | **${sum(({ agree }) => agree, laidOut)}** | **${sum(({ all }) => all, laidOut)}** |

${others.length === 0 ? '' : `Without a layout, shown as frame, header and opaque body: ${others.map(([name, { all }]) => `\`${name}\` (${all})`).join(', ')}.\n`}
## Live clusters

Three nodes of OpenSearch 2.19.2 (two of them with data), asked by 330 REST calls: every query and aggregation that the server's artifacts on Maven have, suggesters, highlighting, collapse, rescoring, scroll, PIT, multi-search, templates, bulk, get, update, reindex, by query, snapshots and restore, index and cluster administration, statistics, tasks, errors, and a node that leaves and comes back. Not covered: kNN, scripts other than Mustache, remote stores, and extensions.

| capture | messages | read to the last byte | bytes | explained |
|---|---:|---:|---:|---:|
| first | 4,042 | 4,042 | 10,679,690 | 10,679,690 |
| second, with other mappings | 5,202 | 5,202 | 5,232,753 | 5,232,753 |
| third, under TLS 1.3 with the key log of a Java agent | 5,144 | 5,144 | 5,002,292 | 5,002,292 |

\`npm run wirecost -- analyze CAPTURE\` ends with this coverage. The captures are not kept in the repository.

## Held against the library

Named writeables by the category of OpenSearch's registry, and transport messages. \`scripts/opensearch-truth/generate.sh\` lets each class read itself from random numbers and write itself at a wire version, with every call noted; \`scripts/keep-truth.ts\` keeps some of each in \`fixtures/native/truth\`. An instance agrees if values of ours begin and end with each call and are what the call wrote. Versions to 2.19.2 were written by OpenSearch 2.19.2, 3.9.0 by itself.

A call is a letter and the number of bytes where it is not 1: b writeByte, B writeBytes, A byte arrays and references, O optional references, i Int, v VInt, l Long, V VLong, z ZLong, f Float, d Double, o Boolean, p optional Boolean, s String, t Text.

| category | with a layout | ${versions.join(' | ')} |
|---|---:|${versions.map(() => '---:|').join('')}
${written.join('\n')}

Without a layout:

${missing.join('\n\n')}

Known gaps of the layouts: packed filters of rare terms beyond 10,000 terms, cache statistics by level, the query of a terms lookup (3.2 and later), extra field values (3.7 and later), profiles of fetches (3.2 and later), and what plugins register. The 3.9.0 instances of \`matrix_stats\` do not agree and are not kept, nor are differences of customs (\`NamedDiff\`), which are laid out and not yet held against the library.
`,
);
