/**
 * The places of the app that have an address: a fragment that begins with `/`.
 *
 *   #/schema                    what is loaded, what is missing
 *   #/package/google.cloud      #/folder/google/cloud      #/file/google/type/date.proto
 *   #/type/a.b.Hit              a message, enum, service or extension; `a.b.Hit.id` is its field
 *   #/edit/a/b.proto:12:3       the text, at line and column
 *   #/costly   #/compare   #/compare/a.b.Hit
 *
 * `?with=w…` after one is a link that carries the schema of the page.
 *
 * Any other fragment is not a place and shows the costs. Links are plain anchors, so the browser handles Back and
 * Forward.
 */

/** Parts of a schema that have a page. */
export type Named = 'type' | 'file' | 'package' | 'folder';

export type AddressedPlace =
  | { readonly at: 'schema' }
  | { readonly at: 'costly' }
  | { readonly at: Named; readonly name: string }
  | { readonly at: 'edit'; readonly name: string; readonly line: number; readonly column: number }
  /** `name`: full name of a message, or empty for the whole. */
  | { readonly at: 'compare'; readonly name: string };

/** null: the fragment names no place. */
export function parsePlace(fragment: string): AddressedPlace | null {
  const match = /^#?\/([a-z]+)(?:\/(.*?))?(?:\?.*)?$/s.exec(fragment);
  if (!match) return null;
  const at = match[1]!;
  const name = decodeName(match[2] ?? '');
  switch (at) {
    case 'schema':
      // A name is taken for that of a type.
      return name === '' ? { at } : { at: 'type', name };
    case 'costly':
      return { at };
    case 'package':
    case 'folder':
    case 'file':
    case 'type':
      return name === '' ? null : { at, name };
    case 'compare':
      return { at, name };
    case 'edit': {
      const [, path = '', line = '1', column = '1'] = /^(.*?)(?::(\d{1,9})(?::(\d{1,9}))?)?$/s.exec(name) ?? [];
      return path === '' ? null : { at, name: path, line: Math.max(1, +line), column: Math.max(1, +column) };
    }
    default:
      return null;
  }
}

/** With its `#`, for an anchor. */
export function fragmentOf(place: AddressedPlace): string {
  switch (place.at) {
    case 'schema':
    case 'costly':
      return `#/${place.at}`;
    case 'edit': {
      const { line, column } = place;
      return `#/edit/${encode(place.name)}${line === 1 && column === 1 ? '' : `:${line}:${column}`}`;
    }
    case 'compare':
      return place.name === '' ? '#/compare' : `#/compare/${encode(place.name)}`;
    default:
      return `#/${place.at}/${encode(place.name)}`;
  }
}

const WITH = '?with=';

/** The link in an address that carries the page's schema; null: the address carries no link. */
export function schemaLinkIn(fragment: string): string | null {
  const at = fragment.indexOf(WITH);
  return at < 0 || parsePlace(fragment) === null ? null : fragment.slice(at + WITH.length);
}

/** @param address of a place, with or without a link */
export const withSchemaLink = (address: string, link: string): string => `${address.split('?', 1)[0]}${WITH}${link}`;

/** Goes there like a click on a link; null: leaves the explorer, back to the open input. */
export function goTo(place: AddressedPlace | null): void {
  if (place) location.hash = fragmentOf(place);
  else if (parsePlace(location.hash) !== null) {
    history.pushState(null, '', location.pathname + location.search);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }
}

/** Slashes and colons are not escaped. */
const encode = (name: string): string =>
  encodeURIComponent(name).replace(/%(?:2F|3A|2C|40|24|2B|3D)/g, (escaped) => decodeURIComponent(escaped));

/** A text that is not an escaped one stays as it is. */
export function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
