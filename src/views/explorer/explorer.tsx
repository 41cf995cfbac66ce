/** The schema explorer: a tree with a search beside the page of the place in the address bar. */
import { EXPLORER_NOTES } from '#wording/explorer-notes.ts';
import './explorer.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Group, Panel as Pane } from 'react-resizable-panels';
import { type AddressedPlace, fragmentOf, type Named } from '#state/addresses/place.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { CatalogOrder, Page, Shelf } from '#state/explore.ts';
import { PaneHandle } from '../panes/pane-handle.tsx';
import { InTurn } from '../progress/deferred.tsx';
import { SchemaPanel } from '../schema/schema-panel.tsx';
import { fileAddress } from './addresses.ts';
import { CatalogTree } from './catalog-tree.tsx';
import { ComparePage } from './compare-page.tsx';
import { CostlyPage } from './costly-page.tsx';
import { MessagePageView } from './message-page.tsx';
import { NameSearch } from './name-search.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { EnumPageView, ExtensionPageView, FilePageView, GroupPage, ServicePageView } from './other-pages.tsx';
import { PageLink } from './page-link.tsx';
import { StartPage } from './start-page.tsx';
import { Link } from './symbol-head.tsx';
import { useAnswer } from './use-answer.ts';

export function Explorer({ place, wide }: { readonly place: AddressedPlace; readonly wide: boolean }): ReactNode {
  const [query, setQuery] = useState('');
  const [order, setOrder] = useState<CatalogOrder>('package');
  const box = useRef<HTMLInputElement>(null);
  const hasSchema = useApp(({ session }) => session.schemaFiles.length > 0);
  const [chosen, setChosen] = useState<Shelf>('loaded');
  const shelf = hasSchema ? chosen : 'bundled';
  const { fetchBundled } = useActions();
  useEffect(() => void fetchBundled(), [fetchBundled]);
  const side = (
    <nav aria-label="Schema" className="flex h-full min-h-0 flex-col bg-paper">
      {hasSchema && <ShelfChoice chosen={chosen} onChoose={setChosen} />}
      <NameSearch shelf={shelf} query={query} onQuery={setQuery} box={box}>
        <div className="flex items-center border-b border-rule px-2 py-0.5">
          {(['package', 'file'] as const).map((key) => (
            <button
              key={key}
              type="button"
              className="control text-2xs"
              aria-pressed={order === key}
              onClick={() => setOrder(key)}
            >
              {key === 'package' ? 'By package' : 'By file'}
            </button>
          ))}
          <span className="ml-auto flex">
            <a className="control text-2xs" href={fragmentOf({ at: 'costly' })}>
              Costly
            </a>
            <a className="control text-2xs" href={fragmentOf({ at: 'compare', name: '' })}>
              Compare
            </a>
          </span>
        </div>
        <CatalogTree shelf={shelf} order={order} place={place} />
      </NameSearch>
    </nav>
  );
  const page = (
    <PageFrame>
      <PlacePage place={place} />
    </PageFrame>
  );
  if (!wide) {
    if (place.at !== 'schema') return <div className="min-h-0 flex-1">{page}</div>;
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <div className="h-[45%] shrink-0 border-b border-rule-strong">{side}</div>
        <div className="min-h-0 flex-1">{page}</div>
      </div>
    );
  }
  return (
    <Group orientation="horizontal" className="min-h-0 flex-1" id="explorer">
      <Pane id="names" defaultSize="24%" minSize="220px">
        <InTurn after={2}>{side}</InTurn>
      </Pane>
      <PaneHandle vertical label="Catalog" />
      <Pane id="page" minSize="400px">
        {page}
      </Pane>
    </Group>
  );
}

const SHELVES: Readonly<Record<Shelf, string>> = { loaded: 'Loaded', bundled: EXPLORER_NOTES.ships };

/** Chooses the schemas that the tree and the search show. */
const ShelfChoice = ({
  chosen,
  onChoose,
}: {
  readonly chosen: Shelf;
  readonly onChoose: (shelf: Shelf) => void;
}): ReactNode => (
  <fieldset className="flex gap-0.5 border-b border-rule px-2 py-0.5">
    <legend className="sr-only">Schemas</legend>
    {(Object.keys(SHELVES) as Shelf[]).map((shelf) => (
      <button
        key={shelf}
        type="button"
        className="control text-xs"
        aria-pressed={chosen === shelf}
        onClick={() => onChoose(shelf)}
      >
        {SHELVES[shelf]}
      </button>
    ))}
  </fieldset>
);

function PageFrame({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <main tabIndex={-1} className="printed explorer-page outline-none">
      {children}
    </main>
  );
}

function PlacePage({ place }: { readonly place: AddressedPlace }): ReactNode {
  switch (place.at) {
    case 'schema':
      return (
        <>
          <PageLink place={place} />
          <StartPage />
        </>
      );
    case 'edit':
      return <EditPage place={place} />;
    case 'type':
    case 'file':
    case 'package':
    case 'folder':
      return <NamedPage place={place} />;
    case 'compare':
      return <ComparePage name={place.name} />;
    case 'costly':
      return (
        <>
          <PageLink place={place} />
          <CostlyPage />
        </>
      );
  }
}

/** The text of a file, scrolled to the place in the address. */
function EditPage({ place }: { readonly place: Extract<AddressedPlace, { readonly at: 'edit' }> }): ReactNode {
  const { name: path, line, column } = place;
  const { openSchemaFile } = useActions();
  useEffect(() => void openSchemaFile(path, { line, column }), [openSchemaFile, path, line, column]);
  // Files that were still being read when the address was opened, and then opened themselves.
  const openFile = useApp(({ session }) => session.openFile);
  const isReading = useApp(({ session }) => session.schema === null || session.job !== null);
  const wasReading = useRef(isReading);
  useEffect(() => {
    if (wasReading.current && !isReading && openFile !== path) void openSchemaFile(path, { line, column });
    wasReading.current = isReading;
  }, [isReading, openFile, openSchemaFile, path, line, column]);
  const isUnknown = useApp(
    ({ session }) => session.readTexts[path] === null && session.schemaFiles.every((file) => file.path !== path),
  );
  if (isUnknown) return <NotLoaded name={path} of="file" />;
  return (
    <div className="flex h-full flex-col">
      <h1 className="sr-only">{path}</h1>
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-3 border-b border-rule px-3 py-1">
        <nav aria-label="Where it is" className="flex flex-wrap gap-x-1.5">
          <Link to={fragmentOf({ at: 'schema' })}>Schema</Link>
          <span aria-hidden="true" className="text-ink-muted">
            ›
          </span>
          <Link to={fileAddress(path)}>{path}</Link>
        </nav>
        {!isReading && <PageLink key={fragmentOf(place)} place={place} />}
      </div>
      <div className="min-h-0 flex-1">
        <SchemaPanel />
      </div>
    </div>
  );
}

/** A page whose name is loaded has a link; one that is still read, or that nothing loaded has, is not worth sending. */
function NamedPage({ place }: { readonly place: Extract<AddressedPlace, { readonly at: Named }> }): ReactNode {
  const { at: of, name } = place;
  const { nativeProfile, overrides } = useApp(({ view }) => view);
  const { answer, isOld, isGrowing } = useAnswer('describe', { of, name, nativeProfile, overrides });
  if (answer === undefined) return <p className="p-5 text-ink-muted">Reading…</p>;
  if (answer === null) {
    return isOld ? null : <NotLoaded name={name} of={of} />;
  }
  return (
    <>
      {!isOld && <PageLink key={fragmentOf(place)} place={place} />}
      <PageOf page={answer} focus={of === 'type' ? name : ''} />
      {isGrowing && (
        <p role="status" className="-mt-6 px-5 pb-10 text-ink-muted">
          {EXPLORER_NOTES.searchingUses}
        </p>
      )}
    </>
  );
}

function PageOf({ page, focus }: { readonly page: Page; readonly focus: string }): ReactNode {
  switch (page.kind) {
    case 'message':
      return <MessagePageView key={page.fullName} page={page} focus={focus} />;
    case 'enum':
      return <EnumPageView page={page} focus={focus} />;
    case 'service':
      return <ServicePageView page={page} focus={focus} />;
    case 'extension':
      return <ExtensionPageView page={page} />;
    case 'file':
      return <FilePageView page={page} />;
    default:
      return <GroupPage page={page} />;
  }
}
