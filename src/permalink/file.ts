/**
 * Shared data ⇄ a `.wirecost.json` file: the content of a link, as readable JSON. Bytes are written as
 * `{"base64url":"…"}`. docs/wirecost-json.md
 */
import { decodeBase64url, encodeBase64url } from './base64url.ts';
import { faulty, type Opening } from './fault.ts';
import { jsonParts } from './json-parts.ts';
import { admit } from './pack-shared.ts';
import type { Shared } from './shared.ts';
import { VERSION } from './upgrades.ts';

export const printAnalysisFile = (shared: Shared): string => [...analysisFileParts(shared)].join('');

/** The file's text, in parts. */
export function* analysisFileParts({ source, made, view, data, baseline }: Shared): Generator<string> {
  yield* jsonParts({ wirecost: VERSION, source, made, view, data, ...(baseline ? { baseline } : {}) }, (value) =>
    value instanceof Uint8Array ? { base64url: encodeBase64url(value) } : value,
  );
  yield '\n';
}

export function readFile(text: string): Opening<Shared> {
  let file: unknown;
  try {
    file = JSON.parse(text.replace(/^\uFEFF/, ''), (_, value: unknown) => (isBytes(value) ? bytesOf(value) : value));
  } catch {
    return faulty('cut', 'The file is not complete JSON: it was cut or changed.');
  }
  if (typeof file !== 'object' || file === null || !('wirecost' in file)) {
    return faulty('malformed', 'The file does not begin with {"wirecost": …}.');
  }
  const { wirecost: version, ...shared } = file;
  if (!Number.isSafeInteger(version) || (version as number) < 1) {
    return faulty('malformed', 'The file names no version.');
  }
  if ((version as number) > VERSION) {
    return faulty('newer', `The file is of version ${version}; this app reads versions up to ${VERSION}.`);
  }
  return admit(shared, version as number);
}

function isBytes(value: unknown): value is { readonly base64url: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 1 &&
    'base64url' in value &&
    typeof value.base64url === 'string'
  );
}

/** A value that is not base64url stays as it is, and validation refuses it. */
const bytesOf = (value: { readonly base64url: string }): unknown => decodeBase64url(value.base64url) ?? value;
