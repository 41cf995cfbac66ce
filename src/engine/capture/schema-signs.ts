/** Recognises schemas by their first bytes. */
import { latin1 } from '../bytes/latin1.ts';

const STATEMENT = /(?:^|[;}\n])\s*(?:syntax\s*=\s*["']proto[23]["']|edition\s*=\s*["']\d+["']|message\s+\w+\s*\{)/;
/** A descriptor set as JSON, in buf's form. */
const IMAGE = /^(?:\xef\xbb\xbf)?\s*\{\s*"file"\s*:\s*\[/;

/** @param head its first bytes */
export const isSchemaFile = (name: string, head: Uint8Array): boolean =>
  /\.proto(\.\w+)?$/.test(name) || isDescriptorSet(head) || STATEMENT.test(latin1(head)) || IMAGE.test(latin1(head));

/**
 * FileDescriptorSet: `0a` length { `0a` length name … }, where the name ends in `.proto`; or a single file, which
 * begins with its name (google/protobuf/descriptor.proto).
 */
export function isDescriptorSet(head: Uint8Array): boolean {
  if (head[0] !== 0x0a) return false;
  let at = 1;
  while (at < 6 && (head[at] ?? 0) >= 0x80) at++;
  return isNamed(head, at + 1) || isNamed(head, 0);
}

/** Whether a .proto file's name is here: its tag, its length and the name. */
function isNamed(head: Uint8Array, at: number): boolean {
  const size = head[at + 1] ?? 0;
  if (head[at] !== 0x0a || size < 7 || size >= 0x80 || at + 2 + size > head.length) return false;
  return /^[\x21-\x7e]+\.proto$/.test(String.fromCharCode(...head.subarray(at + 2, at + 2 + size)));
}
