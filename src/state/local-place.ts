/**
 * Addresses of the open input: `#/sample/ID`, `#/local/ID`, each with the view after `?`; a link is its own address.
 */
import { VIEW_FIELDS, type ViewState } from './view-state.ts';

const LOCAL = '#/local/';

export const newLocalPlace = (): string => LOCAL + crypto.randomUUID().slice(0, 13).replace('-', '');
export const samplePlace = (id: string): string => `#/sample/${encodeURIComponent(id)}`;

/** The id of an input that this browser keeps; null: the address names something else. */
export const localId = (place: string): string | null => (place.startsWith(LOCAL) ? place.slice(LOCAL.length) : null);

export interface OpenPlace {
  /** Without the view. */
  readonly place: string;
  readonly sample: string | null;
  readonly local: string | null;
  /** Its view, not checked; null: it has none. */
  readonly view: unknown;
}

/** Figures leave the table out: the paths of its open rows can be many. */
const UNSAID: readonly (keyof ViewState)[] = ['table'];

/** The address with the parts of the view that differ from its first values. A link carries its own view. */
export function withView(place: string, view: ViewState): string {
  if (!place.startsWith('#/')) return place;
  const said = (Object.keys(VIEW_FIELDS) as (keyof ViewState)[]).flatMap((field) => {
    const value = view[field];
    if (UNSAID.includes(field) || JSON.stringify(value) === JSON.stringify(VIEW_FIELDS[field].first)) return [];
    return `${field}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`;
  });
  return said.length === 0 ? place : `${place}?${said.join('&')}`;
}

export function readPlace(fragment: string): OpenPlace {
  const [, kind, id, query] = /^#\/(sample|local)\/([^?]+)(?:\?(.*))?$/s.exec(fragment) ?? [];
  if (kind === undefined) return { place: fragment.replace(/^#\/(?=w\d)/, '#'), sample: null, local: null, view: null };
  const name = decode(id!);
  return {
    place: kind === 'sample' ? samplePlace(name) : `${LOCAL}${name}`,
    sample: kind === 'sample' ? name : null,
    local: kind === 'local' ? name : null,
    view: query === undefined ? null : viewOf(query),
  };
}

function viewOf(query: string): unknown {
  const view: Record<string, unknown> = {};
  for (const [field, { first }] of Object.entries(VIEW_FIELDS)) view[field] = first;
  for (const said of query.split('&')) {
    const at = said.indexOf('=');
    const text = decode(said.slice(at + 1));
    try {
      view[said.slice(0, at)] = /^[[{]/.test(text) ? JSON.parse(text) : text;
    } catch {
      return null;
    }
  }
  return view;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
