/** From A to B as a waterfall, by field or by cause. Without an A: the inputs that can become A. */
import { distinctMethods, distinctNames } from '#wording/distinct-names.ts';
import { PAIR_NOTES } from '#wording/pair-notes.ts';
import './pair.css';
import { type ReactNode, useId, useMemo } from 'react';
import { icicleTree } from '#charts/icicle-tree.ts';
import { Waterfall } from '#charts/waterfall.tsx';
import type { WaterfallStep } from '#charts/waterfall-geometry.ts';
import { capturedLedger, type Profile } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { nameOfShown, shownIndex } from '#state/shown-profile.ts';
import { isEveryMessage, PAIR_STEPS, PAIR_UNITS, type PairView } from '#state/view-state.ts';
import { FitRows } from '#views/verdict/fit-rows.tsx';
import { namesOfTypes } from '#views/verdict/origin-words.ts';
import { meanFigure, signedMeanFigure } from '#wording/mean-figures.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';
import { capturedTotal, DIFF_CAUSES, rowName, unitsOf, unitWords } from '#wording/pair-words.ts';
import { untypedFields } from '#wording/type-words.ts';
import { visible } from '#wording/visible.ts';
import { FileChoice } from '../explorer/file-choice.tsx';
import { TwinIcicle } from '../icicle/twin-icicle.tsx';
import { OpenFiles } from '../input/open-box.tsx';
import { FitChart } from '../panes/fit-chart.tsx';
import { Segments } from '../verdict/segments.tsx';
import { type ShownPair, usePair } from './use-pair.ts';

/** The maximum of rows; the smaller fields share the last one. */
const MAX_STEPS = 9;
const LABEL = 31;
const OTHERS = 'other fields';

export function PairPicture({ profile }: { readonly profile: Profile }): ReactNode {
  const pair = usePair(profile);
  return pair === null ? <ChooseBaseline /> : <Changes pair={pair} />;
}

function Changes({ pair }: { readonly pair: ShownPair }): ReactNode {
  const { a, b, diff, unit, units } = pair;
  const baseline = useApp(({ session }) => visible(session.baseline?.name ?? ''));
  const name = useApp(nameOfShown);
  const { by } = useApp(({ view }) => view.pair);
  const selected = useApp(({ view }) => view.selection.path);
  const { setPair, forgetBaseline, keepBaseline, swapPair, showProfile, selectPath } = useActions();
  const canSwap = useApp(({ session }) => session.baseline?.from !== undefined && session.input?.data != null);
  const shown = useApp(shownIndex);
  const profiles = useApp(({ session }) => session.analysis?.profiles);
  const origins = useApp(({ session }) => session.analysis?.origins);
  const indexOf = (profile: Profile): number | null => {
    const index = profiles?.indexOf(profile) ?? -1;
    return index < 0 ? null : index;
  };
  const twins = useMemo(
    () =>
      [
        { label: 'A', tree: icicleTree(a, capturedLedger(a)) },
        { label: 'B', tree: icicleTree(b, capturedLedger(b)) },
      ] as const,
    [a, b],
  );
  const format = unit === 'total' ? undefined : { bytes: meanFigure, signed: signedMeanFigure };
  return (
    <>
      <div className="pair-bar">
        <dl className="pair-sides">
          <Side letter="A" name={baseline} profile={a} chosen={indexOf(a)} onChoose={(index) => keepBaseline(index)} />
          <Side
            letter="B"
            name={name}
            profile={b}
            chosen={shown}
            onChoose={(index) => {
              const group = origins?.[index]?.groups[0];
              if (group !== undefined) void showProfile(group);
            }}
          />
        </dl>
        {canSwap && (
          <button type="button" className="control control-framed" onClick={() => void swapPair()}>
            ⇄ Swap
          </button>
        )}
        <button type="button" className="control ml-auto" title="Choose another A" onClick={forgetBaseline}>
          Clear A
        </button>
        <span className="basis-full" />
        <Segments
          label="Steps"
          term="label-steps"
          words={PAIR_STEPS}
          chosen={by}
          onChoose={(next) => setPair({ by: next })}
        />
        {by !== 'icicle' && (
          <Segments
            label="Unit"
            term="label-unit"
            words={unitNames(a, b)}
            chosen={unit}
            onChoose={(next) => setPair({ unit: next })}
          />
        )}
      </div>
      {by === 'icicle' ? (
        <TwinIcicle sides={twins} />
      ) : (
        <FitChart max={1040}>
          {(width, id) => (
            <FitRows most={MAX_STEPS} of={pair}>
              {(rows) => (
                <Waterfall
                  id={id}
                  from={{ label: 'A', bytes: capturedTotal(a) / units.a }}
                  to={{ label: 'B', bytes: capturedTotal(b) / units.b }}
                  by={by}
                  {...(format ? { format } : {})}
                  steps={stepsOf(pair, by, rows)}
                  width={width}
                  {...(by === 'field'
                    ? {
                        selected: diff.rows.find((row) => row.b === selected && selected !== null) ? selected : null,
                        onSelect: (key: string | null) => selectPath(key === null || key === OTHERS ? null : key),
                      }
                    : {})}
                />
              )}
            </FitRows>
          )}
        </FitChart>
      )}
    </>
  );
}

/** Signed, and summing to the difference of the totals. */
function stepsOf({ diff }: ShownPair, by: PairView['by'], most: number): readonly WaterfallStep<string>[] {
  if (by === 'cause') {
    return diff.causes.map(({ cause, bytes }) => ({ key: cause, label: DIFF_CAUSES[cause] ?? cause, bytes }));
  }
  const changed = diff.rows
    .map((row) => ({ row, bytes: row.bytes.b - row.bytes.a }))
    .filter(({ bytes }) => bytes !== 0)
    .sort((x, y) => Math.abs(y.bytes) - Math.abs(x.bytes));
  const named = changed.length > most ? most - 1 : most;
  const rest = changed.slice(named);
  return [
    ...changed.slice(0, named).map(({ row, bytes }) => ({
      key: row.b ?? row.a ?? rowName(row),
      label: ending(rowName(row)),
      bytes,
    })),
    ...(rest.length === 0
      ? []
      : [
          {
            key: OTHERS,
            label: `${formatCount(rest.length)} ${OTHERS}`,
            bytes: rest.reduce((sum, { bytes }) => sum + bytes, 0),
          },
        ]),
  ];
}

const ending = (path: string): string => (path.length <= LABEL ? path : `…${path.slice(1 - LABEL)}`);

function unitNames(a: Profile, b: Profile): Partial<Record<PairView['unit'], string>> {
  const units = (Object.keys(PAIR_UNITS) as PairView['unit'][]).filter((unit) => unitsOf(unit, a, b) !== null);
  return Object.fromEntries(units.map((unit) => [unit, unitWords(unit, a, b)]));
}

const NO_OTHER = '';

/** One side: its name, and the other types and groups of the open input that it could be. */
function Side({
  letter,
  name,
  profile,
  chosen,
  onChoose,
}: {
  readonly letter: 'A' | 'B';
  readonly name: string;
  readonly profile: Profile;
  /** Its index among the profiles of the open input; null: it is not one of them. */
  readonly chosen: number | null;
  readonly onChoose: (index: number) => void;
}): ReactNode {
  const id = useId();
  const analysis = useApp(({ session }) => session.analysis);
  const groups = useApp(({ session }) => session.inputSummary?.groups);
  const profiles = analysis?.profiles ?? NO_PROFILES;
  const names = analysis === null ? [] : namesOfTypes(analysis, groups ?? [], [profile.type]);
  const type =
    (chosen === null ? undefined : names[chosen]) ??
    `${distinctNames([...profiles, profile].map((one) => one.type)).get(profile.type) || untypedFields(profile)}${
      profile.type !== '' && profile.other?.isCaptured ? `, ${profile.other.label}` : ''
    }`;
  return (
    <div>
      <dt>
        <label htmlFor={id} data-term={letter === 'A' ? 'label-a' : 'label-b'}>
          {letter}
        </label>
      </dt>
      <dd title={`${name}, ${profile.type || type}`}>
        {profiles.length < 2 && chosen !== null ? (
          <>
            {name} <span className="text-ink-muted">{type}</span>
          </>
        ) : (
          <select
            id={id}
            className="field field-small"
            value={chosen ?? NO_OTHER}
            onChange={({ target }) => target.value !== NO_OTHER && onChoose(Number(target.value))}
          >
            {chosen === null && (
              <option value={NO_OTHER}>
                {type} · {name}
              </option>
            )}
            {profiles.map((one, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a type may have several profiles
              <option key={index} value={index}>
                {names[index]}, {formatBytes(capturedTotal(one))}
              </option>
            ))}
          </select>
        )}
      </dd>
    </div>
  );
}

const NO_PROFILES: readonly Profile[] = [];

/** Choices of a baseline: the shown analysis, another type of the same input, or a file. */
function ChooseBaseline(): ReactNode {
  const analysis = useApp(({ session }) => session.analysis);
  const shown = useApp(shownIndex);
  const name = useApp(nameOfShown);
  const canRead = useApp(({ session }) => session.input?.data != null);
  const { keepBaseline, compareSchemas } = useActions();
  const groups = useApp(({ session }) => session.inputSummary?.groups);
  const names = analysis && namesOfTypes(analysis, groups ?? []);
  const others = analysis?.profiles
    .map((profile, index) => ({ profile, index }))
    .filter(({ index }) => index !== shown);
  return (
    <div className="pair-choice">
      <section>
        <h2>{PAIR_NOTES.keep}</h2>
        <p>{PAIR_NOTES.openB}</p>
        <button type="button" className="control control-primary" onClick={() => keepBaseline()}>
          Keep {name} as A
        </button>
      </section>
      {others && others.length > 0 && (
        <section>
          <h2>{PAIR_NOTES.otherType}</h2>
          <ul>
            {others.slice(0, 5).map(({ profile, index }) => (
              <Selection
                key={index}
                label={names![index]!}
                isPath={profile.type === ''}
                bytes={capturedTotal(profile)}
                onChoose={() => keepBaseline(index)}
              />
            ))}
          </ul>
        </section>
      )}
      <OtherSelections />
      {canRead && (
        <section>
          <h2>{PAIR_NOTES.schemas}</h2>
          <p>{PAIR_NOTES.sameMessages}</p>
          <FileChoice label={PAIR_NOTES.schemaFiles} onFiles={(files) => void compareSchemas(files)}>
            Choose its files…
          </FileChoice>
        </section>
      )}
      <section>
        <h2>{PAIR_NOTES.otherFile}</h2>
        <p>{PAIR_NOTES.dropB}</p>
        <OpenFiles />
      </section>
    </div>
  );
}

/** The maximum of offered groups and messages; the rail has all of them. */
const MAX_GROUPS = 5;

/** Offers other messages of the same input. */
function OtherSelections(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  const scope = useApp(({ view }) => view.scope);
  const ordinal = useApp(({ view }) => view.selection.ordinal);
  const { compareWith } = useActions();
  if (summary === null || summary.messages < 2) return null;
  const names = distinctMethods(summary.groups.flatMap(({ method }) => method ?? []));
  const groups = summary.groups
    .filter(({ key, bytes }) => bytes > 0 && !scope.groups.includes(key))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, MAX_GROUPS);
  return (
    <section>
      <h2>{PAIR_NOTES.otherMessages}</h2>
      <ul>
        {isEveryMessage(scope) ? (
          <Selection
            label={`message ${formatCount(ordinal)}`}
            onChoose={() => void compareWith({ ordinals: [[ordinal, ordinal + 1]] })}
          />
        ) : (
          <Selection label="all messages" onChoose={() => void compareWith({})} />
        )}
        {groups.length > 1 &&
          groups.map(({ key, method, direction, bytes }) => (
            <Selection
              key={key}
              label={[method && names.get(method), direction].filter(Boolean).join(' ')}
              title={[method, direction].filter(Boolean).join(' ')}
              isPath
              bytes={bytes}
              onChoose={() => void compareWith({ groups: [key] })}
            />
          ))}
      </ul>
    </section>
  );
}

const Selection = ({
  label,
  title = label,
  isPath = false,
  bytes,
  onChoose,
}: {
  readonly label: string;
  readonly title?: string;
  /** Whether the label is a method: it is cut at its start. */
  readonly isPath?: boolean;
  readonly bytes?: number;
  readonly onChoose: () => void;
}): ReactNode => (
  <li>
    <button type="button" className="control control-framed max-w-full" onClick={onChoose}>
      <span className={isPath ? 'cut-before truncate' : 'truncate'} title={title}>
        <bdi>{label}</bdi>
      </span>
      {bytes !== undefined && <span className="text-ink-muted">{formatBytes(bytes)}</span>}
    </button>
  </li>
);
