/** Files that ship with the app: the schemas, as text in chunks of their own, and the samples beside the page. */

import { shippedPath } from '#engine/schema/shipped-path.ts';
import { loadPart } from '#state/load-part.ts';
import type { CaptureSample, Sample, Shipped } from '#state/opening/shipped.ts';
import sampleList from '../../public/samples/index.json?raw';

const SCHEMAS = import.meta.glob<string>('../../schemas/**/*.proto', { query: '?raw', import: 'default' });

const PATHS = Object.keys(SCHEMAS).map((address) => address.slice('../../schemas/'.length));

const addressOf = (path: string): string => `../../schemas/${path}`;

/** The file for an import of `src/imports`; the list of files is known once it is fetched. */
const IMPORTS =
  /^(google\/(api|longrunning|protobuf|rpc|type)|gogoproto|(buf\/)?validate|(udpa|xds)\/annotations(\/v3)?|protoc-gen-openapiv2\/options)\/[^/]+\.proto$/;

export const { captures: CAPTURES, samples: SAMPLES } = JSON.parse(sampleList) as {
  readonly captures: readonly CaptureSample[];
  readonly samples: readonly Sample[];
};

const importedFile = async (path: string): Promise<string | undefined> =>
  IMPORTS.test(path) ? (await loadPart(() => import('./imported-files.ts'))).IMPORTED.get(path) : undefined;

export const shipped: Shipped = {
  schemaPaths: PATHS,

  sampleBytes: (file) =>
    loadPart(async () => {
      const response = await fetch(new URL(`samples/${file}`, document.baseURI));
      if (!response.ok) throw new Error(`samples/${file}: ${response.status} ${response.statusText}`);
      return response.blob();
    }),

  findCapture: (id) => CAPTURES.find((capture) => capture.id === id),

  findSample: (id) => SAMPLES.find((sample) => sample.id === id),

  findSchema(imported) {
    const path = shippedPath(imported);
    return PATHS.includes(path) || IMPORTS.test(path) ? path : undefined;
  },

  async schemaFiles(paths) {
    const files = await Promise.all(
      paths.map(async (path) => {
        const shippedFile = SCHEMAS[addressOf(path)];
        const content = await (shippedFile ? loadPart(shippedFile) : importedFile(path));
        return content === undefined ? [] : [{ path, content }];
      }),
    );
    return files.flat();
  },
};
