/**
 * A session that Charles exported as JSON (`.chlsj`) → its requests and responses as a HAR.
 *
 *   [ { "status": "COMPLETE", "method": "POST", "scheme", "host", "actualPort", "path", "query", "times": { "start" },
 *       "request":  { "header": { "firstLine", "headers": [ { "name", "value" } ] }, "body": { "text" } },
 *       "response": { "header": …, "body": { "encoding": "base64", "encoded" } } } ]
 */
import { latin1 } from '../../bytes/latin1.ts';
import { at, list, text } from '../json-members.ts';
import { entryOf, harOf, newSide, type Side } from './recorded-har.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';

export const charlesSession: TextEncoding = { id: 'charles', label: TEXT_LABELS.charles, sniff, read };

/** The beginning of the first entry, and members that no other list of records has together. */
const FIRST = /^(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"status"\s*:\s*"[A-Za-z]+"\s*,\s*"method"\s*:/;
const MEMBERS = ['protocolVersion', 'scheme', 'actualPort', 'remoteAddress', 'clientAddress'];

function sniff(head: Uint8Array): Judgement {
  const first = latin1(head);
  return FIRST.test(first) && MEMBERS.every((name) => first.includes(`"${name}"`))
    ? { score: 0.995, reason: 'a session that Charles exported' }
    : { score: 0, reason: 'no session of Charles' };
}

function read(input: Uint8Array): DecodedText {
  let session: unknown;
  try {
    session = JSON.parse(new TextDecoder().decode(input));
  } catch (error) {
    const message = `The session is not valid JSON: ${(error as Error).message}. Nothing of it is read.`;
    const damaged = { code: 'capture/damaged', severity: 'error', message, space: 'capture', start: 0 } as const;
    return { bytes: harOf([]), diagnostics: [{ ...damaged, end: input.length }] };
  }
  return { bytes: harOf(list(session).map(harEntryOf)), diagnostics: [] };
}

function harEntryOf(entry: unknown): unknown {
  const [scheme, host, path, query] = ['scheme', 'host', 'path', 'query'].map((key) => text(at(entry, key)));
  const port = at(entry, 'actualPort');
  const url = `${scheme}://${host}${typeof port === 'number' ? `:${port}` : ''}${path}${query === '' ? '' : `?${query}`}`;
  const startedDateTime = text(at(at(entry, 'times'), 'start'));
  return entryOf(sideOf(at(entry, 'request')), sideOf(at(entry, 'response')), { url, startedDateTime });
}

function sideOf(message: unknown): Side {
  const header = at(message, 'header');
  if (header === undefined) return newSide();
  const lines = list(at(header, 'headers')).map((line) => `${text(at(line, 'name'))}: ${text(at(line, 'value'))}`);
  const bytes = bodyOf(at(message, 'body'));
  const head = [text(at(header, 'firstLine')), ...lines, '', ''].join('\r\n');
  return { head, body: bytes === null ? [] : [bytes], missing: 0 };
}

function bodyOf(body: unknown): Uint8Array | null {
  const encoded = at(body, 'encoded');
  if (typeof encoded !== 'string') return new TextEncoder().encode(text(at(body, 'text')));
  try {
    return Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0));
  } catch {
    return null;
  }
}
