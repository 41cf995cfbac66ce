/** Bytes of a message that are not a field of it, as its header, in both encodings, with a selection of their own. */
import { type ReactNode, useMemo, useState } from 'react';
import { createSayValue } from '#charts/row-value.ts';
import type { SideRow } from '#engine/inspect/encoded-message.ts';
import type { Inspection } from '#state/session-state.ts';
import { HexPair } from '../hex/hex-pair.tsx';
import { saveFile } from './save-file.ts';

export function PartBytes({
  part,
  of,
  file,
}: {
  readonly part: NonNullable<Inspection['header']>;
  /** Its name in labels: `header`. */
  readonly of: string;
  /** The name of a saved file, without its ending. */
  readonly file: string;
}): ReactNode {
  const [selection, setSelection] = useState<SideRow | null>(null);
  const [hovered, setHovered] = useState<SideRow | null>(null);
  const sayValue = useMemo(() => createSayValue(part), [part]);
  return (
    <HexPair
      protobuf={part.protobuf}
      native={part.native}
      of={of}
      selection={selection}
      hovered={hovered}
      onSelect={setSelection}
      onHover={setHovered}
      sayValue={sayValue}
      onSave={(encoding, bytes) => saveFile(`${file}.${encoding === 'protobuf' ? 'binpb' : 'native.bin'}`, bytes)}
    />
  );
}
