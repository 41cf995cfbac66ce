/**
 * Shared data ⇄ JSON with a profile as columns, and separate bytes: `{"bytes":[start,end]}` replaces them. All data
 * that is read back has passed the upgraders and the validation in `shared.ts`.
 */
import { isObject } from './columns.ts';
import { faulty, type Opening } from './fault.ts';
import { packProfile, unpackProfile } from './pack-profile.ts';
import { checkShared, type Shared } from './shared.ts';
import { upgrade } from './upgrades.ts';

export interface PackedShared {
  readonly json: string;
  readonly bytes: Uint8Array;
}

export function packShared({ source, made, view, data, baseline }: Shared): PackedShared {
  const blobs: Uint8Array[] = [];
  let size = 0;
  const json = JSON.stringify(
    {
      source,
      made,
      view,
      data: data.kind === 'profile' ? { ...data, profile: packProfile(data.profile as never) } : data,
      ...(baseline ? { baseline: { ...baseline, profile: packProfile(baseline.profile as never) } } : {}),
    },
    (_, value: unknown) => {
      if (!(value instanceof Uint8Array)) return value;
      blobs.push(value);
      size += value.length;
      return { bytes: [size - value.length, size] };
    },
  );
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const blob of blobs) {
    bytes.set(blob, at);
    at += blob.length;
  }
  return { json, bytes };
}

export function unpackShared(json: string, bytes: Uint8Array, version: number): Opening<Shared> {
  let shared: unknown;
  // Each byte is named at most once, so that a small link cannot name many bytes.
  let taken = 0;
  const place = (value: unknown): unknown => {
    if (!isPlace(value) || value.bytes[0] !== taken || value.bytes[1] > bytes.length) return value;
    const start = taken;
    taken = value.bytes[1];
    return bytes.slice(start, taken);
  };
  try {
    shared = JSON.parse(json, (_, value: unknown) => place(value));
  } catch {
    return faulty('malformed', 'Its text is not valid JSON.');
  }
  if (taken !== bytes.length) return faulty('malformed', 'It holds bytes that its text does not name.');
  return admit(unpackData(shared), version);
}

/** The only entry: data of an older version is upgraded, and then everything is validated. */
export function admit(shared: unknown, version: number): Opening<Shared> {
  const checked = checkShared(upgrade(shared, version));
  return checked.ok ? checked : faulty('malformed', `It is not a valid analysis: ${checked.detail}.`);
}

function unpackData(shared: unknown): unknown {
  const { data, baseline } = (shared ?? {}) as { readonly data?: Packed; readonly baseline?: Packed };
  return {
    ...(shared as object),
    ...(data?.kind === 'profile' ? { data: { ...data, profile: unpackProfile(data.profile) } } : {}),
    ...(baseline ? { baseline: { ...baseline, profile: unpackProfile(baseline.profile) } } : {}),
  };
}

interface Packed {
  readonly kind?: unknown;
  readonly profile?: unknown;
}

function isPlace(value: unknown): value is { readonly bytes: readonly [number, number] } {
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  const { bytes } = value;
  return (
    Array.isArray(bytes) && bytes.length === 2 && bytes.every((at) => Number.isSafeInteger(at)) && bytes[0] <= bytes[1]
  );
}
