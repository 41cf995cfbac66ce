/** Addresses of the names of a schema. */

import { type AddressedPlace, fragmentOf } from '#state/addresses/place.ts';
import type { CatalogNode, NodeKind } from '#state/explore.ts';

export const placeOfNode = ({
  kind,
  name,
}: Pick<CatalogNode, 'name'> & { readonly kind: NodeKind }): AddressedPlace => ({
  at: kind === 'package' || kind === 'folder' || kind === 'file' ? kind : 'type',
  name,
});

export const typeAddress = (fullName: string): string => fragmentOf({ at: 'type', name: fullName });
export const fileAddress = (path: string): string => fragmentOf({ at: 'file', name: path });
export const packageAddress = (name: string): string => fragmentOf({ at: 'package', name });
