/** A page of the explorer → its address, with the schema in it if that fits, or both versions. */
import { encodeFragment } from '#permalink/fragment.ts';
import type { AppState } from '../store.ts';
import { type AddressedPlace, fragmentOf, withSchemaLink } from './place.ts';
import { type Helpers, shareSchema } from './share.ts';

export interface PageAddress {
  /** With its `#`. */
  readonly fragment: string;
  /** The schema is too large for a link. */
  readonly isWithout: boolean;
}

/** Limits in bytes of schema files and characters of a link; software rejects longer links. */
const MAX_BYTES = 1_000_000;
const MAX_CHARACTERS = 64_000;

export async function pageAddress(state: AppState, helpers: Helpers, place: AddressedPlace): Promise<PageAddress> {
  const address = fragmentOf(place);
  const other = place.at === 'compare' ? state.session.otherFiles : [];
  const without = { fragment: address, isWithout: true };
  const sharing = await shareSchema(state, helpers, place.at === 'type' ? place.name : null, other);
  if (!sharing.ok) return without;
  const { shared } = sharing;
  const { data } = shared;
  const files = data.kind === 'inline' ? [...data.schema, ...(data.otherSchema ?? [])] : [];
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  const link = bytes > MAX_BYTES ? null : encodeFragment(shared);
  if (link === null || link.length > MAX_CHARACTERS) return without;
  return { fragment: withSchemaLink(address, link), isWithout: false };
}
