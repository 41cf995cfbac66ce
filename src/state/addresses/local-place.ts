/**
 * Addresses of the open input: `#/sample/ID`, `#/local/ID`, each with the view after `?`; a link is its own address.
 */

import { VIEW_FIELDS, VIEW_KEYS, type ViewState } from '../view-state.ts';
import { decodeName } from './place.ts';

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
  /** Its view, not checked, with first values for what it does not say; null: it has none. */
  readonly view: unknown;
  /**
   * The fields that it says, if a person wrote it; the others are as the input opens by itself. null: the app wrote it,
   * and it says all that differs from the first values.
   */
  readonly said: readonly (keyof ViewState)[] | null;
}

/** Figures leave the table out: the paths of its open rows can be many. */
const UNSAID: readonly (keyof ViewState)[] = ['table'];

/** Every address of the app says them, even with their first values. */
const ALWAYS_SAID: readonly (keyof ViewState)[] = ['shown', 'selection'];

/** The address with the parts of the view that differ from its first values. A link carries its own view. */
export function withView(place: string, view: ViewState): string {
  if (!place.startsWith('#/')) return place;
  const differs = (field: keyof ViewState): boolean =>
    !UNSAID.includes(field) && JSON.stringify(view[field]) !== JSON.stringify(VIEW_FIELDS[field].first);
  if (!VIEW_KEYS.some(differs)) return place;
  const said = VIEW_KEYS.filter((field) => ALWAYS_SAID.includes(field) || differs(field)).map((field) => {
    const value = view[field];
    return `${field}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`;
  });
  return `${place}?${said.join('&')}`;
}

export function readPlace(fragment: string): OpenPlace {
  const [, kind, id, query] = /^#\/(sample|local)\/([^?]+)(?:\?(.*))?$/s.exec(fragment) ?? [];
  if (kind === undefined) {
    return { place: fragment.replace(/^#\/(?=w\d)/, '#'), sample: null, local: null, view: null, said: null };
  }
  const name = decodeName(id!);
  const said = VIEW_KEYS.filter((field) => new RegExp(`(^|&)${field}=`).test(query ?? ''));
  return {
    place: kind === 'sample' ? samplePlace(name) : `${LOCAL}${name}`,
    sample: kind === 'sample' ? name : null,
    local: kind === 'local' ? name : null,
    view: query === undefined ? null : viewOf(query),
    said: ALWAYS_SAID.every((field) => said.includes(field)) ? null : said,
  };
}

/** Fields whose value is a text, which may begin like JSON: `[x.more]` is the path of an extension. */
type TextField = { [F in keyof ViewState]: ViewState[F] extends string | null ? F : never }[keyof ViewState];
const IS_TEXT: { readonly [F in TextField]: true } = {
  type: true,
  shown: true,
  question: true,
  root: true,
  nativeProfile: true,
  cause: true,
  compressor: true,
  panel: true,
  messageForm: true,
  paid: true,
  drawn: true,
};

/** Other names are left out, and a value that cannot be read is the first one. */
function viewOf(query: string): unknown {
  const said = new Map(query.split('&').map((part) => [part.split('=', 1)[0]!, part.slice(part.indexOf('=') + 1)]));
  return Object.fromEntries(
    VIEW_KEYS.map((field) => {
      const text = said.get(field);
      return [field, text === undefined ? VIEW_FIELDS[field].first : readField(field, decodeName(text))];
    }),
  );
}

function readField(field: keyof ViewState, text: string): unknown {
  if (field in IS_TEXT) return text === 'null' ? null : text;
  try {
    return JSON.parse(text);
  } catch {
    return VIEW_FIELDS[field].first;
  }
}
