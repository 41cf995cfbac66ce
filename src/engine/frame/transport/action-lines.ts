/**
 * A body of `_bulk` or `_msearch` of OpenSearch and Elasticsearch → its documents, each with the action line before it.
 *
 *   bulk      ({"index" or "create": metadata} LF document LF
 *             │ {"update": metadata} LF {"doc": document, …} LF
 *             │ {"delete": metadata} LF)*        https://docs.opensearch.org/latest/api-reference/document-apis/bulk/
 *   msearch   (header LF search LF)*             https://docs.opensearch.org/latest/api-reference/search-apis/multi-search/
 *
 * The document after an action is the message, and that in `doc` if the update has no other one. A line without an
 * action before it is a message too.
 */
import { latin1 } from '../../bytes/latin1.ts';
import { isJson } from './detect-message-body.ts';
import type { EnvelopePart } from './envelope-part.ts';
import { LF, textPart } from './text-part.ts';

export type ActionForm = 'bulk' | 'msearch';

/** `alone`: no document follows; null: the line is not an action, but a document or a blank line. */
type Action = 'document' | 'update' | 'alone' | null;

export interface ActionPart extends EnvelopePart {
  readonly action: Action;
}

const ACTION = /^\{\s*"(index|create|update|delete)"\s*:\s*\{/;
const METADATA =
  /^(?:_(?:index|id|type|source)|_?(?:routing|parent|version|version_type|retry_on_conflict|timestamp|ttl)|if_seq_no|if_primary_term|pipeline|op_type|fields|require_alias|require_data_stream|dynamic_templates|list_executed_pipelines)$/;
const HEADER =
  /^(?:index|indices|types?|search_type|preference|routing|request_cache|allow_no_indices|expand_wildcards|ignore_unavailable|ignore_throttled|ccs_minimize_roundtrips|allow_partial_search_results|max_concurrent_shard_requests|cancel_after_time_interval|project_routing)$/;
/** Longer lines are documents. */
const LONGEST = 1 << 16;

/** The value of an object in JSON; null: the text is another one, or has a fault. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function actionOf(text: string, form: ActionForm): Action {
  const verb = ACTION.exec(text.slice(0, 99))?.[1];
  if (form === 'bulk' && verb === undefined) return null;
  const line = objectIn(text);
  if (line === null) return null;
  const keys = Object.keys(line);
  if (form === 'msearch') {
    const isHeader = !isObject(line['index']) && keys.every((key) => HEADER.test(key));
    return isHeader ? 'document' : null;
  }
  const metadata = line[verb!];
  if (keys.length > 1 || !isObject(metadata) || !Object.keys(metadata).every((key) => METADATA.test(key))) return null;
  return verb === 'delete' ? 'alone' : verb === 'update' ? 'update' : 'document';
}

/** @param isEnd the bytes are all of the body: the end also ends a line */
export function actionPartAt(body: Uint8Array, at: number, form: ActionForm, isEnd: boolean): ActionPart | 'more' {
  const line = lineAt(body, at, isEnd);
  if (line === null) return 'more';
  const action =
    line.isMessage && line.end - line.start <= LONGEST
      ? actionOf(latin1(body, line.start, line.end).trim(), form)
      : null;
  if (action === null) return { ...line, action };
  if (action === 'alone') return { ...line, start: line.end, isMessage: false, action };
  for (let { next } = line; next < body.length; ) {
    const document = lineAt(body, next, isEnd);
    if (document === null) break;
    if (document.isMessage || document.isOther)
      return { ...document, ...(action === 'update' ? partialDocument(body, document) : null), action };
    next = document.next;
  }
  return 'more';
}

function lineAt(body: Uint8Array, at: number, isEnd: boolean): EnvelopePart | null {
  const end = body.indexOf(LF, at) + 1;
  if (end === 0 && !isEnd) return null;
  return textPart(body, at, end || body.length, end || body.length);
}

const OPTIONS = '"(?:doc_as_upsert|detect_noop|_source)"\\s*:\\s*(?:true|false)\\s*';
const BEFORE = new RegExp(`^\\s*\\{\\s*(?:${OPTIONS},\\s*)*"doc"\\s*:\\s*(?=\\{)`);
const AFTER = new RegExp(`\\s*(?:,\\s*${OPTIONS})*\\}\\s*$`);
const NEAR = 200;

/** The place of the document in an update that has no other content; null: it has a script or a second document. */
function partialDocument(body: Uint8Array, { start, end }: EnvelopePart): Pick<EnvelopePart, 'start' | 'end'> | null {
  const before = BEFORE.exec(latin1(body, start, Math.min(end, start + NEAR)));
  const after = AFTER.exec(latin1(body, Math.max(start, end - NEAR), end));
  if (before === null || after === null) return null;
  const inner = { start: start + before[0].length, end: end - after[0].length };
  return isJson(body.subarray(inner.start, inner.end)) ? inner : null;
}
