/** Finds names by any part of them. The results take the place of the tree. */

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useId,
  useState,
} from 'react';
import { type AddressedPlace, goTo } from '#state/addresses/place.ts';
import type { FoundName, FoundNames, SearchScope, Shelf } from '#state/explore.ts';
import { EXPLORER_NOTES, foundSoFar } from '#wording/explorer-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { KindMark, wordOfKind } from './kind-mark.tsx';
import { useAnswer } from './use-answer.ts';

/** The maximum of results; typing more narrows them. */
const SHOWN = 150;

const SCOPES: Readonly<Record<SearchScope, readonly [label: string, title: string]>> = {
  all: ['Any name', EXPLORER_NOTES.anyName],
  members: ['Fields', EXPLORER_NOTES.memberName],
  uses: ['Type used', EXPLORER_NOTES.usedType],
};

export function NameSearch({
  shelf,
  query,
  onQuery,
  box,
  children,
}: {
  readonly shelf: Shelf;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly box: RefObject<HTMLInputElement | null>;
  /** Shown while nothing is searched. */
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  const [scope, setScope] = useState<SearchScope>('all');
  const [active, setActive] = useState(0);
  const deferred = useDeferredValue(query.trim());
  const {
    answer: found,
    isOld,
    isGrowing,
  } = useAnswer('findNames', deferred === '' ? null : { shelf, query: deferred, scope, limit: SHOWN });
  // Drawn in slices, because answers arrive continuously while names are listed.
  const answer = useDeferredValue(found);
  const names = query.trim() === '' ? [] : (answer?.names ?? []);
  // Enter pressed before a name is found leads to the first name of the answer, which may come after empty ones.
  const isAnswered = !isOld && answer === found && deferred === query.trim();
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting || !isAnswered || (names.length === 0 && isGrowing)) return;
    setWaiting(false);
    if (names[0]) goTo(placeOf(names[0]));
  }, [isWaiting, isAnswered, isGrowing, names]);

  const walk = (index: number): void => {
    const to = Math.max(0, Math.min(names.length - 1, index));
    setActive(to);
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') walk(active + 1);
    else if (event.key === 'ArrowUp') walk(active - 1);
    else if (event.key === 'Enter' && (!isAnswered || names.length === 0)) setWaiting(true);
    else if (event.key === 'Enter' && names[active]) goTo(placeOf(names[active]));
    else if (event.key === 'Escape' && query !== '') onQuery('');
    else return;
    event.preventDefault();
  };
  const isSearching = query.trim() !== '';
  return (
    <>
      <div className="border-b border-rule px-2 pt-2 pb-1.5">
        <input
          ref={box}
          type="search"
          role="combobox"
          aria-expanded={isSearching}
          aria-controls={`${id}-list`}
          aria-activedescendant={names.length > 0 ? `${id}-${active}` : undefined}
          aria-label="Search the schema"
          placeholder={EXPLORER_NOTES.search}
          className="field"
          value={query}
          onChange={(event) => {
            onQuery(event.target.value);
            setActive(0);
            setWaiting(false);
          }}
          onKeyDown={onKeyDown}
        />
        <div role="radiogroup" aria-label="What is searched" className="mt-1 flex gap-0.5">
          {(Object.keys(SCOPES) as SearchScope[]).map((key) => (
            <label key={key} className="scope-choice" title={SCOPES[key][1]}>
              <input
                type="radio"
                name={`${id}-scope`}
                className="sr-only"
                checked={scope === key}
                onChange={() => {
                  setScope(key);
                  setActive(0);
                }}
              />
              {SCOPES[key][0]}
            </label>
          ))}
        </div>
      </div>
      {isSearching ? (
        <>
          <p role="status" className="px-3 py-1 text-2xs text-ink-muted">
            {answer === undefined ? 'Searching…' : foundWords(answer, names.length)}
          </p>
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label="Names found"
            aria-busy={isOld || (answer?.listed ?? 0) < 1}
            className="min-h-0 flex-1 overflow-auto"
          >
            {names.map((found, index) => (
              <Found
                key={`${found.kind} ${found.name}`}
                id={`${id}-${index}`}
                found={found}
                active={index === active}
                onChoose={() => {
                  setActive(index);
                  goTo(placeOf(found));
                }}
              />
            ))}
          </div>
        </>
      ) : (
        children
      )}
    </>
  );
}

function Found({
  id,
  found: { kind, name, label, type },
  active,
  onChoose,
}: {
  readonly id: string;
  readonly found: FoundName;
  readonly active: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  const scope = name.slice(0, Math.max(0, name.length - label.length - 1));
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: focus and keys stay in the search box
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-label={`${wordOfKind(kind)} ${label}${type ? ` ${type}` : ''}${scope && ` in ${scope}`}`}
      className={`found-name flex items-baseline gap-1.5 px-2 py-0.5 ${active ? 'bg-selected' : 'hover:bg-hover'}`}
      onClick={onChoose}
    >
      <KindMark kind={kind} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 gap-2">
          <span className="truncate">{label}</span>
          {type && (
            <span className="min-w-0 truncate text-ink-muted" title={type}>
              {type}
            </span>
          )}
        </span>
        <span className="cut-before block truncate text-2xs text-ink-muted" title={name}>
          <bdi>{scope}</bdi>
        </span>
      </span>
    </div>
  );
}

/** While members are being listed there may be more to find. */
function foundWords({ total, listed }: FoundNames, shown: number): string {
  const words =
    total > shown
      ? `The first ${formatCount(shown)} of ${formatCount(total)}`
      : total > 0
        ? `${formatCount(total)} found`
        : listed < 1
          ? 'None yet'
          : EXPLORER_NOTES.noSymbol;
  return listed < 1 ? foundSoFar(words, listed) : words;
}

const placeOf = ({ kind, name }: FoundName): AddressedPlace =>
  kind === 'package' || kind === 'file' ? { at: kind, name } : { at: 'type', name };
