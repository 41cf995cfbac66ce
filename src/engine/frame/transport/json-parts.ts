/**
 * A body that contains several JSON texts → its parts. A part whose text is an object is a message.
 *
 *   lines      (object LF)*                                NDJSON, JSON Lines: the last LF may be absent
 *   events     (field: value line-end)* line-end           https://html.spec.whatwg.org/multipage/server-sent-events.html
 *   sequence   (RS object LF)*                             RFC 7464
 *   bulk, msearch                                          `action-lines.ts`
 *
 * The text of an event is the value of its field `data`. If it has several, the text is their values, one a line, and
 * a decoding step takes it out of the event.
 */
import { EVENT_DATA, eventValue } from '../../compression/event-data.ts';
import { type ActionForm, actionPartAt } from './action-lines.ts';
import { isJson } from './detect-message-body.ts';
import type { EnvelopePart } from './envelope-part.ts';
import { CR, isLineEnd, isMark, LF, OPEN, textPart } from './text-part.ts';

export type SeparatedForm = 'lines' | 'events' | 'sequence';

/** An envelope of texts. `mayBeOne`: the body may also be one text, and `beginsLines` decides. */
export type JsonEnvelope =
  | { readonly layer: 'separators'; readonly form: SeparatedForm; readonly mayBeOne?: true }
  | { readonly layer: 'actions'; readonly form: ActionForm; readonly mayBeOne?: never };

const RECORD = 0x1e;

/**
 * Whether the bytes begin with a line that is an object, and another one follows, as watches send events.
 * @param next the byte after `bytes`; null: none; undefined: it is not known, so it is not looked at
 */
export function beginsLines(bytes: Uint8Array, next: number | null = OPEN): boolean {
  const end = bytes.indexOf(LF);
  if (bytes[0] !== OPEN || end < 0 || (bytes[end + 1] ?? next) !== OPEN) return false;
  return isJson(bytes.subarray(0, end));
}

/**
 * Where the current part ends.
 * @param last the byte of the part before `at`; null: it begins at `at`
 * @returns −1: not in these bytes
 */
export function jsonPartEnd(form: JsonEnvelope['form'], last: number | null, bytes: Uint8Array, at: number): number {
  if (form === 'sequence') return bytes.indexOf(RECORD, last === null ? at + 1 : at);
  if (form !== 'events') return bytes.indexOf(LF, at) + 1 || -1;
  // An empty line ends an event. CR LF is one line end.
  let before = last ?? LF;
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next]!;
    if (isLineEnd(byte) && isLineEnd(before) && (byte !== LF || before !== CR)) return next + 1;
    before = byte;
  }
  return -1;
}

/** @param isEnd the bytes are all of the body: the end also ends a line or a record */
export function jsonPartAt(
  body: Uint8Array,
  at: number,
  { form }: JsonEnvelope,
  isEnd: boolean,
): EnvelopePart | 'more' | 'no' {
  if (form === 'bulk' || form === 'msearch') return actionPartAt(body, at, form, isEnd);
  if (form === 'sequence' && body[at] !== RECORD) return at < body.length ? 'no' : 'more';
  const end = jsonPartEnd(form, null, body, at);
  if (end < 0 && !isEnd) return 'more';
  const next = end < 0 ? body.length : end;
  if (form !== 'events') return textPart(body, form === 'sequence' ? at + 1 : at, next, next);
  const part = eventPart(body, at, next);
  // Clients drop an event without the line that ends it.
  return end < 0 && part.isMessage ? 'more' : part;
}

function eventPart(body: Uint8Array, at: number, next: number): EnvelopePart {
  let [start, end, values] = [next, next, 0];
  for (let line = at + (isMark(body, at) ? 3 : 0); line < next; ) {
    let stop = line;
    while (stop < next && !isLineEnd(body[stop])) stop++;
    const value = eventValue(body, line, stop);
    if (value !== null && value < stop) {
      if (values++ === 0) start = value;
      end = stop;
    }
    line = stop + 1;
  }
  return { ...textPart(body, start, end, next), codec: values > 1 ? EVENT_DATA : null };
}
