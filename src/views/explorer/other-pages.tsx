/** The pages of symbols other than messages: enums, services, extensions, files, packages and folders. */

import { Fragment, type ReactNode } from 'react';
import { fragmentOf } from '#state/addresses/place.ts';
import type {
  EnumPage as EnumPageData,
  ExtensionPage as ExtensionPageData,
  FilePage as FilePageData,
  PackagePage as PackagePageData,
  ServicePage as ServicePageData,
} from '#state/explore.ts';
import { EXPLORER_NOTES } from '#wording/explorer-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { fileAddress, packageAddress } from './addresses.ts';
import { CommentRow } from './comment-row.tsx';
import { FieldList } from './field-list.tsx';
import { NodeList } from './node-list.tsx';
import { Link, PageSection, SymbolHead, TypeLink, UsedBy } from './symbol-head.tsx';

/** Values that a page lists; more are counted. */
const LISTED_VALUES = 1000;

export function EnumPageView({ page, focus }: { readonly page: EnumPageData; readonly focus: string }): ReactNode {
  const isFocus = (name: string): boolean => focus === name || focus.endsWith(`.${name}`);
  return (
    <article className="pb-10">
      <SymbolHead page={page}>
        <p className="mt-1">
          {page.closed ? EXPLORER_NOTES.closedEnum : EXPLORER_NOTES.openEnum}
          {page.reserved.length > 0 && ` Reserved: ${page.reserved.join(', ')}.`}
        </p>
      </SymbolHead>
      <PageSection title="Values" count={formatCount(page.values.length)}>
        <table className="field-list" aria-label={`Values of ${page.name}`}>
          <thead>
            <tr>
              <th scope="col" className="is-figure">
                Number
              </th>
              <th scope="col">Name</th>
              <th scope="col" className="is-figure" data-term="table-enum-bytes">
                Bytes
              </th>
            </tr>
          </thead>
          <tbody>
            {page.values.slice(0, LISTED_VALUES).map(({ name, number, valueBytes, deprecated, options, comment }) => (
              <Fragment key={name}>
                <tr className={isFocus(name) ? 'is-focused' : undefined}>
                  <td className="is-figure">{number < 0 ? `−${-number}` : number}</td>
                  <th scope="row">
                    <Name name={name} deprecated={deprecated} />
                  </th>
                  <td className={`is-figure${valueBytes > 2 ? ' is-wide-tag' : ''}`}>{valueBytes}</td>
                </tr>
                <CommentRow comment={comment} options={options} isFocused={isFocus(name)} before={1} span={2} />
              </Fragment>
            ))}
          </tbody>
        </table>
        {page.values.length > LISTED_VALUES && (
          <p className="mt-1 text-ink-muted">and {formatCount(page.values.length - LISTED_VALUES)} more</p>
        )}
      </PageSection>
      <UsedBy uses={page.usedBy} more={page.moreUses} />
    </article>
  );
}

export const ServicePageView = ({
  page,
  focus,
}: {
  readonly page: ServicePageData;
  readonly focus: string;
}): ReactNode => (
  <article className="pb-10">
    <SymbolHead page={page} />
    <PageSection title="Methods" count={formatCount(page.methods.length)}>
      <div className="field-list-frame">
        <table className="field-list" aria-label={`Methods of ${page.name}`}>
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col" data-term="table-takes">
                Takes
              </th>
              <th scope="col" data-term="table-answers">
                Answers
              </th>
              <th scope="col" data-term="table-path">
                Path
              </th>
            </tr>
          </thead>
          <tbody>
            {page.methods.map((method) => {
              const isFocused = focus === `${page.fullName}.${method.name}`;
              return (
                <Fragment key={method.name}>
                  <tr className={isFocused ? 'is-focused' : undefined}>
                    <th scope="row">
                      <Name {...method} />
                    </th>
                    <td>
                      {method.clientStreaming && <span className="text-ink-muted">stream of </span>}
                      <TypeLink name={method.input} />
                    </td>
                    <td>
                      {method.serverStreaming && <span className="text-ink-muted">stream of </span>}
                      <TypeLink name={method.output} />
                    </td>
                    <td className="font-mono text-2xs whitespace-nowrap text-ink-muted">{method.path}</td>
                  </tr>
                  <CommentRow comment={method.comment} options={method.options} isFocused={isFocused} span={4} />
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
    </PageSection>
  </article>
);

const Name = ({ name, deprecated }: { readonly name: string; readonly deprecated: boolean }): ReactNode => (
  <span className={deprecated ? 'line-through' : undefined} title={deprecated ? 'Deprecated' : undefined}>
    {name}
  </span>
);

export const ExtensionPageView = ({ page }: { readonly page: ExtensionPageData }): ReactNode => (
  <article className="pb-10">
    <SymbolHead page={page}>
      <p className="mt-1">
        Extends <TypeLink name={page.extended} />
      </p>
    </SymbolHead>
    <PageSection title="The field">
      <FieldList fields={[page.field]} owner={page.extended} focus="" label={`The extension ${page.name}`} />
    </PageSection>
  </article>
);

export const FilePageView = ({ page }: { readonly page: FilePageData }): ReactNode => (
  <article className="pb-10">
    <header className="px-5 pt-4">
      <nav aria-label="Where it is" className="flex flex-wrap gap-x-1.5 text-ink-muted">
        <Link to={fragmentOf({ at: 'schema' })}>Schema</Link>
        {page.path
          .split('/')
          .slice(0, -1)
          .map((part, index, parts) => (
            <span key={parts.slice(0, index + 1).join('/')} className="contents">
              <span aria-hidden="true">›</span>
              <Link to={fragmentOf({ at: 'folder', name: parts.slice(0, index + 1).join('/') })}>{part}</Link>
            </span>
          ))}
      </nav>
      <h1 className="mt-0.5 flex flex-wrap items-baseline gap-x-2 text-lg font-semibold tracking-tight">
        <span className="break-all">{page.path.slice(page.path.lastIndexOf('/') + 1)}</span>
        <span className="text-2xs font-normal text-ink-muted">file</span>
      </h1>
      <p className="text-ink-muted">
        <span className="break-all select-all">{page.path}</span>,{' '}
        {page.syntax.startsWith('proto') ? page.syntax : `edition ${page.syntax}`}
        {page.package !== '' && (
          <>
            , package <Link to={packageAddress(page.package)}>{page.package}</Link>
          </>
        )}
      </p>
      <p className="mt-2">
        <a className="control control-framed" href={fragmentOf({ at: 'edit', name: page.path, line: 1, column: 1 })}>
          Open the text
        </a>
      </p>
    </header>
    <PageSection title="Declares" count={formatCount(page.declares.length)}>
      <NodeList nodes={page.declares} />
    </PageSection>
    {page.imports.length > 0 && (
      <PageSection title="Imports" count={formatCount(page.imports.length)}>
        <ul className="mt-1">
          {page.imports.map(({ path, file }) => (
            <li key={path} className="break-all">
              {file === null ? (
                <>
                  {path} <span className="text-bad">missing</span>
                </>
              ) : (
                <Link to={fileAddress(file)}>{path}</Link>
              )}
            </li>
          ))}
        </ul>
      </PageSection>
    )}
    {page.importedBy.length > 0 && (
      <PageSection title="Imported by" count={formatCount(page.importedBy.length)}>
        <ul className="mt-1">
          {page.importedBy.map((path) => (
            <li key={path} className="break-all">
              <Link to={fileAddress(path)}>{path}</Link>
            </li>
          ))}
        </ul>
      </PageSection>
    )}
  </article>
);

export const GroupPage = ({ page }: { readonly page: PackagePageData }): ReactNode => (
  <article className="pb-10">
    <header className="px-5 pt-4">
      <nav aria-label="Where it is" className="text-ink-muted">
        <Link to={fragmentOf({ at: 'schema' })}>Schema</Link>
      </nav>
      <h1 className="mt-0.5 flex flex-wrap items-baseline gap-x-2 text-lg font-semibold tracking-tight">
        <span className="break-all">{page.name}</span>
        <span className="text-2xs font-normal text-ink-muted">{page.kind}</span>
      </h1>
    </header>
    <PageSection title="Contents" count={formatCount(page.contents.length)}>
      <NodeList nodes={page.contents} />
    </PageSection>
  </article>
);
