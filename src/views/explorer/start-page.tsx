/** Loaded schemas, their missing imports, schemas that ship with the app, and places to begin. */

import type { ReactNode } from 'react';
import { plural } from '#engine/model/count-text.ts';
import { fragmentOf } from '#state/addresses/place.ts';
import { useApp } from '#state/context.tsx';
import { EXPLORER_NOTES, schemaWords, shippedWords } from '#wording/explorer-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { CostMap } from './cost-map.tsx';
import { LoadControls, MissingImports, RootBox } from './load-controls.tsx';
import { NodeList } from './node-list.tsx';
import { Link, PageSection } from './symbol-head.tsx';
import { useAnswer } from './use-answer.ts';

/** The maximum of faults listed here; the file's own page and the editor list all. */
const LISTED_FAULTS = 50;

export function StartPage(): ReactNode {
  const schema = useApp(({ session }) => session.schema);
  const files = useApp(({ session }) => session.schemaFiles);
  const bundled = useApp(({ session }) => session.bundled);
  const { answer: roots } = useAnswer('treeNodes', schema ? { shelf: 'loaded', order: 'package', parent: null } : null);
  if (files.length === 0 || schema === null) {
    return (
      <article className="px-5 pt-4 pb-10">
        <h1 className="text-lg font-semibold tracking-tight">Schema</h1>
        <p className="mt-2 max-w-2xl">
          {files.length > 0 ? `Reading ${plural(files.length, 'file')}…` : EXPLORER_NOTES.empty}
        </p>
        <LoadControls />
        <Kept />
        <div className="-mx-5">
          {files.length === 0 && bundled && <CostMap shelf="bundled" />}
          <ShippedSchemas />
        </div>
      </article>
    );
  }
  const faults = schema.diagnostics.filter(({ severity }) => severity === 'error');
  return (
    <article className="pb-10">
      <header className="px-5 pt-4">
        <h1 className="text-lg font-semibold tracking-tight">Schema</h1>
        <p className="text-ink-muted">{schemaWords(schema)}</p>
        <LoadControls />
        <RootBox />
        <Kept />
      </header>
      {schema.missing.length > 0 && (
        <PageSection title={EXPLORER_NOTES.missingImports} count={formatCount(schema.missing.length)}>
          <MissingImports />
        </PageSection>
      )}
      {faults.length > 0 && (
        <PageSection title="What is wrong" count={formatCount(faults.length)}>
          <ul className="mt-1">
            {faults.slice(0, LISTED_FAULTS).map(({ code, file, line, column, message }) => (
              <li key={`${file}:${line}:${column}:${code}:${message}`} className="border-b border-rule py-0.5">
                <p className="break-words">
                  {message}{' '}
                  {file !== undefined && (
                    <Link to={fragmentOf({ at: 'edit', name: file, line: line ?? 1, column: column ?? 1 })}>
                      {file}:{line ?? 1}:{column ?? 1}
                    </Link>
                  )}
                </p>
              </li>
            ))}
          </ul>
          {faults.length > LISTED_FAULTS && (
            <p className="text-ink-muted">and {formatCount(faults.length - LISTED_FAULTS)} more</p>
          )}
        </PageSection>
      )}
      <CostMap shelf="loaded" />
      <PageSection title="Packages">
        <NodeList nodes={roots ?? []} />
      </PageSection>
      <ShippedSchemas />
    </article>
  );
}

/** Shipped schemas: used if no loaded type fits, and open for browsing. */
function ShippedSchemas(): ReactNode {
  const bundled = useApp(({ session }) => session.bundled);
  const { answer: roots } = useAnswer('treeNodes', bundled && { shelf: 'bundled', order: 'package', parent: null });
  return (
    <PageSection
      title={EXPLORER_NOTES.shipped}
      count={bundled ? shippedWords(bundled.files.length, bundled.types) : ''}
    >
      <p className="max-w-2xl text-ink-muted">{EXPLORER_NOTES.compared}</p>
      {roots === undefined ? <p className="text-ink-muted">Reading…</p> : <NodeList nodes={roots} />}
    </PageSection>
  );
}

const Kept = (): ReactNode => <p className="mt-2 max-w-2xl text-ink-muted">{EXPLORER_NOTES.remembered}</p>;
