/** The address bar and history of this tab. */
import type { AddressBar } from '#state/walk-history.ts';

const addressOf = (fragment: string): string => location.pathname + location.search + fragment;

export const addressBar: AddressBar = {
  fragment: () => location.hash,
  entry: () => history.state,
  push: (entry, fragment) => history.pushState(entry, '', addressOf(fragment)),
  replace: (entry, fragment) => history.replaceState(entry, '', addressOf(fragment)),
};
