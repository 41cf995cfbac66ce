/** An example of each command that runs unchanged in a checkout; `--help` ends with it. */
const HITS = 'public/samples/opensearch-search-hits.binpb --schema schemas/opensearch --schema schemas/native';
const CAPTURE = 'public/samples/opensearch-search.pcap';
const WRITES = 'public/samples/prometheus-remote-write-1.binpb';

export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  analyze: [`wirecost analyze ${HITS}`, `wirecost analyze ${CAPTURE} --json`, 'tcpdump -w - | wirecost analyze -'],
  annotate: [`wirecost annotate ${WRITES} --schema schemas/prometheus`],
  messages: [`wirecost messages ${CAPTURE}`],
  layers: [`wirecost layers ${CAPTURE}`],
  matrix: [`wirecost matrix ${WRITES} --schema schemas/prometheus`],
  bits: ['wirecost bits fixtures/bits/remote-write.go-s2.snappy --schema schemas/prometheus'],
  diff: [
    `wirecost diff ${WRITES} public/samples/prometheus-remote-write-2.binpb --schema schemas/prometheus`,
    `wirecost diff ${WRITES} public/samples/prometheus-remote-write-2.binpb --schema schemas/prometheus --compressor snappy,zstd`,
  ],
  report: [`wirecost report ${HITS} --out report`],
  advise: [`wirecost advise ${HITS} --compressor zstd`],
  compare: ['wirecost compare schemas/prometheus/remote-write-1.proto schemas/prometheus/remote-write-2.proto'],
  check: [`wirecost check ${HITS} --budget budget.json`],
  figures: ['wirecost figures docs/compression.md'],
  map: [`wirecost map ${WRITES} --schema schemas/prometheus > partials.ndjson`],
  merge: ['wirecost merge partials.ndjson'],
  open: [`wirecost open ${CAPTURE}`],
};
