/** The address bar and history of this tab. */
import type { AddressBar } from '#state/addresses/walk-history.ts';

const addressOf = (fragment: string): string => location.pathname + location.search + fragment;

export const addressBar: AddressBar = {
  fragment: () => location.hash,
  entry: () => history.state,
  push: (entry, fragment) => {
    history.pushState(entry, '', addressOf(fragment));
    // The browser announces only the addresses that it changes itself.
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  },
  replace: (entry, fragment) => history.replaceState(entry, '', addressOf(fragment)),
};
