/** The types of the chosen messages, one per line: their bytes on the wire, in protobuf and natively. */

import { type ReactNode, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { CategoryPatterns } from '#charts/category-patterns.tsx';
import { LedgerBar } from '#charts/ledger-bar.tsx';
import { lacksRequest } from '#engine/analysis/store/message-groups.ts';
import { segmentsOf } from '#engine/cost/ledger-segments.ts';
import { addCells, cellsIn, type LedgerCells, type Profile, totalIn } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { shownIndex, shownQuestion } from '#state/shown-profile.ts';
import { isEveryMessage } from '#state/view-state.ts';
import { formatCount, formatSignedPercent, shareOf } from '#wording/number-text.ts';
import { VERDICT_NOTES } from '#wording/verdict-notes.ts';
import { sharedOf } from '#wording/verdict-words.ts';
import { ColumnTitle } from './column-title.tsx';
import { methodsOf, namesOfGroups, shortNames } from './origin-words.ts';

const BAR = 96;

export function ProfileStrip(): ReactNode {
  const id = useId();
  const analysis = useApp(({ session }) => session.analysis);
  const groups = useApp(({ session }) => session.inputSummary?.groups);
  const ofGroups = useMemo(() => namesOfGroups(groups ?? []), [groups]);
  const shown = useApp(shownIndex);
  const compares = useApp((state) => shownQuestion(state) === 'native');
  const isPart = useApp(({ view }) => !isEveryMessage(view.scope));
  const { showProfile } = useActions();
  const list = useRef<HTMLDivElement>(null);
  // The shown type is in sight below the head, also when a message of it was selected elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a person may scroll it until another type is shown
  useLayoutEffect(() => {
    const frame = list.current;
    const row = frame?.querySelector('[aria-pressed="true"]')?.closest('tr');
    if (!frame || !row) return;
    const head = frame.querySelector('thead')!.offsetHeight;
    const end = row.offsetTop + row.offsetHeight - frame.clientHeight;
    frame.scrollTop = Math.max(end, Math.min(frame.scrollTop, row.offsetTop - head));
  }, [shown, analysis]);
  if (analysis === null) return null;
  const listed = analysis.profiles.length + (analysis.opaque.messages > 0 ? 1 : 0);
  // The list keeps its place when one of several groups is chosen.
  if (listed < 2 && !(isPart && (groups?.filter(({ bytes }) => bytes > 0).length ?? 0) > 1)) return null;
  const { profiles, origins, opaque } = analysis;
  // Without any, the names of what is listed have the room.
  const hasNative = compares && profiles.some(({ pair }) => pair[1] !== null);
  const most = Math.max(1, ...profiles.map((profile) => totalIn(profile, profile.pair[0])));
  const unnamed = groups?.filter(({ key }) => opaque.groups.includes(key)) ?? [];
  const names = shortNames(profiles);
  return (
    <div ref={list} className="@container relative h-20 overflow-auto border-b border-rule">
      <svg width={0} height={0} className="absolute" aria-hidden="true">
        <defs>
          <CategoryPatterns prefix={id} />
        </defs>
      </svg>
      <table className="w-full text-right [&_tr>:last-child]:pr-4">
        <caption className="sr-only">{VERDICT_NOTES.types}</caption>
        <thead className="sticky top-0 z-10 bg-paper text-2xs text-ink-muted">
          <tr>
            <ColumnTitle className="py-1 pl-4 text-left" term="column-messageType">
              Type
            </ColumnTitle>
            <ColumnTitle className="px-2 @max-sm:hidden">Messages</ColumnTitle>
            <ColumnTitle className="px-2 @max-md:hidden" term="column-capturedBytes">
              Captured
            </ColumnTitle>
            <td className="hidden w-24 @2xl:table-cell" />
            <ColumnTitle term="protobuf">Protobuf</ColumnTitle>
            {hasNative && (
              <>
                <ColumnTitle term="native">Native</ColumnTitle>
                <ColumnTitle term="difference">Costs</ColumnTitle>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {profiles.map((profile, index) => {
            const origin = origins[index]!;
            const name = names[index] || methodsOf(origin, ofGroups);
            const { pair, messages } = profile;
            const [first, second] = [totalIn(profile, pair[0]), totalIn(profile, pair[1])];
            const { alone, shared } = sharedOf(profile);
            const difference = shareOf(shared[0] - shared[1], shared[1]);
            return (
              <tr
                key={origin.groups[0] ?? index}
                className={`border-t border-rule ${index === shown ? 'bg-selected' : 'hover:bg-hover'}`}
              >
                <th scope="row" className="max-w-0 min-w-32 pl-4 text-left font-normal">
                  <button
                    type="button"
                    className={`block w-full truncate py-0.5 ${profile.type === '' ? 'cut-before' : 'text-left'} ${
                      index === shown ? 'font-semibold' : ''
                    }`}
                    aria-pressed={index === shown}
                    title={profile.type || methodsOf(origin, ofGroups)}
                    onClick={() => origin.groups[0] !== undefined && void showProfile(origin.groups[0])}
                  >
                    <bdi>
                      {name}
                      {profile.type === '' && (
                        <span className="text-ink-muted italic @max-2xl:hidden">
                          {profile.other?.isAlone ? ' by name' : ' by number'}
                        </span>
                      )}
                    </bdi>
                  </button>
                </th>
                <td className="px-2 text-ink-muted @max-sm:hidden">{formatCount(messages)}</td>
                <td className="px-2 @max-md:hidden">{formatCount(origin.capturedBytes)}</td>
                <td className="hidden w-24 pl-2 @2xl:table-cell">
                  <svg width={BAR} height={10} className="block" role="img" aria-label={`Protobuf of ${name}`}>
                    <LedgerBar
                      segments={segmentsOf(cellsOf(profile))}
                      scale={most}
                      width={BAR}
                      height={10}
                      patterns={id}
                      label="protobuf"
                    />
                  </svg>
                </td>
                <td className="px-2">{profile.other?.isAlone ? '' : formatCount(first)}</td>
                {hasNative && (
                  <>
                    <td className="px-2 whitespace-nowrap">
                      {/* In the column of native sizes, that of another encoding names it. */}
                      {pair[1] !== null && profile.other !== undefined && (
                        <span className="text-ink-muted">{profile.other.label} </span>
                      )}
                      {pair[1] === null ? '' : formatCount(second)}
                    </td>
                    <td className={`px-2 ${pair[1] === null ? '' : toneOf(difference)}`} title={alone ?? undefined}>
                      {pair[1] === null || profile.other?.isAlone || shared[1] === 0
                        ? ''
                        : formatSignedPercent(difference)}
                    </td>
                  </>
                )}
              </tr>
            );
          })}
          {opaque.messages > 0 && (
            <tr className="border-t border-rule text-ink-muted">
              <th scope="row" className="py-0.5 pl-4 text-left font-normal italic">
                native, no {unnamed.length > 0 && unnamed.every(lacksRequest) ? 'request' : 'layout'}
              </th>
              <td className="px-2 @max-sm:hidden">{formatCount(opaque.messages)}</td>
              <td className="px-2 @max-md:hidden">{formatCount(opaque.capturedBytes)}</td>
              <td className="hidden @2xl:table-cell" />
              <td />
              {hasNative && (
                <>
                  <td className="px-2">{formatCount(opaque.bytes)}</td>
                  <td />
                </>
              )}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

const cellsOf = ({ fields, pair }: Profile): LedgerCells =>
  fields.reduce((sum, field) => addCells(sum, cellsIn(field, pair[0])), {} as LedgerCells);

const toneOf = (difference: number): string => (difference === 0 ? '' : difference > 0 ? 'text-bad' : 'text-good');
