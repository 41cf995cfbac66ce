/** A message in both encodings, linked: a selection in one is outlined in the other. */

import type { ReactNode } from 'react';
import type { HexSpan } from '#charts/hex-lines.ts';
import { type MessageSide, rowIn, type SideRow } from '#engine/inspect/encoded-message.ts';
import type { Encoding } from '#engine/model/annotation.ts';
import { MESSAGE_NOTES } from '#wording/message-notes.ts';
import { HexView } from './hex-view.tsx';

export interface Sources {
  readonly encoding: Encoding;
  readonly spans: readonly HexSpan[];
}

export interface HexPairProps {
  readonly protobuf: MessageSide;
  /** null: nothing was written natively. */
  readonly native: MessageSide | null;
  readonly selection: SideRow | null;
  readonly hovered: SideRow | null;
  readonly onSelect: (selection: SideRow) => void;
  readonly onHover: (hovered: SideRow | null) => void;
  readonly sayValue: (side: MessageSide, row: number) => string;
  readonly writerOf?: (path: string) => string | null;
  readonly onSave?: (encoding: Encoding, bytes: Uint8Array) => void;
  /** Bytes that are the source of copies on the same side. */
  readonly sources?: Sources | undefined;
  /** The kind of the bytes, if they are not a message: `header`. */
  readonly of?: string;
}

export function HexPair({
  protobuf,
  native,
  selection,
  hovered,
  onSelect,
  onHover,
  sayValue,
  writerOf,
  onSave,
  sources,
  of = '',
}: HexPairProps): ReactNode {
  const sides: readonly (readonly [Encoding, MessageSide])[] = [
    ['protobuf', protobuf],
    ...(native === null ? [] : [['native', native] as const]),
  ];
  return (
    <div className="hex-pair">
      <div className="hex-pair-sides" data-sides={sides.length}>
        {sides.map(([encoding, side]) => {
          const selected = rowIn(side, selection, protobuf, native);
          return (
            <HexView
              key={encoding}
              side={side}
              label={`${side.label ?? (side.table.encoding === 'protobuf' ? 'Protobuf' : 'Native')} ${of}`.trim()}
              selected={selected}
              hovered={rowIn(side, hovered, protobuf, native)}
              onSelect={(row) => onSelect({ encoding, row })}
              onHover={(row) => onHover(row === null || row < 0 ? null : { encoding, row })}
              sayValue={sayValue}
              {...(writerOf ? { writerOf } : {})}
              sources={sources?.encoding === encoding ? sources.spans : undefined}
              onSave={onSave && (() => onSave(encoding, side.bytes))}
              absence={
                selection !== null && selected === null
                  ? side.table.encoding === 'protobuf'
                    ? MESSAGE_NOTES.noProtobuf
                    : MESSAGE_NOTES.noBytes
                  : null
              }
            />
          );
        })}
      </div>
    </div>
  );
}
