/**
 * How action lines and documents follow one another in a file (`transport/action-lines.ts`). Lines of other JSON may
 * begin in the same way, so all of the first lines must be what the API allows: a document follows each action that
 * needs one and does not look like another action, or a search of known parts follows each header.
 */
import { latin1 } from '../../bytes/latin1.ts';
import type { Judgement } from '../../capture/text/text-encoding.ts';
import { plural } from '../../model/count-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type ActionForm, actionOf, actionPartAt, isObject, objectIn } from '../transport/action-lines.ts';
import { LF } from '../transport/text-part.ts';
import type { Framer } from './framing.ts';
import { otherContent } from './other-content.ts';

const QUERY = /^(?:query|aggs|aggregations|knn|suggest|params)$/;
const SEARCH =
  /^(?:query|aggs|aggregations|knn|suggest|params|id|source|size|from|sort|_source|fields|stored_fields|docvalue_fields|script_fields|post_filter|highlight|track_total_hits|track_scores|timeout|terminate_after|min_score|search_after|collapse|explain|version|seq_no_primary_term|rescore|pit|runtime_mappings|indices_boost|stats|ext|profile|slice|rank|retriever|derived|search_pipeline)$/;
/** The first line of a request, as Dev Tools and other consoles write it: `POST /index/_bulk?refresh`. */
const REQUEST =
  /^(?:\xef\xbb\xbf)?\s*(?:POST|PUT|GET) (?:\S*\/)?_(bulk|msearch)(?:\/stream|\/template)?\/?(?:\?\S*)?\s*$/;
const COMMENT = /^(?:\xef\xbb\xbf)?\s*(?:#|\/\/|$)/;
/** Longer lines are documents. */
const LONGEST = 4096;
/** One line in this number may have a fault. */
const SOUND = 10;

/** @returns null: they do not follow one another so */
export function sniffActions(form: ActionForm, head: Uint8Array, size: number): Judgement | null {
  let begin = 0;
  for (let end = -1; end !== begin; ) [end, begin] = [begin, consoleLineEnd(head, begin, form)];
  if (otherContent(head.subarray(begin), size - begin)?.kind !== 'json') return null;
  const decoder = new TextDecoder();
  let [actions, documents, others, queries] = [0, 0, 0, 0];
  for (let at = begin; at < head.length; ) {
    const end = consoleLineEnd(head, at, form);
    if (end > at) {
      at = end;
      continue;
    }
    const part = actionPartAt(head, at, form, head.length === size);
    if (part === 'more') break;
    at = part.next;
    if (part.action !== null) actions++;
    if (part.start === part.end) continue;
    const text = decoder.decode(head.subarray(part.start, part.end));
    const keys = isSound(text, form);
    if (part.action === null || keys === null) others++;
    else documents++;
    if (keys?.some((key) => QUERY.test(key))) queries++;
  }
  if (documents === 0 || others * SOUND > documents || (form === 'msearch' && queries === 0)) return null;
  const first = head.length < size ? ' in the first part' : '';
  return {
    score: 1,
    reason:
      form === 'bulk'
        ? `${plural(actions, 'action line')}${first}, each before its document`
        : `${plural(documents, 'header')}${first}, each before its search`,
  };
}

/** Where a line ends that is a console's or blank; the same place: another line begins here, or the end is cut off. */
function consoleLineEnd(bytes: Uint8Array, at: number, form: ActionForm): number {
  const end = bytes.indexOf(LF, at) + 1;
  if (end === 0 || end - at > LONGEST) return at;
  const line = latin1(bytes, at, end);
  return COMMENT.test(line) || REQUEST.exec(line)?.[1] === form ? end : at;
}

/** The names in a document or a search; null: it is not one. */
function isSound(text: string, form: ActionForm): readonly string[] | null {
  const value = objectIn(text);
  if (value === null || actionOf(text.trim(), 'bulk') !== null) return null;
  const keys = Object.keys(value);
  if (form === 'bulk') return keys;
  return keys.every((key) => SEARCH.test(key) && (!/^(?:query|ag)/.test(key) || isObject(value[key]))) ? keys : null;
}

export function createActions(form: ActionForm, size: number): Framer {
  const diagnostics: Diagnostic[] = [];
  let held = new Uint8Array();
  let [messages, payload, unattributed, before] = [0, 0, 0, 0];
  return {
    push(chunk, atEnd, sink) {
      const bytes = new Uint8Array(held.length + chunk.length);
      bytes.set(held);
      bytes.set(chunk, held.length);
      let at = 0;
      while (at < bytes.length) {
        const end = consoleLineEnd(bytes, at, form);
        if (end > at) {
          at = end;
          continue;
        }
        const part = actionPartAt(bytes, at, form, atEnd);
        if (part === 'more') break;
        at = part.next;
        if (!part.isMessage && !part.isOther) continue;
        const length = part.end - part.start;
        payload += length;
        const pieces = [{ start: before + part.start, end: before + part.end }];
        const unknown = { time: null, flow: null, direction: null, method: null, status: null, typeHint: null };
        sink(
          {
            ordinal: messages++,
            body: { pieces, compression: null },
            bytes: length,
            capturedBytes: length,
            transport: form,
            format: 'json',
            ...unknown,
          },
          bytes.subarray(part.start, part.end),
        );
      }
      held = bytes.slice(at);
      before += at;
      if (!atEnd || held.length === 0) return;
      unattributed = held.length;
      diagnostics.push({
        code: 'frame/no-document',
        severity: 'error',
        message: `No document follows the last action, at byte ${before}; it is left unattributed`,
        space: 'capture',
        start: before,
        end: size,
      });
    },
    facts: () => ({
      messages,
      payloadBytes: payload,
      capturedBytes: payload,
      framingBytes: size - payload - unattributed,
      unattributedBytes: unattributed,
      diagnostics,
    }),
  };
}
