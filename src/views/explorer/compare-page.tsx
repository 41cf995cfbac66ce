/** The loaded schema, A, compared with a second version, B: the changes, which readers still work, and the cost. */

import { Fragment, type ReactNode, useMemo } from 'react';
import { plural } from '#engine/model/count-text.ts';
import { addedMessages } from '#state/added-profiles.ts';
import { fragmentOf } from '#state/addresses/place.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { CompatibilityLevel, FieldChange, FieldSizes, MeasuredVersions, SymbolChange } from '#state/explore.ts';
import type { SessionState } from '#state/session-state.ts';
import { apartFromLost } from '#wording/advice-notes.ts';
import { COMPARED, EXPLORER_NOTES, lostIn, measuredOf, moreChanges, schemaWords } from '#wording/explorer-notes.ts';
import { formatBytes, formatCount, formatSigned } from '#wording/number-text.ts';
import { typeAddress } from './addresses.ts';
import { FileChoice } from './file-choice.tsx';
import { KindMark } from './kind-mark.tsx';
import { PageLink } from './page-link.tsx';
import { Link, PageSection } from './symbol-head.tsx';
import { useAnswer } from './use-answer.ts';

/** The maximum of changed types that are listed; more are counted. */
const LISTED = 300;

/** Most faults of B that are listed. */
const LISTED_FAULTS = 8;

const VERDICTS: Readonly<Record<CompatibilityLevel, readonly [word: string, tone: string]>> = {
  safe: ['compatible', 'text-good'],
  conditional: ['with care', 'text-warn'],
  unsafe: ['incompatible', 'text-bad'],
};

const faultsOf = (other: SessionState['otherSchema']) =>
  other?.diagnostics.filter(({ severity }) => severity === 'error') ?? [];

export function ComparePage({ name }: { readonly name: string }): ReactNode {
  const other = useApp(({ session }) => session.otherSchema);
  const hasFiles = useApp(({ session }) => session.schemaFiles.length > 0);
  // Against a version of which nothing could be read, every type would be removed.
  const isRead = other !== null && (other.types > 0 || faultsOf(other).length === 0);
  // Requested again when B changes, because its summary is then another object.
  const { answer: comparison, isOld } = useAnswer('compare', isRead ? { limit: LISTED } : null, other);
  const sizes = useVersionSizes();
  const types = comparison?.types;
  const shown = name === '' ? types : types?.filter(({ before, after }) => before === name || after === name);
  return (
    <article className="pb-10">
      {hasFiles && other && <PageLink place={{ at: 'compare', name }} />}
      <header className="px-5 pt-4">
        <h1 className="text-lg font-semibold tracking-tight">Schema against schema</h1>
        <p className="max-w-2xl text-ink-muted">{EXPLORER_NOTES.versions}</p>
        {hasFiles ? <OtherControls /> : <NoSchema />}
        {hasFiles && !other && <Shows />}
      </header>
      {comparison && !isOld && (
        <PageSection title="In all">
          <dl className="explorer-facts">
            <div>
              <dt data-term="table-verdict">Verdict</dt>
              <dd className={VERDICTS[comparison.verdict][1]}>{VERDICTS[comparison.verdict][0]}</dd>
            </div>
            <div>
              <dt>Changed</dt>
              <dd>{plural(comparison.types.length + comparison.more, 'type')}</dd>
            </div>
            <div>
              <dt>As before</dt>
              <dd>{plural(comparison.unchanged, 'type')}</dd>
            </div>
            {sizes && sizes.outOf > 0 && <Measured sizes={sizes} />}
          </dl>
        </PageSection>
      )}
      {shown && !isOld && (
        <PageSection title="What changed" count={formatCount(shown.length)}>
          {shown.length === 0 && <p className="mt-1 text-ink-muted">{EXPLORER_NOTES.noDifference}</p>}
          {shown.map((change) => (
            <Changed
              key={`${change.type} ${change.before} ${change.after}`}
              change={change}
              sizes={sizes?.sizes.flatMap(({ fields }) => fields) ?? []}
            />
          ))}
          {comparison && comparison.more > 0 && <p className="mt-2 text-ink-muted">{moreChanges(comparison.more)}</p>}
        </PageSection>
      )}
    </article>
  );
}

/** The messages that are added up, written in both versions; undefined: not measured yet, or there is nothing to measure. */
function useVersionSizes(): MeasuredVersions | null | undefined {
  const other = useApp(({ session }) => session.otherSchema);
  const analysis = useApp(({ session }) => (session.input?.data == null ? null : session.analysis));
  // As text, since a list would be another one at each call.
  const profiles = useApp((state) => JSON.stringify(addedMessages(state)));
  const about = useMemo(() => [other, analysis], [other, analysis]);
  const params = other && analysis ? { profiles: JSON.parse(profiles) } : null;
  const { answer, isOld } = useAnswer('versionSizes', params, about);
  return isOld ? undefined : answer;
}

function Measured({ sizes: { sizes, outOf } }: { readonly sizes: MeasuredVersions }): ReactNode {
  const sum = (of: 'messages' | 'before' | 'after' | 'lostBytes'): number =>
    sizes.reduce((all, one) => all + one[of], 0);
  const lost = [...new Set(sizes.flatMap((one) => one.lost))];
  return (
    <div>
      <dt data-term="label-version-sizes">The messages</dt>
      <dd>
        {formatBytes(sum('before'))} in A, {formatCount(sum('after'))} in B (
        <strong>{formatSigned(sum('after') - sum('before') + sum('lostBytes'))}</strong>
        {apartFromLost(sum('lostBytes'))}){sum('messages') < outOf && `, ${measuredOf(sum('messages'), outOf)}`}
        {lost.length > 0 && <span className="block text-bad">{lostIn(lost)}</span>}
      </dd>
    </div>
  );
}

const NoSchema = (): ReactNode => (
  <p className="mt-2 max-w-2xl">
    {EXPLORER_NOTES.addA}{' '}
    <a className="control control-framed" href={fragmentOf({ at: 'schema' })}>
      {EXPLORER_NOTES.toSchema}
    </a>
  </p>
);

/** The parts of the page that follow once B is chosen. */
const Shows = (): ReactNode => (
  <div className="mt-4 max-w-2xl">
    <p className="font-semibold">{EXPLORER_NOTES.addB}</p>
    <dl className="mt-1">
      {COMPARED.map(([what, says]) => (
        <div key={what} className="border-b border-rule py-1.5">
          <dt>{what}</dt>
          <dd className="text-ink-muted">{says}</dd>
        </div>
      ))}
    </dl>
  </div>
);

/** The heads of what a declaration is in A and in B, and of what the difference breaks. */
const BothVersions = (): ReactNode => (
  <>
    <th scope="col" data-term="table-version-a">
      A
    </th>
    <th scope="col" data-term="table-version-b">
      B
    </th>
    <th scope="col" data-term="table-verdict">
      Verdict
    </th>
  </>
);

function OtherControls(): ReactNode {
  const other = useApp(({ session }) => session.otherSchema);
  const { openOther } = useActions();
  const faults = faultsOf(other);
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <FileChoice label={EXPLORER_NOTES.secondFiles} onFiles={(chosen) => void openOther(chosen)}>
          {other ? EXPLORER_NOTES.chooseFiles : 'Files as B…'}
        </FileChoice>
        <FileChoice of="folder" label={EXPLORER_NOTES.secondFolder} onFiles={(chosen) => void openOther(chosen)}>
          {EXPLORER_NOTES.chooseFolder}
        </FileChoice>
        {other && (
          <button type="button" className="control" onClick={() => void openOther([])}>
            Without B
          </button>
        )}
      </div>
      {other && (
        <p className="mt-1 text-ink-muted">
          B: {schemaWords(other)}
          {other.missing.length > 0 && `, ${plural(other.missing.length, 'import')} missing`}
          {faults.length > 0 && <span className="text-bad">, {plural(faults.length, 'error')}</span>}
        </p>
      )}
      {faults.length > 0 && (
        <ul aria-label="Faults in B" className="max-w-3xl text-ink-muted">
          {faults.slice(0, LISTED_FAULTS).map(({ file, line, column, message }) => (
            <li key={`${file}:${line}:${column}:${message}`}>
              {message}{' '}
              {file !== undefined && (
                <span className="break-words">
                  {file}:{line ?? 1}:{column ?? 1}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Changed({
  change,
  sizes,
}: {
  readonly change: SymbolChange;
  readonly sizes: readonly FieldSizes[];
}): ReactNode {
  const { type, kind, before, after, verdict, reasons, fields, values, methods } = change;
  const own = sizes.filter(({ message }) => message === before);
  return (
    <section className="mt-3">
      <h3 className="flex flex-wrap items-baseline gap-x-2">
        <KindMark kind={type} />
        {before === undefined ? (
          <span className="font-semibold break-all">{after}</span>
        ) : (
          <span className="font-semibold break-all">
            <Link to={typeAddress(before)}>{before}</Link>
          </span>
        )}
        <span className="text-ink-muted">
          {kind}
          {kind === 'moved' && ` to ${after}`}
        </span>
        <Judged verdict={verdict} />
      </h3>
      <Reasons reasons={reasons} />
      {fields.length > 0 && (
        <div className="field-list-frame">
          <table className="field-list" aria-label={`Fields of ${before ?? after} that changed`}>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Change</th>
                <BothVersions />
                {own.length > 0 && (
                  <>
                    <th scope="col" className="is-figure" data-term="table-version-bytes-a">
                      Bytes in A
                    </th>
                    <th scope="col" className="is-figure" data-term="table-version-bytes-b">
                      in B
                    </th>
                  </>
                )}
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <ChangedField
                  key={`${field.before?.name} ${field.after?.name}`}
                  field={field}
                  sizes={own.length > 0 ? own.filter((one) => one.field === segmentOf(field.before)) : null}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {values.length > 0 && (
        <ChangedParts
          of="Value"
          label={`Values of ${before ?? after} that changed`}
          parts={values.map((value) => ({ ...value, name: nameOf(value.before ?? value.after) }))}
        />
      )}
      {methods.length > 0 && (
        <ChangedParts of="Method" label={`Methods of ${before ?? after} that changed`} parts={methods} />
      )}
    </section>
  );
}

/** The name of a field in paths: `[full.name]` for an extension. */
const segmentOf = (side: FieldChange['before']): string | undefined =>
  side?.extension === undefined ? side?.name : `[${side.extension}]`;

/** `NAME = 1`: its name. */
const nameOf = (value: string | undefined): string => value?.split(' ')[0] ?? '';

/** Values of an enum or methods of a service. */
function ChangedParts({
  of,
  label,
  parts,
}: {
  readonly of: string;
  readonly label: string;
  readonly parts: readonly (Pick<FieldChange, 'verdict' | 'reasons'> & {
    readonly name: string;
    readonly kind: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
  })[];
}): ReactNode {
  return (
    <div className="field-list-frame">
      <table className="field-list" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">Change</th>
            <BothVersions />
          </tr>
        </thead>
        <tbody>
          {parts.map(({ name, kind, before, after, verdict, reasons }) => (
            <Fragment key={`${kind} ${name}`}>
              <tr>
                <th scope="row">{name}</th>
                <td>{kind}</td>
                <td className="field-list-code">{before ?? '·'}</td>
                <td className="field-list-code">{after ?? '·'}</td>
                <td className="whitespace-nowrap">
                  <Judged verdict={verdict} />
                </td>
              </tr>
              <ReasonsRow reasons={reasons} span={5} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ChangedField({
  field: { kind, before, after, verdict, reasons },
  sizes,
}: {
  readonly field: FieldChange;
  /** The bytes of the field in each measured type; null: no message of its own type was measured. */
  readonly sizes: readonly FieldSizes[] | null;
}): ReactNode {
  const sum = (of: 'before' | 'after'): number => sizes?.reduce((all, one) => all + one[of], 0) ?? 0;
  const side = (of: FieldChange['before']): string => (of ? `${of.type} ${of.name} = ${of.number}` : '·');
  return (
    <>
      <tr>
        <th scope="row">{(before ?? after)?.name}</th>
        <td>{kind}</td>
        <td className="field-list-code">{side(before)}</td>
        <td className="field-list-code">{side(after)}</td>
        <td className="whitespace-nowrap">
          <Judged verdict={verdict} />
        </td>
        {sizes !== null && (
          <>
            <td className="is-figure">{sizes.length === 0 ? '·' : formatCount(sum('before'))}</td>
            <td className="is-figure">
              {sizes.length === 0
                ? '·'
                : `${formatCount(sum('after'))} (${formatSigned(sum('after') - sum('before'))})`}
            </td>
          </>
        )}
      </tr>
      <ReasonsRow reasons={reasons} span={sizes === null ? 5 : 7} />
    </>
  );
}

/** The reason, below its row. */
const ReasonsRow = ({
  reasons,
  span,
}: {
  readonly reasons: FieldChange['reasons'];
  readonly span: number;
}): ReactNode =>
  reasons.length > 0 && (
    <tr className="is-said">
      <td colSpan={span}>
        <div className="field-list-comment">{reasons.map(({ message }) => message).join('\n')}</div>
      </td>
    </tr>
  );

const Judged = ({ verdict }: { readonly verdict: CompatibilityLevel }): ReactNode => (
  <span className={VERDICTS[verdict][1]}>{VERDICTS[verdict][0]}</span>
);

const Reasons = ({ reasons }: { readonly reasons: FieldChange['reasons'] }): ReactNode =>
  reasons.map(({ message }) => (
    <span key={message} className="block max-w-2xl text-ink-muted">
      {message}
    </span>
  ));
