/** What would travel, for each way there is, with its link: made when the dialog opens and when its name changes. */
import { useEffect, useState } from 'react';
import type { Excerpt } from '#engine/excerpt.ts';
import { encodeFragment, MAX_FRAGMENT } from '#permalink/fragment.ts';
import type { Shared } from '#permalink/shared.ts';
import { useActions } from '#state/context.tsx';
import type { ShareKind } from '#state/share.ts';

export type Offer =
  | { readonly state: 'ready'; readonly shared: Shared; readonly link: string | null }
  | { readonly state: 'refused'; readonly reason: string };

/** Payloads beyond this give no link that anything would take: it is not even written. */
const LINKED_BYTES = 600_000;

export function useSharing(
  kinds: readonly ShareKind[],
  name: string,
  address: string,
  excerpt: Excerpt | null,
): Readonly<Partial<Record<ShareKind, Offer>>> {
  const { share } = useActions();
  const [offers, setOffers] = useState<Readonly<Partial<Record<ShareKind, Offer>>>>({});
  useEffect(() => {
    let isCurrent = true;
    for (const kind of kinds) {
      void share({ kind, name, address, excerpt, today: Date.now() }).then((sharing) => {
        if (!isCurrent) return;
        const offer: Offer = sharing.ok
          ? { state: 'ready', shared: sharing.shared, link: linkTo(sharing.shared) }
          : { state: 'refused', reason: sharing.reason };
        setOffers((known) => ({ ...known, [kind]: offer }));
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [kinds, name, address, excerpt, share]);
  return offers;
}

function linkTo(shared: Shared): string | null {
  const { data } = shared;
  if ('payload' in data && data.payload.length > LINKED_BYTES) return null;
  const fragment = encodeFragment(shared);
  return fragment.length > MAX_FRAGMENT ? null : `${location.origin}${location.pathname}#${fragment}`;
}
