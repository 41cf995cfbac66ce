/** The header that a message came with, in both encodings, with a selection of its own: it is not a field of the message. */
import { type ReactNode, useMemo, useState } from 'react';
import { createSayValue } from '#charts/row-value.ts';
import type { SideRow } from '#engine/inspect/encoded-message.ts';
import type { Inspection } from '#state/session-state.ts';
import { HexPair } from '../hex/hex-pair.tsx';
import { saveFile } from './save-file.ts';

export function HeaderBytes({
  header,
  ordinal,
}: {
  readonly header: NonNullable<Inspection['header']>;
  readonly ordinal: number;
}): ReactNode {
  const [selection, setSelection] = useState<SideRow | null>(null);
  const [hovered, setHovered] = useState<SideRow | null>(null);
  const sayValue = useMemo(() => createSayValue(header), [header]);
  return (
    <HexPair
      {...header}
      of="header"
      selection={selection}
      hovered={hovered}
      onSelect={setSelection}
      onHover={setHovered}
      sayValue={sayValue}
      onSave={(encoding, bytes) =>
        saveFile(`header-${ordinal}.${encoding === 'protobuf' ? 'binpb' : 'native.bin'}`, bytes)
      }
    />
  );
}
