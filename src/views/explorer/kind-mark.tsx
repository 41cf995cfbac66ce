/** One letter for the kind of a name, and a word for screen readers. */
import type { ReactNode } from 'react';
import type { NameKind, NodeKind } from '#state/explore.ts';

const KINDS: Readonly<Record<NodeKind | NameKind, readonly [letter: string, word: string]>> = {
  package: ['p', 'package'],
  folder: ['/', 'folder'],
  file: ['f', 'file'],
  message: ['M', 'message'],
  enum: ['E', 'enum'],
  service: ['S', 'service'],
  extension: ['X', 'extension'],
  field: ['·', 'field'],
  method: ['→', 'method'],
  value: ['=', 'enum value'],
};

export const wordOfKind = (kind: NodeKind | NameKind): string => KINDS[kind][1];

export function KindMark({ kind }: { readonly kind: NodeKind | NameKind }): ReactNode {
  const [letter, word] = KINDS[kind];
  return (
    <span className="kind-mark" data-kind={kind} title={word} aria-hidden="true">
      {letter}
    </span>
  );
}
