/**
 * The shared data and its link, for each way of sharing: made when the dialog opens, and again when a choice changes.
 * Until then the last link is marked as old: data that a person unchecked is never shared.
 */
import { useEffect, useMemo, useState } from 'react';
import type { Excerpt } from '#engine/inspect/excerpt.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import type { Shared } from '#permalink/shared.ts';
import { useActions } from '#state/context.tsx';
import type { ShareKind } from '#wording/share-words.ts';

export type ShareOffer =
  | { readonly state: 'ready' | 'old'; readonly shared: Shared; readonly link: string | null }
  | { readonly state: 'refused'; readonly reason: string };

type Offers = Readonly<Partial<Record<ShareKind, ShareOffer>>>;

/** Larger payloads give links that no software accepts; they are not written. */
const LINKED_BYTES = 600_000;

export function useSharing(
  kinds: readonly ShareKind[],
  name: string,
  address: string,
  excerpt: Excerpt | null,
): Offers {
  const { share } = useActions();
  const wish = useMemo(() => ({ name, address, excerpt }), [name, address, excerpt]);
  const [made, setMade] = useState<
    Readonly<Partial<Record<ShareKind, { readonly of: object; readonly offer: ShareOffer }>>>
  >({});
  useEffect(() => {
    let isCurrent = true;
    for (const kind of kinds) {
      void share({ kind, ...wish, today: Date.now() }).then((sharing) => {
        if (!isCurrent) return;
        const offer: ShareOffer = sharing.ok
          ? { state: 'ready', shared: sharing.shared, link: linkTo(sharing.shared) }
          : { state: 'refused', reason: sharing.reason };
        setMade((known) => ({ ...known, [kind]: { of: wish, offer } }));
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [kinds, wish, share]);
  return useMemo(() => {
    const offers = Object.entries(made).flatMap(([kind, { of, offer }]) => {
      if (of === wish) return [[kind, offer] as const];
      return offer.state === 'refused' ? [] : [[kind, { ...offer, state: 'old' as const }] as const];
    });
    return Object.fromEntries(offers);
  }, [made, wish]);
}

function linkTo(shared: Shared): string | null {
  const { data } = shared;
  if ('payload' in data && data.payload.length > LINKED_BYTES) return null;
  const fragment = encodeFragment(shared);
  return fragment === null ? null : `${location.origin}${location.pathname}#${fragment}`;
}
