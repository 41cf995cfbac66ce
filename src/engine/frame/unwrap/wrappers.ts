/** All wrappers that an input may have. To add a wrapper, add a row to `CODECS` or `CONTAINERS`. */

import { TEXT_ENCODINGS } from '../../capture/text/detect-text-encoding.ts';
import { envoyTracesOfJson } from '../../capture/text/envoy-json.ts';
import { pcapngOfWiresharkJson } from '../../capture/text/wireshark-json.ts';
import { tarEntries } from '../../compression/archives/tar.ts';
import { zipEntries } from '../../compression/archives/zip.ts';
import { SLICE, type Slices } from '../../compression/codec.ts';
import { decodeOwned } from '../../compression/registry.ts';
import { bytesInJson } from './bytes-in-json.ts';
import { kubernetesObject } from './kubernetes.ts';
import { messagesInLines } from './lines.ts';
import { WRAPPER_LABELS, type WrapperId } from './wrapper-labels.ts';

export interface PackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A single content, whose type an envelope may name, or several files. */
export type WrapperContents =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly type?: string | undefined }
  | { readonly ok: true; readonly files: readonly PackedFile[] }
  | { readonly ok: false; readonly code: string; readonly detail: string };

export interface Wrapper {
  readonly id: string;
  readonly label: string;
  /** Id of its codec in the registry; null: it is not a compression. */
  readonly codec: string | null;
  readonly open: (bytes: Uint8Array, limit: number) => Slices<WrapperContents>;
}

const fail = (code: string, detail: string): WrapperContents => ({ ok: false, code, detail });

const codec = (id: WrapperId): Wrapper => ({
  id,
  label: WRAPPER_LABELS[id],
  codec: id,
  *open(bytes, limit) {
    const decoded = yield* decodeOwned(bytes, id, limit);
    return decoded.ok ? decoded : fail(decoded.reason, decoded.detail);
  },
});

/** Opens without a pause. */
function atHand(open: (bytes: Uint8Array) => WrapperContents): Wrapper['open'] {
  // biome-ignore lint/correctness/useYield: it is quick
  return function* (bytes) {
    return open(bytes);
  };
}

const CODECS = ['gzip', 'deflate', 'zstd', 'lz4-frame', 'lz4-block', 'snappy', 'snappy-framed', 'brotli'] as const;

const CONTAINERS: Readonly<Record<Exclude<WrapperId, (typeof CODECS)[number]>, Wrapper['open']>> = {
  tar: atHand((bytes) => ({
    ok: true,
    files: tarEntries(bytes).map(({ path, start, end }) => ({ path, bytes: bytes.subarray(start, end) })),
  })),
  zip: openZip,
  json: atHand((bytes) => {
    const found = bytesInJson(new TextDecoder().decode(bytes), null);
    return found === null ? fail('malformed', 'no JSON with base64 in it') : { ok: true, files: found.files };
  }),
  lines: atHand((bytes) => {
    const files = messagesInLines(bytes, true);
    return files === null ? fail('malformed', 'no lines of base64 or hex alone') : { ok: true, files };
  }),
  kubernetes: atHand((packed) => {
    const object = kubernetesObject(packed);
    return object === null
      ? fail('malformed', 'no whole object behind k8s and a zero')
      : { ok: true, bytes: packed.slice(object.start, object.end), type: object.type ?? undefined };
  }),
  envoy: atHand((json) => ({ ok: true, bytes: envoyTracesOfJson(json) })),
  wireshark: atHand((json) => {
    const capture = pcapngOfWiresharkJson(json);
    return capture === null ? fail('malformed', 'no packet with its bytes') : { ok: true, bytes: capture };
  }),
};

const WRAPPERS: readonly Wrapper[] = [
  ...CODECS.map(codec),
  ...Object.entries(CONTAINERS).map(([id, open]) => ({
    id,
    label: WRAPPER_LABELS[id as keyof typeof CONTAINERS],
    codec: null,
    open,
  })),
  ...TEXT_ENCODINGS.flatMap(({ id, label, read }): readonly Wrapper[] =>
    read === null
      ? []
      : [{ id, label, codec: null, open: atHand((bytes) => ({ ok: true, bytes: read(bytes).bytes.slice() })) }],
  ),
];

export const wrapperOf = (id: string): Wrapper | undefined => WRAPPERS.find((wrapper) => wrapper.id === id);

function* openZip(bytes: Uint8Array, limit: number): Slices<WrapperContents> {
  const entries = zipEntries(bytes);
  if (entries === undefined) return fail('malformed', 'the archive has no directory: it is cut off, or damaged');
  let left = limit;
  let pause = limit - SLICE;
  const files: PackedFile[] = [];
  for (const { path, unpack } of entries) {
    const unpacked = yield* unpack(left);
    if (!unpacked.ok && unpacked.reason === 'limit')
      return fail('limit', `"${path}" unpacks to more than is read here`);
    if (!unpacked.ok) continue;
    left -= unpacked.bytes.length;
    if (left < pause) {
      pause = left - SLICE;
      yield;
    }
    files.push({ path, bytes: unpacked.bytes });
  }
  return { ok: true, files };
}
