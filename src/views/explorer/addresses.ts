/** Where the names of a schema lead. */
import type { CatalogNode, NodeKind } from '#state/explore.ts';
import { addressOf, type Place } from '#state/place.ts';

export const placeOfNode = ({ kind, name }: Pick<CatalogNode, 'name'> & { readonly kind: NodeKind }): Place => ({
  at: kind === 'package' || kind === 'folder' || kind === 'file' ? kind : 'type',
  name,
});

export const typeAddress = (fullName: string): string => addressOf({ at: 'type', name: fullName });
export const fileAddress = (path: string): string => addressOf({ at: 'file', name: path });
export const packageAddress = (name: string): string => addressOf({ at: 'package', name });
