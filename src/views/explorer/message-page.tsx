/** A message: its fields, their cost, its nested types, the types that it uses and those that use it. */

import type { ReactNode } from 'react';
import { plural } from '#engine/model/count-text.ts';
import { goTo } from '#state/addresses/place.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { MessagePage as MessagePageData } from '#state/explore.ts';
import { EXPLORER_NOTES, moreFieldsThanShown } from '#wording/explorer-notes.ts';
import { formatBytes } from '#wording/number-text.ts';
import type { TermName } from '#wording/terms.ts';
import { ByteLayout } from './byte-layout.tsx';
import { CostFindings } from './cost-findings.tsx';
import { ExampleList } from './example-list.tsx';
import { FieldList } from './field-list.tsx';
import { NodeList } from './node-list.tsx';
import { PageSection, SymbolHead, TypeLink, UsedBy } from './symbol-head.tsx';

/** The maximum of fields in the picture; the table has all of them. */
const DRAWN = 60;

export function MessagePageView({
  page,
  focus,
}: {
  readonly page: MessagePageData;
  readonly focus: string;
}): ReactNode {
  const { fields, moreFields, extensions, nested, uses, reserved, extensionRanges, fullName } = page;
  const type = useApp(({ view }) => view.type);
  const hasInput = useApp(({ session }) => session.input !== null);
  const { chooseType } = useActions();
  const facts: readonly (readonly [label: string, words: ReactNode, term: TermName])[] = [
    ['Syntax', page.syntax.startsWith('proto') ? page.syntax : `edition ${page.syntax}`, 'label-syntax'],
    ['Tags', tagWords(page), 'label-tags'],
    [
      'Smallest',
      `${formatBytes(page.cost.leastProtobuf)} in protobuf, ${formatBytes(page.cost.leastNative)} natively${flagWords(page.cost.nativeFlags)}`,
      'label-smallest',
    ],
    ['Presence', presenceWords(page), 'label-presence'],
    ['Nesting', nestingWords(page), 'label-nesting'],
    ...(reserved.length > 0 ? [['Reserved', reserved.join(', '), 'label-reserved'] as const] : []),
    ...(extensionRanges.length > 0 ? [['Extensions', extensionRanges.join(', '), 'label-extensions'] as const] : []),
  ];
  return (
    <article className="pb-10">
      <SymbolHead page={page}>
        <dl className="explorer-facts">
          {facts.map(([label, words, term]) => (
            <div key={label}>
              <dt data-term={term}>{label}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
        {hasInput && type !== fullName && (
          <button
            type="button"
            className="control control-framed mt-2"
            onClick={() => {
              goTo(null);
              chooseType(fullName);
            }}
          >
            {EXPLORER_NOTES.readAs} {page.name}
          </button>
        )}
      </SymbolHead>
      <PageSection title="Fields" count={String(fields.length + moreFields)}>
        {fields.length === 0 ? (
          <p className="mt-1 text-ink-muted">{EXPLORER_NOTES.noFields}</p>
        ) : (
          <FieldList fields={fields} owner={fullName} focus={focus} label={`Fields of ${page.name}`} />
        )}
        {moreFields > 0 && <p className="mt-1 text-ink-muted">{moreFieldsThanShown(moreFields)}</p>}
      </PageSection>
      {fields.length > 0 && (
        <PageSection title={EXPLORER_NOTES.oneRecord} term="label-layout">
          <ByteLayout fields={fields.slice(0, DRAWN)} />
        </PageSection>
      )}
      <ExampleList fullName={fullName} />
      <CostFindings fields={[...fields, ...extensions]} />
      {extensions.length > 0 && (
        <PageSection title="Extensions known" term="label-extensions" count={String(extensions.length)}>
          <FieldList fields={extensions} owner={fullName} focus={focus} label={`Extensions of ${page.name}`} />
        </PageSection>
      )}
      {nested.length > 0 && (
        <PageSection title="Declared inside" count={String(nested.length)}>
          <NodeList nodes={nested} />
        </PageSection>
      )}
      {uses.length > 0 && (
        <PageSection title="Uses" count={String(uses.length)}>
          <ul className="mt-1 columns-[14rem] gap-x-8">
            {uses.map((name) => (
              <li key={name} className="truncate">
                <TypeLink name={name} />
              </li>
            ))}
          </ul>
        </PageSection>
      )}
      <UsedBy uses={page.usedBy} more={page.moreUses} />
    </article>
  );
}

const flagWords = (flags: number): string => (flags === 0 ? '' : `, of which ${plural(flags, 'flag')}`);

function presenceWords({ fields }: MessagePageData): string {
  const counted = (['explicit', 'implicit', 'required'] as const).flatMap((presence) => {
    const count = fields.filter((field) => field.presence === presence).length;
    return count === 0 ? [] : [`${count} ${presence}`];
  });
  return counted.length === 0 ? 'none' : counted.join(', ');
}

function tagWords({ fields, extensions }: MessagePageData): string {
  const all = [...fields, ...extensions];
  const widths = [1, 2, 3, 4, 5].map((width) => all.filter(({ tagBytes }) => tagBytes === width).length);
  const words = widths.flatMap((count, index) =>
    count === 0 ? [] : [`${count} of ${index + 1} ${index === 0 ? 'byte' : 'bytes'}`],
  );
  return words.length === 0 ? 'none' : words.join(', ');
}

function nestingWords({ depth, cycle, name }: MessagePageData): string {
  if (cycle.length > 0) return `holds itself: ${name} → ${cycle.join(' → ')}`;
  if (depth === null) return EXPLORER_NOTES.endless;
  return depth === 1 ? 'no messages below' : depth === 2 ? 'one level below' : `${depth - 1} levels below`;
}
