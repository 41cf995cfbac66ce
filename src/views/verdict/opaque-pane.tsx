/** Messages in a native encoding that no layout explains: the known facts, header and body. */

import type { ReactNode } from 'react';
import { lacksRequest } from '#engine/analysis/store/message-groups.ts';
import { plural } from '#engine/model/count-text.ts';
import { useApp } from '#state/context.tsx';
import type { Origin } from '#state/session-state.ts';
import { formatBytes, formatCount, formatPercent, shareOf } from '#wording/number-text.ts';
import { headerShare, OPAQUE_NOTES } from '#wording/opaque-notes.ts';
import { ColumnTitle } from './column-title.tsx';

const NO_GROUPS: readonly never[] = [];

export function OpaquePane({ opaque }: { readonly opaque: Origin }): ReactNode {
  const all = useApp(({ session }) => session.inputSummary?.groups) ?? NO_GROUPS;
  const { messages, headerBytes, bytes, capturedBytes, groups } = opaque;
  const listed = groups.flatMap((key) => all.find((group) => group.key === key) ?? []);
  return (
    <section aria-labelledby="verdict" className="h-full overflow-auto px-4 pt-3 pb-4">
      <h1 id="verdict" className="text-lg leading-7 font-normal text-balance">
        <span className="font-semibold">{plural(messages, 'native message')}.</span>{' '}
        {headerShare(headerBytes, capturedBytes)}
      </h1>
      <p className="mt-1 text-ink-muted">
        {OPAQUE_NOTES.opaque} {capturedBytes !== bytes && `Decoded they are ${formatBytes(bytes)}. `}
        {OPAQUE_NOTES.noLayout}
      </p>
      {listed.some(lacksRequest) && <p className="mt-1 text-ink-muted">{OPAQUE_NOTES.noRequest}</p>}
      {listed.reduce((sum, group) => sum + group.messages, 0) > messages && (
        <p className="mt-1 text-ink-muted">{OPAQUE_NOTES.wholeActions}</p>
      )}
      <table className="mt-3 w-full text-right">
        <caption className="sr-only">{OPAQUE_NOTES.opaqueTable}</caption>
        <thead className="text-2xs text-ink-muted">
          <tr className="border-b border-rule-strong">
            <ColumnTitle className="py-1 text-left" term="table-action">
              Action
            </ColumnTitle>
            <ColumnTitle>Messages</ColumnTitle>
            <ColumnTitle term="header">Header</ColumnTitle>
            <ColumnTitle term="table-body">Body</ColumnTitle>
            <ColumnTitle className="pl-2" term="table-header-share">
              Header’s share
            </ColumnTitle>
          </tr>
        </thead>
        <tbody>
          {listed.map((group) => (
            <tr key={group.key} className="border-b border-rule">
              <th
                scope="row"
                className="max-w-0 w-full truncate py-0.5 text-left font-normal"
                title={group.method ?? ''}
              >
                {group.method ?? (lacksRequest(group) ? 'no request' : 'unknown action')}{' '}
                <span className="text-ink-muted">{group.direction}</span>
              </th>
              <td className="px-2 text-ink-muted">{formatCount(group.messages)}</td>
              <td className="px-2">{formatCount(group.headerBytes)}</td>
              <td className="px-2">{formatCount(group.capturedBytes)}</td>
              <td className="pl-2">
                {formatPercent(shareOf(group.headerBytes, group.headerBytes + group.capturedBytes))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
