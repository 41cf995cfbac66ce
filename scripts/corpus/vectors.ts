/** Vectors that other projects test their own readers with: HPACK stories, pcapng files, snappy streams, zstd frames. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesSource } from '#engine/bytes/source.ts';
import { sumLayers } from '#engine/capture/containers/packets-layers.ts';
import { PLAIN_LIMIT } from '#engine/compression/codec.ts';
import { decodeSnappy } from '#engine/compression/snappy.ts';
import { decodeZstd } from '#engine/compression/zstd.ts';
import { readCapture } from '#engine/frame/read-capture.ts';
import { HpackDecoder } from '#engine/frame/transport/hpack.ts';
import { type Check, Differences, readBytes } from './check.ts';

interface Story {
  readonly cases: readonly { readonly wire: string; readonly headers: readonly Readonly<Record<string, string>>[] }[];
}

export const hpack: Check = {
  id: 'hpack',
  title: 'HPACK stories: every header list as written',
  async *run(folder) {
    for (const [writer, file, path] of await filesByFolder(join(folder, 'vectors', 'hpack'), '.json')) {
      const { cases } = JSON.parse(await readFile(path, 'utf8')) as Story;
      const differences = new Differences();
      const decoder = new HpackDecoder();
      for (const [at, { wire, headers }] of cases.entries()) {
        const { headers: decoded, sound } = decoder.decode(new Uint8Array(Buffer.from(wire, 'hex')));
        if (!sound) differences.add(`block ${at} is not sound`);
        const text = decoded.map(({ name, value }) => ({
          [name ?? '']: Buffer.from(value ?? '', 'latin1').toString(),
        }));
        differences.expect(`block ${at}`, text, headers);
      }
      if (cases.length === 0) differences.add('no header block');
      yield { name: `${writer}/${file}`, differences: differences.list };
    }
  },
};

export const pcapng: Check = {
  id: 'pcapng',
  title: 'pcapng files: every packet block is a packet, every byte has a layer',
  async *run(folder) {
    const below = join(folder, 'vectors', 'pcapng-test-generator', 'output_le');
    for (const [kind, file, path] of await filesByFolder(below, '.pcapng')) {
      const text = await readFile(path.replace('.pcapng', '.txt'), 'utf8');
      const packets = [...text.matchAll(/^\t(?:EPB|SPB|PB|OPB): (\d+)$/gm)];
      const bytes = await readBytes(path);
      const facts = await readCapture(bytesSource(file, bytes), () => {});
      const differences = new Differences();
      differences.expect(
        'packets',
        facts.packets,
        packets.reduce((sum, [, count]) => sum + Number(count), 0),
      );
      differences.expect('sum of the layers', sumLayers(facts.layers), bytes.length);
      differences.expect('bytes unattributed', facts.layers.unattributed, 0);
      differences.expect(
        'diagnostics',
        facts.diagnostics.map(({ code }) => code),
        [],
      );
      yield { name: `${kind}/${file}`, differences: differences.list };
    }
  },
};

export const snappy: Check = {
  id: 'snappy',
  title: 'snappy streams: corrupt ones are refused, request bodies come out as other software unpacks them',
  async *run(folder) {
    const vectors = join(folder, 'vectors', 'snappy');
    for (const name of (await readdir(vectors)).filter((file) => /^baddata.*\.snappy$/.test(file)).sort()) {
      const { ok } = decodeSnappy(await readBytes(vectors, name), PLAIN_LIMIT);
      yield { name, differences: ok ? ['is not refused'] : [] };
    }
    const prometheus = join(folder, 'prometheus');
    const packed = (await readdir(prometheus, { recursive: true })).filter((file) => /\.(snappy|body)$/.test(file));
    for (const name of packed.sort()) {
      const plain = await readBytes(prometheus, name.replace(/\.(snappy|body)$/, '.binpb'));
      const decoded = decodeSnappy(await readBytes(prometheus, name), PLAIN_LIMIT);
      const same = decoded.ok && Buffer.compare(decoded.bytes, plain) === 0;
      yield { name, differences: same ? [] : [decoded.ok ? 'other bytes come out' : 'is refused'] };
    }
  },
};

/** Plain sizes that the reference program gives. */
const ZSTD_SIZES: Readonly<Record<string, number>> = {
  'block-128k.zst': 131_068,
  'empty-block.zst': 0,
  'rle-first-block.zst': 1_048_576,
  'zeroSeq_2B.zst': 13,
};

export const zstd: Check = {
  id: 'zstd',
  title: 'zstd frames: sound ones come out, the others are refused',
  async *run(folder) {
    for (const [kind, name, path] of await filesByFolder(join(folder, 'vectors', 'zstd'), '.zst')) {
      const decoded = decodeZstd(await readBytes(path), PLAIN_LIMIT);
      const differences = new Differences();
      if (kind.endsWith('errors')) {
        if (decoded.ok) differences.add('is not refused');
      } else if (!decoded.ok) differences.add(`is refused: ${decoded.detail}`);
      else differences.expect('plain bytes', decoded.bytes.length, ZSTD_SIZES[name] ?? decoded.bytes.length);
      yield { name: `${kind}/${name}`, differences: differences.list };
    }
  },
};

/** `[folder, file, path]` of the files one folder down. */
async function filesByFolder(root: string, ending: string): Promise<readonly (readonly [string, string, string])[]> {
  const folders = (await readdir(root)).sort();
  const files = await Promise.all(folders.map((folder) => readdir(join(root, folder))));
  return folders.flatMap((folder, at) =>
    files[at]!.filter((file) => file.endsWith(ending))
      .sort()
      .map((file) => [folder, file, join(root, folder, file)] as const),
  );
}
