/** The choice of the message type among all loaded types: a search box over a list, the best fitting types first. */

import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { shortNameOf } from '#engine/schema/names.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { GroupReading, ReadingPlan } from '#state/session-state.ts';
import { shownPlan, shownReading, shownType } from '#state/shown-profile.ts';
import { formatCount, formatPercent } from '#wording/number-text.ts';
import { nativeTypeTitle, presumedTypeTitle, SCHEMA_NOTES, shownTypeTitle } from '#wording/schema-notes.ts';
import { rankingWords, SHELVES, typeNote, untypedLabel } from '#wording/type-words.ts';
import { useAnswer } from '../explorer/use-answer.ts';

/** The maximum of listed types; typing more narrows them. */
const SHOWN = 200;
const NO_CHOICES: readonly never[] = [];
const NO_RANKING: readonly never[] = [];

/** How well each type explains the shown message, measured when the menu opens; null: not known yet. */
function useRanking(isOpen: boolean): ReadingPlan | null {
  const { rankTypes } = useActions();
  const ordinal = useApp(({ view }) => view.selection.ordinal);
  const schema = useApp(({ session }) => session.schema);
  const [known, setKnown] = useState<{ readonly of: unknown; readonly plan: ReadingPlan } | null>(null);
  const bundled = useApp(({ session }) => session.bundled);
  const isReading = useApp(({ session }) => session.job !== null);
  const of = useMemo(() => ({ ordinal, schema, bundled }), [ordinal, schema, bundled]);
  useEffect(() => {
    // While an input is read, the types to compare may not be known yet.
    if (!isOpen || isReading) return;
    const stop = new AbortController();
    void rankTypes(stop.signal).then((plan) => {
      if (plan && !stop.signal.aborted) setKnown({ of, plan });
    });
    return () => stop.abort();
  }, [rankTypes, isOpen, isReading, of]);
  return known?.of === of ? known.plan : null;
}

/** Messages captured natively are read by the layout of their action: there is no type to choose. */
const LaidOutType = ({ name, type }: { readonly name: string; readonly type: string | null }): ReactNode => (
  <span className="min-w-0 max-w-64 truncate px-2" title={nativeTypeTitle(type)}>
    <span className="text-ink-muted @max-[880px]:sr-only">Type</span> <span className="font-semibold">{name}</span>
  </span>
);

export function TypePicker(): ReactNode {
  const id = useId();
  const type = useApp(shownType);
  const types = useApp(({ session }) => session.schema?.types) ?? 0;
  const bundledTypes = useApp(({ session }) => session.bundled?.types);
  const [isOpen, setOpen] = useState(false);
  const plan = useApp(({ session }) => session.plan);
  const decided = useApp(shownPlan);
  const ordinal = useApp(({ view }) => view.selection.ordinal);
  const reading = useApp(shownReading);
  const ofMessage = useRanking(isOpen);
  const ranking = (ofMessage ?? plan)?.candidates ?? NO_RANKING;
  const isNativeFile = useApp(
    ({ session: { inputSummary } }) => inputSummary?.kind === 'payloads' && inputSummary.framing.id === 'native',
  );
  const { chooseType } = useActions();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const popover = useRef<HTMLDivElement>(null);
  const { answer } = useAnswer(
    'chooseTypes',
    isOpen ? { query, ranking, used: type, bundled: isNativeFile ? 'all' : 'compared', limit: SHOWN } : null,
  );
  const choices = answer ?? NO_CHOICES;
  // The last entry means "no type".
  const last = choices.length;

  const choose = (index: number): void => {
    chooseType(choices[index]?.type.fullName ?? null);
    popover.current?.hidePopover();
  };
  const walk = (index: number): void => {
    setActive(index);
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') walk(Math.min(last, active + 1));
    else if (event.key === 'ArrowUp') walk(Math.max(0, active - 1));
    else if (event.key === 'Enter') choose(active);
    else return;
    event.preventDefault();
  };
  const name = type === null ? untypedLabel(plan) : shortNameOf(type);
  if (reading === 'layout') return <LaidOutType name={name} type={type} />;
  return (
    <>
      <button
        type="button"
        className="control max-w-64 min-w-0"
        data-term="label-type"
        popoverTarget={`${id}-popover`}
        aria-haspopup="listbox"
        title={typeTitle(type, reading, plan)}
        style={{ anchorName: '--type-picker' } as object}
      >
        <span className="text-ink-muted @max-[880px]:sr-only">Type</span>
        <span className={`truncate ${type === null ? 'italic' : 'font-semibold'}`}>{name}</span>
        {decided && <span className="shrink-0 text-ink-muted">{typeNote(decided)}</span>}
        <Chevron />
      </button>
      <div
        ref={popover}
        id={`${id}-popover`}
        popover="auto"
        className="picker w-[28rem] max-w-[calc(100vw-1rem)] border border-rule-strong bg-paper text-ink shadow-lg"
        style={{ positionAnchor: '--type-picker' } as object}
        // It is said after the list is open, while keys may already be typed.
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState === 'open') return;
          setQuery('');
          setActive(0);
        }}
      >
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={`${id}-${active}`}
          aria-label="Search message types"
          className="w-full border-b border-rule bg-paper px-3 py-1.5"
          placeholder={`Search ${types + (bundledTypes ?? 0)} types`}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <p role="status" className="border-b border-rule px-3 py-1 text-ink-muted">
          {ofMessage ? rankingWords(ofMessage, `message ${formatCount(ordinal)}`) : 'Comparing types…'}
        </p>
        <div id={`${id}-list`} role="listbox" aria-label="Message types" className="max-h-96 overflow-auto py-1">
          {choices.map(({ type: { fullName }, name: bare, scope, rank, shelf }, index) => (
            <Option
              key={fullName}
              id={`${id}-${index}`}
              active={index === active}
              chosen={fullName === type}
              onChoose={() => choose(index)}
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate">
                  {bare} {rank?.reason && <span className="text-2xs text-ink-muted">{scope}</span>}
                </span>
                <span className={`block truncate text-2xs text-ink-muted ${rank?.reason ? '' : 'cut-before'}`}>
                  <bdi>{rank?.reason || scope}</bdi>
                </span>
              </span>
              {types > 0 && <span className="shrink-0 text-2xs text-ink-muted">{SHELVES[shelf]}</span>}
              {fullName === type && <span className="text-2xs text-ink-muted">in use</span>}
              {rank && <span className="text-ink-muted">{formatPercent(rank.score)}</span>}
            </Option>
          ))}
          <Option id={`${id}-${last}`} active={active === last} chosen={type === null} onChoose={() => choose(last)}>
            <span className="italic">Fields by {plan?.isText ? 'name' : 'number'}</span>
          </Option>
        </div>
      </div>
    </>
  );
}

/** The reason for the type of the messages. */
function typeTitle(type: string | null, reading: GroupReading['by'] | undefined, plan: ReadingPlan | null): string {
  if (type === null) return SCHEMA_NOTES.noType;
  if (plan?.why === 'presumed' && plan.type === type) return presumedTypeTitle(type);
  return reading === 'evidence' ? shownTypeTitle(type) : type;
}

function Option({
  id,
  active,
  chosen,
  onChoose,
  children,
}: {
  readonly id: string;
  readonly active: boolean;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: focus and keys stay in the search box
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      className={`flex items-center gap-3 px-3 py-1 ${active ? 'bg-selected' : 'hover:bg-hover'}`}
      onClick={onChoose}
    >
      <span aria-hidden="true" className="w-3">
        {chosen ? '✓' : ''}
      </span>
      {children}
    </div>
  );
}

export const Chevron = (): ReactNode => (
  <svg width={8} height={8} viewBox="0 0 8 8" aria-hidden="true" className="shrink-0">
    <path d="M1 2.5 4 5.5 7 2.5" fill="none" stroke="currentColor" strokeWidth={1.25} />
  </svg>
);
