/** All facts about one field: its declaration, both ledgers, its varint widths, its break-even, its waste. */
import './field-detail.css';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { BreakEvenChart } from '#charts/break-even.tsx';
import { type BreakEvenScope, breakEven, describeBreakEven, valuesDiffer } from '#charts/break-even-geometry.ts';
import { WidthHistogram } from '#charts/width-histogram.tsx';
import type { WidthMeasure } from '#charts/width-histogram-geometry.ts';
import { isHeldAt } from '#engine/cost/held-types.ts';
import { bytesIn, cellsIn, type FieldProfile, type LedgerPair, type Profile } from '#engine/cost/profile.ts';
import type { RowAddress } from '#engine/inspect/row-address.ts';
import { FIELD_DETAIL_NOTES, noVarints } from '#wording/field-detail-notes.ts';
import {
  declaredType,
  differenceSentence,
  isGuess,
  isOfText,
  presenceSentence,
  sizeSentence,
  wasteWords,
} from '#wording/field-words.ts';
import { formatBytes, formatMean, shareOf } from '#wording/number-text.ts';
import { firstName, sideName } from '#wording/side-words.ts';
import { FitChart } from '../panes/fit-chart.tsx';
import { LedgerTable } from './ledger-table.tsx';
import { ReadingList } from './reading-list.tsx';
import { type OpenMessage, readingsAt } from './readings-at.ts';
import { type DeclarationChoice, TryDeclaration } from './try-declaration.tsx';
import { type WriterChoice, WrittenOtherwise } from './written-otherwise.tsx';

export interface FieldDetailProps {
  readonly profile: Profile;
  readonly path: string;
  /** Its heading if the field is named above; null: its path. */
  readonly heading?: string | null;
  /** The open message, and its selected row: where the field has no schema, the readings that fit are listed. */
  readonly message?: OpenMessage | null;
  readonly address?: RowAddress | null;
  /** Set if native writers can be changed. */
  readonly writer?: WriterChoice | null;
  /** Set if another declaration can be tried. */
  readonly declaration?: DeclarationChoice | null;
}

export function FieldDetail({
  profile,
  path,
  heading = null,
  message = null,
  address = null,
  writer = null,
  declaration = null,
}: FieldDetailProps): ReactNode {
  const field = profile.fields.find((candidate) => candidate.path === path);
  const readings = useMemo(
    () => (message === null ? null : readingsAt(message, path, address)),
    [message, path, address],
  );
  if (field === undefined)
    return (
      <p className="field-detail-none">
        {FIELD_DETAIL_NOTES.unknownPath} {path}.
      </p>
    );
  const waste = wasteWords(field, profile);
  return (
    <section className="field-detail" aria-label={`Field ${path}`}>
      <header>
        <h2 title={path}>
          {heading === null && field.parent !== '' && <span className="field-detail-parent">{field.parent}.</span>}
          {heading ?? field.name} {isGuess(field) && <span className="guess-mark">guess</span>}
        </h2>
        {profile.pair[1] !== null && <p className="field-detail-sentence">{differenceSentence(field, profile.pair)}</p>}
      </header>
      <div className="field-detail-grid">
        <div>
          <dl>
            <dt data-term={isGuess(field) ? 'guess' : 'label-declared'}>{isGuess(field) ? 'Guessed' : 'Declared'}</dt>
            <dd>
              {declaredType(field)}
              {isOfText(field) ? '' : ` = ${field.number}`}
              {field.declared !== null && field.declared.presence !== 'none' && !isGuess(field) && (
                <span>, {field.declared.presence} presence</span>
              )}
            </dd>
            {profile.pair[1] !== null && profile.other === undefined && (
              <>
                <dt data-term="writer">Native writer</dt>
                <dd>{field.writer ?? 'has no place there'}</dd>
              </>
            )}
            <dt data-term="presence">Presence</dt>
            <dd>{presenceSentence(field)}</dd>
            <dt data-term="label-payload">Payload</dt>
            <dd>{sizeSentence(field)}</dd>
            {waste.map(({ label, bytes, remedy }) => (
              <WasteItem key={label} label={label} bytes={bytes} remedy={remedy} />
            ))}
          </dl>
          {readings !== null && <ReadingList {...readings} />}
          <LedgerTable
            field={field}
            pair={profile.pair}
            below={belowOf(profile, field)}
            first={firstName(profile)}
            side={sideName(profile)}
          />
        </div>
        <WrittenOtherwise
          key={path}
          profile={profile}
          field={field}
          choice={writer}
          declaration={declaration}
          compares={profile.pair[1] !== null && profile.other === undefined}
        />
        {declaration !== null && !isGuess(field) && !isHeldAt(profile, path) && (
          <TryDeclaration key={`declared ${path}`} field={field} choice={declaration} />
        )}
        {!isOfText(field) && <Widths field={field} />}
        {profile.pair[1] !== null && profile.other === undefined && <Presence field={field} pair={profile.pair} />}
      </div>
    </section>
  );
}

function WasteItem({
  label,
  bytes,
  remedy,
}: {
  readonly label: string;
  readonly bytes: number;
  readonly remedy: string;
}): ReactNode {
  return (
    <>
      <dt className="is-more" data-term="waste">
        Waste
      </dt>
      <dd>
        {label}: <strong>{formatBytes(bytes)}</strong>; {remedy}
      </dd>
    </>
  );
}

/** Bytes of all fields below a message field; null if there are none. */
function belowOf(profile: Profile, field: FieldProfile) {
  const below = profile.fields.filter(({ path }) => path.startsWith(`${field.path}.`));
  if (below.length === 0) return null;
  return below.reduce(
    (sum, each) => ({
      first: sum.first + bytesIn(each, profile.pair[0]),
      second: sum.second + bytesIn(each, profile.pair[1]),
    }),
    { first: 0, second: 0 },
  );
}

function Widths({ field }: { readonly field: FieldProfile }): ReactNode {
  const [measure, setMeasure] = useState<WidthMeasure>('count');
  const { tag, length, value } = field.widths;
  const offered = [
    ...(value === null ? [] : [{ of: 'value' as const, widths: value }]),
    ...(length === null ? [] : [{ of: 'length' as const, widths: length }]),
    { of: 'tag' as const, widths: tag },
  ];
  const [wished, setWished] = useState<'tag' | 'length' | 'value'>('value');
  const shown = offered.find(({ of }) => of === wished) ?? offered[0]!;
  const count = shown.widths.reduce((sum, of) => sum + of, 0);
  const bytes = shown.widths.reduce((sum, of, index) => sum + of * (index + 1), 0);
  return (
    <div>
      <div className="field-detail-bar">
        <h3 data-term="label-widths">Varint widths</h3>
        <Choice
          label="Which varints"
          options={offered.map(({ of }) => ({ value: of, label: of }))}
          chosen={shown.of}
          onChoose={setWished}
        />
        <Choice
          label="Measure"
          options={[
            { value: 'count', label: 'count' },
            { value: 'bytes', label: 'bytes' },
          ]}
          chosen={measure}
          onChoose={setMeasure}
        />
      </div>
      {count === 0 ? (
        <p className="field-detail-none">{noVarints(shown.of)}</p>
      ) : (
        <>
          <FitChart max={480}>
            {(width, id) => (
              <WidthHistogram id={id} widths={shown.widths} of={shown.of} measure={measure} width={width} />
            )}
          </FitChart>
          <p className="field-detail-words">
            Mean {formatMean(shareOf(bytes, count))} {bytes === count ? 'byte' : 'bytes'}.
          </p>
        </>
      )}
    </div>
  );
}

function Presence({ field, pair }: { readonly field: FieldProfile; readonly pair: LedgerPair }): ReactNode {
  const [wished, setScope] = useState<BreakEvenScope | null>(null);
  const scope = wished ?? (valuesDiffer(field, pair) ? 'all' : 'overhead');
  const hasValue = field.presence > 0 && (cellsIn(field, pair[0]).value ?? 0) > 0;
  const even = breakEven(field, pair, hasValue ? scope : 'overhead');
  if (even === null) return null;
  const words = describeBreakEven(even);
  return (
    <div>
      <div className="field-detail-bar">
        <h3 data-term="label-break-even">Presence break-even</h3>
        {hasValue && (
          <Choice
            label="Bytes counted"
            options={[
              { value: 'overhead', label: 'without values' },
              { value: 'all', label: 'with values' },
            ]}
            chosen={scope}
            onChoose={setScope}
          />
        )}
      </div>
      <FitChart max={480}>{(width, id) => <BreakEvenChart id={id} even={even} width={width} />}</FitChart>
      <p className="field-detail-words">
        {words.rule} {words.here}
        {even.assumed.includes('record') && ` ${FIELD_DETAIL_NOTES.neverPresent}`}
        {even.assumed.includes('absent') && ` ${FIELD_DETAIL_NOTES.neverAbsent}`}
      </p>
    </div>
  );
}

/** A choice of one among a few, as radio buttons in a row. */
function Choice<Value extends string>({
  label,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}): ReactNode {
  const name = useId();
  return (
    <fieldset className="segments field-detail-choice">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            className="sr-only"
            name={name}
            checked={option.value === chosen}
            onChange={() => onChoose(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
