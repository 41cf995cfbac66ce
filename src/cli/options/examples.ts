/** Examples of each command that run unchanged, in their order; `--help` ends with them. */
import { join, relative } from 'node:path';

const HITS =
  'public/samples/opensearch-search-hits.binpb --schema schemas/opensearch --schema schemas/native --type search.SearchHitsProto';
const CAPTURE = 'public/samples/opensearch-search.pcap';
const WRITES = 'public/samples/prometheus-remote-write-1.binpb';

/** The paths are those of a checkout, from its folder. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  analyze: [`wirecost analyze ${HITS}`, `wirecost analyze ${CAPTURE} --json`, 'tcpdump -w - | wirecost analyze -'],
  annotate: [`wirecost annotate ${WRITES} --schema schemas/prometheus`],
  messages: [`wirecost messages ${CAPTURE}`],
  layers: [`wirecost layers ${CAPTURE}`],
  matrix: [`wirecost matrix ${WRITES} --schema schemas/prometheus`],
  bits: [`gzip -c ${WRITES} | wirecost bits - --schema schemas/prometheus`],
  diff: [
    `wirecost diff ${WRITES} public/samples/prometheus-remote-write-2.binpb --schema schemas/prometheus`,
    `wirecost diff ${WRITES} public/samples/prometheus-remote-write-2.binpb --schema schemas/prometheus --compressor snappy,zstd`,
  ],
  report: [`wirecost report ${HITS} --out report`],
  advise: [`wirecost advise ${HITS} --compressor zstd`],
  compare: ['wirecost compare schemas/prometheus/remote-write-1.proto schemas/prometheus/remote-write-2.proto'],
  check: [`wirecost check ${HITS} --budget budget.json --write`, `wirecost check ${HITS} --budget budget.json`],
  figures: ['wirecost figures rfc.md --write'],
  map: [`wirecost map ${WRITES} --schema schemas/prometheus > partials.ndjson`],
  merge: ['wirecost merge partials.ndjson'],
  open: [`wirecost open ${CAPTURE}`],
};

/** Where a package has the folders of the examples. */
const PACKED: Readonly<Record<string, string>> = { 'public/samples': 'dist/samples', schemas: 'schemas' };

/**
 * @param home folder of the checkout, or of the package @param here folder of the reader
 * @returns the example with the shortest paths that lead from `here` to the files
 */
export function placedExample(line: string, home: string, isPacked: boolean, here: string): string {
  const way = relative(here, home);
  const shortest = way.length < home.length ? way : home;
  return line.replace(/(?<=^| )(public\/samples|schemas)\//g, (_, folder: string) => {
    const path = join(shortest, isPacked ? PACKED[folder]! : folder);
    return `${path}/`;
  });
}
