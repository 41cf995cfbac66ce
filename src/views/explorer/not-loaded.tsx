/** The page of an address that names nothing loaded, with suggestions. */

import { type ReactNode, useMemo } from 'react';
import { fragmentOf, type Named } from '#state/addresses/place.ts';
import { useApp } from '#state/context.tsx';
import { EXPLORER_NOTES } from '#wording/explorer-notes.ts';
import { fileAddress } from './addresses.ts';
import { filesAlike } from './alike-files.ts';
import { Link } from './symbol-head.tsx';

export function NotLoaded({ name, of }: { readonly name: string; readonly of: Named }): ReactNode {
  const files = useApp(({ session }) => session.schema?.files);
  const alike = useMemo(() => (of === 'file' ? filesAlike(name, files ?? []) : []), [of, name, files]);
  return (
    <div className="p-5">
      <h1 className="text-lg font-semibold tracking-tight">{EXPLORER_NOTES.notInSchema}</h1>
      <p className="mt-1">
        {EXPLORER_NOTES.notLoaded} <span className="font-semibold break-all">{name}</span>.
      </p>
      {alike.length > 0 && (
        <>
          <p className="mt-2">{EXPLORER_NOTES.filesWithName}</p>
          <ul>
            {alike.map((path) => (
              <li key={path} className="break-all">
                <Link to={fileAddress(path)}>{path}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-2 max-w-2xl">{EXPLORER_NOTES.loadIt}</p>
      <p className="mt-2">
        <Link to={fragmentOf({ at: 'schema' })}>What is loaded</Link>
      </p>
    </div>
  );
}
