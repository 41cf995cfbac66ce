/** The icicle of the shown profile, with the selection and the zoom that the table shares. */
import { type ReactNode, useMemo } from 'react';
import { icicleTree } from '#charts/icicle-tree.ts';
import { isAttributed } from '#engine/cost/bit-parts.ts';
import { paidProfile } from '#engine/cost/paid-profile.ts';
import { capturedLedger, type Profile } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { shownBits } from '#state/measured/shown-bits.ts';
import { afterWords } from '#wording/paid-words.ts';
import { IciclePane } from './icicle-pane.tsx';

export function ProfileIcicle({ profile }: { readonly profile: Profile }): ReactNode {
  const drawn = useApp(({ view }) => view.drawn);
  const bits = useApp(shownBits);
  const tree = useMemo(
    () =>
      bits == null || drawn === 'plain' || !isAttributed(bits.container)
        ? icicleTree(profile, capturedLedger(profile))
        : icicleTree(paidProfile(profile, bits, drawn, afterWords(bits))),
    [profile, bits, drawn],
  );
  const root = useApp(({ view }) => view.root);
  const selected = useApp(({ view }) => view.selection.path);
  const hovered = useApp(({ session }) => session.hover.path);
  const { selectPath, hoverPath, zoomInto } = useActions();
  return (
    <IciclePane
      tree={tree}
      root={root}
      onRoot={zoomInto}
      selected={selected}
      hovered={hovered}
      onSelect={selectPath}
      onHover={hoverPath}
    />
  );
}
