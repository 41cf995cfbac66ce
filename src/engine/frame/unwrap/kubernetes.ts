/**
 * Objects as the API server of Kubernetes writes them to clients and to etcd: `k8s`, a zero, and a message of
 * k8s.io/apimachinery, pkg/runtime, `Unknown`, whose field 2 is the object.
 */
import { varintEnd, varintNumber } from '../../bytes/varint.ts';

export const isKubernetes = (bytes: Uint8Array): boolean =>
  [0x6b, 0x38, 0x73, 0].every((byte, at) => bytes[at] === byte);

/** Tag of field 2; all fields of the message are length-prefixed. */
const RAW = 0x12;

/** null: the message has no object, or ends within it. */
export function kubernetesObject(bytes: Uint8Array): Uint8Array | null {
  for (let at = 4; at < bytes.length; ) {
    const end = varintEnd(bytes, at + 1, bytes.length);
    if (end < 0) return null;
    const next = end + varintNumber(bytes, at + 1, end);
    if (next > bytes.length) return null;
    if (bytes[at] === RAW) return bytes.slice(end, next);
    at = next;
  }
  return null;
}
