/**
 * Objects as the API server of Kubernetes writes them to clients and to etcd: `k8s`, a zero, and a message of
 * k8s.io/apimachinery, pkg/runtime, `Unknown`. All fields here are length-prefixed:
 *
 *   Unknown    1 apiVersion and kind │ 2 the object │ 3 its coding │ 4 its media type
 *   watch      size as 4 bytes big-endian │ WatchEvent: 1 what happened │ 2 (1 `k8s`, a zero, Unknown)
 */
import { uint32be } from '../../bytes/integers.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';

const MAGIC = 4;

export const isKubernetes = (bytes: Uint8Array): boolean =>
  [0x6b, 0x38, 0x73, 0].every((byte, at) => bytes[at] === byte);

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface KubernetesObject extends Span {
  /** null: the envelope names no type. */
  readonly type: string | null;
}

/** Bytes of the size of an event. */
export const SIZE = 4;

/** The end of the event of a watch that begins at `at`; null: its size is not whole. */
export const watchEventEnd = (bytes: Uint8Array, at: number): number | null =>
  at + SIZE > bytes.length ? null : at + SIZE + uint32be(bytes, at);

/** @param at where the whole event begins, with its size @returns null: it has no object */
export function watchedObject(bytes: Uint8Array, at: number, end: number): KubernetesObject | null {
  const wrapped = field(bytes, { start: at + SIZE, end }, 2);
  const object = wrapped && field(bytes, wrapped, 1);
  return object && kubernetesObject(bytes, object);
}

/** null: no magic number, or the message behind it has no object or is not whole. */
export function kubernetesObject(
  bytes: Uint8Array,
  { start, end }: Span = { start: 0, end: bytes.length },
): KubernetesObject | null {
  if (end - start < MAGIC || !isKubernetes(bytes.subarray(start, start + MAGIC))) return null;
  const unknown = { start: start + MAGIC, end };
  const object = field(bytes, unknown, 2);
  if (object === null) return null;
  const named = field(bytes, unknown, 1);
  const [version, kind] = [1, 2].map((number) => {
    const text = named && field(bytes, named, number);
    return text === null ? '' : latin1(bytes, text.start, text.end);
  });
  return { ...object, type: kind ? typeOf(version!, kind) : null };
}

/** The first field of that number; null: the message lacks it, or is not whole. */
function field(bytes: Uint8Array, { start, end }: Span, number: number): Span | null {
  let found: Span | null = null;
  for (let at = start; at < end; ) {
    const from = varintEnd(bytes, at + 1, end);
    if (from < 0) return null;
    const next = from + varintNumber(bytes, at + 1, from);
    if (next > end) return null;
    if (bytes[at] === ((number << 3) | 2)) found ??= { start: from, end: next };
    at = next;
  }
  return found;
}

/** Kinds that are of all groups. */
const META =
  /^(Status|WatchEvent|APIGroup|APIGroupList|APIResourceList|APIVersions|(Delete|Create|Update|Patch|Get|List)Options)$/;
/** Packages whose names do not begin with the name of their group. */
const PACKAGES: Readonly<Record<string, string>> = {
  '': 'api.core',
  'meta.k8s.io': 'apimachinery.pkg.apis.meta',
  'internal.apiserver.k8s.io': 'api.apiserverinternal',
  'apiextensions.k8s.io': 'apiextensions_apiserver.pkg.apis.apiextensions',
  'apiregistration.k8s.io': 'kube_aggregator.pkg.apis.apiregistration',
  'metrics.k8s.io': 'metrics.pkg.apis.metrics',
};

/** `apps/v1`, `Deployment` → `k8s.io.api.apps.v1.Deployment` */
function typeOf(apiVersion: string, kind: string): string {
  if (META.test(kind)) return `k8s.io.${PACKAGES['meta.k8s.io']}.v1.${kind}`;
  const [version, group = ''] = apiVersion.split('/').reverse();
  return `k8s.io.${PACKAGES[group] ?? `api.${group.split('.')[0]}`}.${version}.${kind}`;
}
