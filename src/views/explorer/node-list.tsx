/** Symbols, packages or files as a list of links. */
import type { ReactNode } from 'react';
import { fragmentOf } from '#state/addresses/place.ts';
import type { CatalogNode, NodeKind } from '#state/explore.ts';
import { formatCount } from '#wording/number-text.ts';
import { placeOfNode } from './addresses.ts';
import { KindMark } from './kind-mark.tsx';
import { Link } from './symbol-head.tsx';

const COUNTED: Readonly<Record<NodeKind, readonly [one: string, many: string]>> = {
  package: ['declaration', 'declarations'],
  folder: ['file', 'files'],
  file: ['declaration', 'declarations'],
  message: ['field', 'fields'],
  enum: ['value', 'values'],
  service: ['method', 'methods'],
  extension: ['', ''],
};

export const NodeList = ({ nodes }: { readonly nodes: readonly CatalogNode[] }): ReactNode => (
  <ul className="mt-1 columns-[18rem] gap-x-8">
    {nodes.map((node) => {
      const [one, many] = COUNTED[node.kind];
      return (
        <li key={node.id} className="flex min-w-0 items-baseline gap-1.5 break-inside-avoid">
          <KindMark kind={node.kind} />
          <span className="min-w-0 truncate">
            <Link to={fragmentOf(placeOfNode(node))} title={node.name}>
              {node.label === '' ? 'no package' : node.label}
            </Link>
          </span>
          {one !== '' && (
            <span className="shrink-0 text-ink-muted">
              {formatCount(node.count)} {node.count === 1 ? one : many}
            </span>
          )}
        </li>
      );
    })}
  </ul>
);
