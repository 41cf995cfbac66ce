/** Every recorded payload must be detected without options: as binary, and as one message or a size-prefixed stream. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesSource } from '#engine/bytes/source.ts';
import { readPayloads } from '#engine/frame/payload.ts';
import type { Check, Finding } from './check.ts';

const FOLDERS = ['apm', 'prometheus', 'vitess', 'otlp', 'opensearch'];
/** The least difference to the second best score; with a smaller one, the next recording may change the result. */
const MARGIN = 0.2;

export const detection: Check = {
  id: 'detection',
  title: 'text encoding and framing detected without options',
  run: detect,
};

async function* detect(folder: string): AsyncGenerator<Finding> {
  for (const below of FOLDERS) {
    const files = await readdir(join(folder, below), { recursive: true });
    for (const file of files
      .filter((name) => /\.binpb$|\.(typed|serde)\.bin$/.test(name) && !/descriptor/.test(name))
      .sort()) {
      const bytes = new Uint8Array(await readFile(join(folder, below, file)));
      const { textEncoding, framing, framings, unattributedBytes } = await readPayloads(
        bytesSource(file, bytes),
        {},
        () => {},
      );
      const expected = file.includes('.delim.') ? 'varint' : 'single';
      const margin = framings[0]!.score - framings[1]!.score;
      yield {
        name: `${below}/${file}`,
        differences: [
          textEncoding.id === 'binary' ? '' : `text encoding ${textEncoding.id} (${textEncoding.reason})`,
          framing.id === expected ? '' : `framing ${framing.id} (${framing.reason}), not ${expected}`,
          margin >= MARGIN ? '' : `only ${margin.toFixed(2)} ahead of ${framings[1]!.id}`,
          unattributedBytes === 0 ? '' : `${unattributedBytes} bytes unattributed`,
        ].filter((difference) => difference !== ''),
      };
    }
  }
}
