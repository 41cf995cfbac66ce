/** What ships with the app: the schemas, as text in chunks of their own, and the samples beside the page. */
import type { CaptureSample, Sample, Shipped } from '#state/shipped.ts';
import sampleList from '../../public/samples/index.json?raw';

const SCHEMAS = import.meta.glob<string>('../../schemas/**/*.proto', { query: '?raw', import: 'default' });

const PATHS = Object.keys(SCHEMAS).map((address) => address.slice('../../schemas/'.length));

const addressOf = (path: string): string => `../../schemas/${path}`;

export const { captures: CAPTURES, samples: SAMPLES } = JSON.parse(sampleList) as {
  readonly captures: readonly CaptureSample[];
  readonly samples: readonly Sample[];
};

export const shipped: Shipped = {
  schemaPaths: PATHS,

  // The file counts as one that comes on demand, as the module that names it does.
  zstdAddress: async () => (await import('./zstd-address.ts')).ZSTD_ADDRESS,

  async sampleBytes(file) {
    const response = await fetch(new URL(`samples/${file}`, document.baseURI));
    if (!response.ok) throw new Error(`samples/${file}: ${response.status} ${response.statusText}`);
    return response.blob();
  },

  findSample: (id) => SAMPLES.find((sample) => sample.id === id),

  findSchema(imported) {
    if (PATHS.includes(imported)) return imported;
    const longer = PATHS.filter((path) => path.endsWith(`/${imported}`));
    return longer.length === 1 ? longer[0] : undefined;
  },

  schemaFiles: (paths) =>
    Promise.all(
      paths.map(async (path) => {
        const load = SCHEMAS[addressOf(path)];
        if (!load) throw new Error(`No schema of the app is called ${path}.`);
        return { path, content: await load() };
      }),
    ),
};
