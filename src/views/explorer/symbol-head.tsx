/** The header of every page: the place, the name and the comment of a symbol. */
import type { ReactNode } from 'react';
import { unwrapped } from '#engine/explore/comment-text.ts';
import { countText } from '#engine/model/count-text.ts';
import { shortNameOf } from '#engine/schema/names.ts';
import { fragmentOf } from '#state/addresses/place.ts';
import type { OptionText, SymbolPage, UseEntry } from '#state/explore.ts';
import type { TermName } from '#wording/terms.ts';
import { fileAddress, packageAddress, typeAddress } from './addresses.ts';
import { wordOfKind } from './kind-mark.tsx';

export const Link = ({
  to,
  children,
  title,
}: {
  readonly to: string;
  readonly children: ReactNode;
  readonly title?: string;
}): ReactNode => (
  <a href={to} title={title} className="explorer-link">
    {children}
  </a>
);

/** A type by its short name; the full name is in the title. */
export const TypeLink = ({ name }: { readonly name: string }): ReactNode => (
  <Link to={typeAddress(name)} title={name}>
    {shortNameOf(name)}
  </Link>
);

export function SymbolHead({
  page,
  children,
}: {
  readonly page: SymbolPage;
  readonly children?: ReactNode;
}): ReactNode {
  const { kind, name, fullName, parent, comment, options } = page;
  const file = 'file' in page ? page.file : (page.place?.file ?? null);
  return (
    <header className="px-5 pt-4">
      <nav aria-label="Where it is" className="flex flex-wrap gap-x-1.5 text-ink-muted">
        <Link to={fragmentOf({ at: 'schema' })}>Schema</Link>
        {page.package !== '' && (
          <>
            <span aria-hidden="true">›</span>
            <Link to={packageAddress(page.package)}>{page.package}</Link>
          </>
        )}
        {parent !== null && (
          <>
            <span aria-hidden="true">›</span>
            <Link to={typeAddress(parent)}>{parent.slice(page.package === '' ? 0 : page.package.length + 1)}</Link>
          </>
        )}
      </nav>
      <h1 className="mt-0.5 flex flex-wrap items-baseline gap-x-2 text-lg font-semibold tracking-tight">
        <span className="break-all">{name}</span>
        <span className="text-2xs font-normal text-ink-muted">{wordOfKind(kind)}</span>
      </h1>
      <p className="text-ink-muted">
        <span className="break-all select-all">{fullName}</span>
        {file !== null && (
          <>
            {' '}
            in <Link to={fileAddress(file)}>{file}</Link>
            {page.place && (
              <>
                {' '}
                <Link
                  to={fragmentOf({
                    at: 'edit',
                    name: page.place.file,
                    line: page.place.line,
                    column: page.place.column,
                  })}
                >
                  line {page.place.line}
                </Link>
              </>
            )}
          </>
        )}
      </p>
      {comment !== null && <Comment text={comment} />}
      {options.length > 0 && <OptionList options={options} />}
      {children}
    </header>
  );
}

/** A comment is text: nothing in it is markup. */
const Comment = ({ text }: { readonly text: string }): ReactNode => (
  <p className="mt-2 max-w-3xl whitespace-pre-line">{unwrapped(text)}</p>
);

export const OptionList = ({ options }: { readonly options: readonly OptionText[] }): ReactNode => (
  <p className="mt-1 flex flex-wrap gap-x-3 font-mono text-2xs leading-5 text-ink-muted">
    {options.map(({ name, value }) => (
      <span key={name} className="break-all">
        {name} = {value}
      </span>
    ))}
  </p>
);

export function PageSection({
  title,
  term,
  count,
  children,
}: {
  readonly title: string;
  readonly term?: TermName;
  readonly count?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="mt-5 px-5">
      <h2 className="panel-title border-b border-rule-strong pb-1" data-term={term}>
        {title}
        {count !== undefined && <span className="ml-2 font-normal">{count}</span>}
      </h2>
      {children}
    </section>
  );
}

/** Fields, extensions and methods that use a type; each is a link to its place. */
export function UsedBy({ uses, more }: { readonly uses: readonly UseEntry[]; readonly more: number }): ReactNode {
  if (uses.length === 0) return null;
  return (
    <PageSection title="Used by" count={String(uses.length + more)}>
      <ul className="mt-1 columns-[20rem] gap-x-8">
        {uses.map(({ kind, fullName, label, type }) => (
          <li key={`${kind} ${fullName}`} className="flex min-w-0 gap-2 break-inside-avoid">
            <span className="min-w-0 truncate">
              <Link to={typeAddress(fullName)} title={fullName}>
                {label}
              </Link>
            </span>
            <span className="min-w-0 flex-1 truncate text-ink-muted" title={type}>
              {type}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-1 text-ink-muted">and {countText(more)} more</p>}
    </PageSection>
  );
}
