/** An address that leads to nothing that is loaded, and to what it may have meant. */
import { type ReactNode, useMemo } from 'react';
import { useApp } from '#state/context.tsx';
import { addressOf } from '#state/place.ts';
import { fileAddress } from './addresses.ts';
import { Link } from './symbol-head.tsx';

/** Files of a like path that are offered. */
const OFFERED = 8;

export function NotLoaded({
  name,
  of,
}: {
  readonly name: string;
  readonly of: 'type' | 'file' | 'package' | 'folder';
}): ReactNode {
  const files = useApp(({ session }) => session.schema?.files);
  const alike = useMemo(() => (of === 'file' ? alikeTo(name, files ?? []) : []), [of, name, files]);
  return (
    <div className="p-5">
      <h1 className="text-lg font-semibold tracking-tight">Not in the schema</h1>
      <p className="mt-1">
        Nothing that is loaded is called <span className="font-semibold break-all">{name}</span>.
      </p>
      {alike.length > 0 && (
        <>
          <p className="mt-2">These files have such a name:</p>
          <ul>
            {alike.map((path) => (
              <li key={path} className="break-all">
                <Link to={fileAddress(path)}>{path}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-2">
        <Link to={addressOf({ at: 'schema' })}>What is loaded</Link>
      </p>
    </div>
  );
}

/** Those that have the most folders in common with a path, counted from its end. */
function alikeTo(path: string, files: readonly string[]): readonly string[] {
  const end = path.slice(path.lastIndexOf('/') + 1);
  const same = files.filter((file) => file === end || file.endsWith(`/${end}`));
  return same.sort((a, b) => inCommon(path, b) - inCommon(path, a)).slice(0, OFFERED);
}

function inCommon(a: string, b: string): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}
