/** docs/native-layouts.md from recorded objects: tsx scripts/native-layouts.ts FOLDER, the folder that `npm run corpus` takes. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
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

/** A class at a version; scripts/hold-truth.ts. */
interface Held {
  readonly category: string;
  readonly name: string;
  readonly version: string;
  readonly laidOut: boolean;
  readonly all: number;
  readonly agree: number;
  readonly stopped: number;
  readonly back: number;
}
const held = brotliDecompressSync(readFileSync(join(PROJECT, 'fixtures/native/agreement.tsv.br')))
  .toString('utf8')
  .trim()
  .split('\n')
  .map((line): Held => {
    const [category, name, , version, laidOut, all, agree, stopped, back] = line.split('\t');
    return {
      category: category!,
      name: name!,
      version: version!,
      laidOut: laidOut === '1',
      all: Number(all),
      agree: Number(agree),
      stopped: Number(stopped),
      back: Number(back),
    };
  });
const versions = [...new Set(held.map(({ version }) => version))].sort((x, y) =>
  x.localeCompare(y, 'en', { numeric: true }),
);
const total = (of: (row: Held) => number, rowsOf: readonly Held[]): number =>
  rowsOf.reduce((sumOf, row) => sumOf + of(row), 0);
const whole = (count: number): string => count.toLocaleString('en');
const byVersion = versions.map((version) => {
  const all = held.filter((row) => row.version === version);
  const named = all.filter(({ category }) => category !== 'message');
  const messages = all.filter(({ category }) => category === 'message');
  const laid = (of: readonly Held[]): string => `${of.filter((row) => row.laidOut).length} of ${of.length}`;
  const agreeing = all.filter((row) => row.agree + row.stopped === row.all).length;
  const differ = total(({ all: instances, agree, stopped }) => instances - agree - stopped, all);
  return `| ${version} | ${laid(named)} | ${laid(messages)} | ${agreeing} of ${all.length} | ${whole(total((row) => row.all, all))} | ${whole(total((row) => row.agree, all))} | ${total((row) => row.stopped, all)} | ${differ} |`;
});
const unlike = held.filter((row) => row.laidOut && row.agree + row.stopped < row.all);
const withoutLayout = [
  ...new Set(held.filter((row) => !row.laidOut).map(({ category, name }) => `${category} \`${name}\``)),
];

/** Instances of each named writeable of the registry, over the versions. */
const names = new Map<string, Held[]>();
for (const row of held) {
  if (row.category === 'message') continue;
  const key = `\`${row.category}\` | \`${row.name}\``;
  names.set(key, [...(names.get(key) ?? []), row]);
}
const registered = [...names]
  .sort(([x], [y]) => (x < y ? -1 : 1))
  .map(([key, of]) => {
    const instances = total(({ all }) => all, of);
    const read = total(({ agree }) => agree, of);
    const stopped = total((row) => row.stopped, of);
    const back = total((row) => row.back, of);
    const present = new Set(of.map(({ version }) => version));
    const first = versions.find((version) => present.has(version))!;
    const last = versions.findLast((version) => present.has(version))!;
    const readAs = read === instances ? 'yes' : `${read} of ${instances}${stopped > 0 ? `, ${stopped} in part` : ''}`;
    const writtenAs = back === read ? 'yes' : `${back} of ${read}`;
    return `| ${key} | ${readAs} | ${writtenAs} | ${first === versions[0] ? '' : first} | ${last === versions.at(-1) ? '' : last} |`;
  });

/** Libraries that wrote for an older node: writer, wire version, classes, instances that the older library reads, agreeing. */
const wires = readFileSync(join(PROJECT, 'fixtures/native/wires.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((text) => text.split('\t'))
  .map(
    ([writer, wire, kinds, all, agree]) =>
      `| ${writer} | ${wire} | ${kinds} | ${whole(Number(all))} | ${whole(Number(agree))} |`,
  );

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

All captures but those of 2.19.1: three nodes of OpenSearch (two of them with data), asked by 340 to 350 REST calls: every query and aggregation that the server's artifacts on Maven have, suggesters, highlighting, collapse, rescoring, scroll, PIT, multi-search, templates, bulk, get, update, reindex, by query, snapshots and restore, index and cluster administration, statistics, tasks, errors, and a node that leaves and comes back. Not covered: scripts other than Mustache, remote stores, and extensions.

Those of 2.19.1: three nodes, all with data and with the kNN plugin, under a mixed load, 28 minutes with more than 5,400 REST calls and an hour with 1,965: bulk and single writes, searches, statistics, snapshots and administration, most of them many times. In the hour a node leaves twice, once in an orderly way and once killed, and comes back. The vectors are of the engine \`lucene\`. kNN is in these captures only; no other release of the plugin was run.

| capture | messages | read to the last byte | bytes | explained |
|---|---:|---:|---:|---:|
| 2.19.2, first | 4,042 | 4,042 | 10,679,690 | 10,679,690 |
| 2.19.2, second, with other mappings | 5,202 | 5,202 | 5,232,753 | 5,232,753 |
| 2.19.2, third, under TLS 1.3 with the key log of a Java agent | 5,144 | 5,144 | 5,002,292 | 5,002,292 |
| 2.19.1 with the kNN plugin, 28 minutes | 80,405 | 80,405 | 86,961,721 | 86,961,721 |
| 2.19.1 with the kNN plugin, an hour | 59,382 | 59,382 | 18,440,142 | 18,440,142 |
| 2.19.7 | 4,726 | 4,726 | 5,222,023 | 5,222,023 |
| 3.9.0 | 5,775 | 5,775 | 7,124,700 | 7,124,700 |

\`npm run wirecost -- analyze CAPTURE\` ends with this coverage. The capture of 2.19.7 and the hour are in \`fixtures/capture\`. Where nodes publish a cluster state, the message holds it compressed. It is unpacked and read as a message in the message; its bytes, as captured, stay one value. In the captures of 2.19.7 and 3.9.0 all 718 states are read to the last byte, in the hour all 911.

## Held against the library

\`scripts/opensearch-truth/generate.sh\` lets each class of a version's library read itself from random numbers and write itself, up to 20 different times, with every call noted: the named writeables of its registry, and its transport messages. \`scripts/hold-truth.ts\` holds all of them against the layouts; this is what it counted. \`scripts/keep-truth.ts\` keeps some of each in \`fixtures/native/truth\`, which the unit tests read. An instance agrees if values of ours begin and end with each call and are what the call wrote. Each version was written by its own library. An instance counts if that library also reads it, to the last byte. Others cannot reach a node: most are a simulated pipeline's verbose documents, which a response that was read forgets, and digests with NaN. The classes include what nodes publish, whole and as diffs: cluster states, index metadata, and routing tables. 2.19.2 also wrote at 2.0, 2.4, 2.8, 2.15 and 2.17. \`fixtures/native/truth/2.19.2-earlier.tsv.br\` has what the library of that version reads of it, and the unit tests hold it: all agree.

A call is a letter and the number of bytes where it is not 1: b writeByte, B writeBytes, A byte arrays and references, O optional references, i Int, v VInt, l Long, V VLong, z ZLong, f Float, d Double, o Boolean, p optional Boolean, s String, t Text.

| version | named writeables with a layout | messages with a layout | classes that agree | instances | agree | read up to an undescribed part | differ |
|---|---:|---:|---:|---:|---:|---:|---:|
${byVersion.join('\n')}

A class has fewer than 20 instances where it has fewer states, or where its constructor refuses nearly all random numbers; the library's test framework is not used. Not made at all: pipeline aggregators, which travel no more since 7.8 of Elasticsearch, persistent tasks' parameters and states, which plugins register, and classes whose constructors read what a node keeps.

Without a layout: ${withoutLayout.length === 0 ? 'none' : withoutLayout.join(', ')}.

Differ: ${unlike.length === 0 ? 'none' : [...new Set(unlike.map(({ name, version }) => `\`${name}\` (${version})`))].join(', ')}.

With other random numbers, 24 instances a class (\`truth.Main\` with the seed 424242), the libraries of 1.0.0, 1.3.20, 2.4.0, 2.8.0, 2.12.0, 2.19.7, 3.2.0, 3.5.0, 3.7.0 and 3.9.0 gave 139,773 instances, and all agree. With the seed 20261123, those of 17 versions (1.0.0, 1.1.0, 1.2.0, 1.3.20, 2.0.0, 2.1.0, 2.2.0, 2.4.0, 2.8.0, 2.12.0, 2.15.0, 2.17.0, 2.19.7, 3.0.0, 3.2.0, 3.5.0 and 3.9.0) gave 239,610 instances, and all agree.

A newer library also writes for an older node (\`StreamOutput.setVersion\`). It writes at the wire version, the library of that version reads it, and the layouts of that version are held against what it reads:

| written by | wire version | classes | instances | agree |
|---|---|---:|---:|---:|
${wires.join('\n')}

Where a feature was new, a later library writes it otherwise even at the old version: decommissioning, weighted routing, segment replication, remote stores, batched shard fetches and extensions, at 2.2 to 2.13. The library of the old version does not read that. The layouts follow the old library, and reading stops where the two part.

\`scripts/opensearch-truth/wires.sh FOLDER LIBRARY_VERSION WIRE_VERSION…\` writes these instances; \`scripts/hold-truth.ts\` counts them, and \`fixtures/native/wires.tsv\` has the sums.

A value of any type (\`StreamOutput.writeGenericValue\`) has 28 types at 1.0 and 29 at 3.9. \`truth.AnyValue\` makes all of them, alone and in lists, sets and maps: 300 instances each at 1.0.0, 2.19.7 and 3.9.0, and 100 at 1.3.20 and 2.12.0, all agree, and the unit tests hold 180 of them.

Two modules register a query each, apart from those in the table: \`rank_feature\` of mapper-extras, held against its artifacts of 1.0.0, 2.19.7 and 3.9.0, and \`percolate\`, held against those of 2.19.4 and 3.8.0 (\`truth.Registered\`, what a registry has with a plugin and not without it): 100 instances, and all agree.

Searches that earlier layouts read past their end are written by the libraries of 2.19.7 and 3.9.0 from the JSON of a client (\`scripts/opensearch-truth/sources/sources.tsv\`, \`generate.sh OUT VERSION sources FILE\`): suggesters, rescoring, stored fields, script fields, collapse with inner hits, fuzziness of a match, terms with include and exclude, aggregations with scripts, nested sorts, \`bucket_sort\`, and all of them at once. In all 22 each call and value agrees, and the unit tests hold them. \`wirecost annotate FILE --framing native --type org.opensearch.stream.SearchSource\` shows such a file without one unattributed byte.

## Actions

A node of 2.19.2 registers 285 actions, one of 3.9.0 316 (\`scripts/opensearch-truth/node/truth/Actions.java\`; transport, reindex, join, percolator, matrix statistics, Mustache and rank evaluation as plugins); the kNN plugin registers 12 more. \`scripts/corpus/native-actions.test.ts\` looks for each in the schemas, and names the one without a layout: \`cluster:admin/snapshot/status[nodes]\`, whose request refuses to be written. The node asks itself, and sends \`[nodes][n]\` to others. Requests that reach a node through another one (\`TransportActionProxy\`), search templates, rank evaluation and the deletion of tasks are held against the libraries of 2.19.7 and 3.9.0: 1,043 instances, all agree. The statistics by node of remote stores and of stream ingestion are laid out from the code: their classes read the node's own state, so that no random instance can be made. The parameters of a persistent task are named writeables of plugins: reading stops at their name.

## Known gaps

- The query of a terms lookup (3.2 and later): the library writes it without its name and does not read it back, so no node can receive it.
- The kNN plugin at other releases than 2.19.1, 3.3.0 and 3.5.0. All its messages (statistics, warm-up, clearing of caches, models and their training) and all named writeables that it registers are held against the libraries of those three, of which Maven has the artifact (\`org.opensearch.plugin:opensearch-knn\`, a zip of 2.19.1.0, 3.3.0.0 and 3.5.0.0; \`scripts/opensearch-truth/plugins\`). The plugin registers its query, the list of models that are being deleted in the cluster state, whole and as a diff, and, from 3.3 on, the extension \`mmr\` of a search. They are held alone and inside of searches, cluster states and diffs of cluster states: 29 classes with 565 instances at 2.19.1, 30 classes with 605 instances at 3.3.0 and at 3.5.0, and all agree. Its 12 actions are among those above. Maven has no artifact of 2.19.4.0 and 3.0.0.0; others were not tried. \`since\` and \`until\` of other releases follow the version checks in the code.
- The aggregations \`geo_bounds\`, \`geohash_grid\` and \`geotile_grid\` after 2.2: they moved to the module geo, of which Maven has no artifact. They are read as before.
- What other plugins and modules register.

The release numbers of handshakes and of nodes are 1,000,000 × major + 10,000 × minor + 100 × patch + 99, XOR 0x08000000; the constants of each library are held against that in \`scripts/corpus/native-truth.test.ts\`.

## Named writeables

Since and until: the first and the last of these versions that lists it, where that is not the first or the last of all. Written: the instance comes back from protobuf byte for byte.

| category | name | read | written | since | until |
|---|---|---|---|---|---|
${registered.join('\n')}
`,
);
