/** Copies the address of a page, with the schema in it if that fits. */

import { type ReactNode, useState } from 'react';
import type { AddressedPlace } from '#state/addresses/place.ts';
import { useActions } from '#state/context.tsx';
import { EXPLORER_NOTES } from '#wording/explorer-notes.ts';
import { lengthWords } from '#wording/share-words.ts';
import { COPY_REFUSED, copyText } from '../share/copy-text.ts';

export function PageLink({ place }: { readonly place: AddressedPlace }): ReactNode {
  const { pageAddress } = useActions();
  const [said, say] = useState('');
  const copy = async (): Promise<void> => {
    const { fragment, isWithout } = await pageAddress(place);
    const link = `${location.origin}${location.pathname}${fragment}`;
    const isCopied = await copyText(link);
    const words = isWithout ? EXPLORER_NOTES.tooLarge : lengthWords(link.length).replace(/ Save .*/, '');
    say(isCopied ? `Copied. ${words}` : COPY_REFUSED);
  };
  return (
    <p className="page-link">
      <span role="status">{said}</span>
      <button type="button" className="control control-framed" onClick={() => void copy()}>
        Copy link
      </button>
    </p>
  );
}
