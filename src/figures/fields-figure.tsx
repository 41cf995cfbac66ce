/**
 * The fields of a profile as a picture: a line each, the protobuf bytes as a bar over the native ones. A field's bytes
 * are its own, without its children's, so the lines sum to the totals. The largest are shown, the rest in one line.
 */

import type { ReactElement } from 'react';
import { CategoryPatterns } from '#charts/category-patterns.tsx';
import { LedgerBar } from '#charts/ledger-bar.tsx';
import { titledSvg } from '#charts/titled-svg.tsx';
import { type LedgerSegment, segmentsOf, sumSegments } from '#engine/cost/ledger-segments.ts';
import {
  addCells,
  bytesIn,
  cellsIn,
  depthsOf,
  type FieldProfile,
  type LedgerCells,
  type LedgerPair,
  type Profile,
  totalIn,
} from '#engine/cost/profile.ts';
import { CATEGORIES } from '#engine/model/annotation.ts';
import { sharedStarts } from '#wording/distinct-names.ts';
import { formatCount, formatSigned } from '#wording/number-text.ts';
import { shorten } from '#wording/path-tail.ts';
import { firstName, sideName } from '#wording/side-words.ts';
import { legendOf } from './legend.tsx';
import type { Drawing } from './picture.tsx';
import { FIELD_HEAD } from './profile-table.ts';

export interface FieldLine {
  readonly path: string;
  readonly depth: number;
  readonly name: string;
  /** The two ledgers of the pair. */
  readonly first: readonly LedgerSegment[];
  readonly second: readonly LedgerSegment[];
}

const ROW = 22;
const COLUMN = 78;
const FIGURES = 3 * COLUMN;
const CHARACTER = 6.4;
const MOST_LINES = 30;
/** The least room for bars. */
const BARS = 40;

/** At most `most` fields, in schema order, and a line for the others. Lines sum to the profile's bytes. */
export function fieldLines(profile: Profile, most: number): readonly FieldLine[] {
  const { pair } = profile;
  const cost = (field: FieldProfile): number => bytesIn(field, pair[0]) + bytesIn(field, pair[1]);
  const spent = profile.fields.filter((field) => cost(field) > 0);
  const shown = new Set([...spent].sort((a, b) => cost(b) - cost(a)).slice(0, most));
  const parents = new Map(profile.fields.map((field) => [field.path, field]));
  // A field name without the names of its parents would be ambiguous.
  for (const field of [...shown]) {
    for (let above = parents.get(field.parent); above && !shown.has(above); above = parents.get(above.parent)) {
      shown.add(above);
    }
  }
  const depthOf = depthsOf(profile);
  const lines = profile.fields
    .filter((field) => shown.has(field))
    .map((field) => lineOf(field, depthOf(field.path), pair));
  const left = spent.filter((field) => !shown.has(field));
  if (left.length > 0)
    lines.push(sumOf(left.length === 1 ? '1 other field' : `${formatCount(left.length)} other fields`, left, pair));
  if (profile.unattributed > 0) {
    const first = [{ category: 'unattributed' as const, bytes: profile.unattributed }];
    lines.push({ path: '', depth: 0, name: 'unattributed', first, second: [] });
  }
  return lines;
}

function lineOf(field: FieldProfile, depth: number, [first, second]: LedgerPair): FieldLine {
  const { path, name } = field;
  return {
    path,
    depth,
    name,
    first: segmentsOf(cellsIn(field, first)),
    second: segmentsOf(cellsIn(field, second)),
  };
}

function sumOf(name: string, fields: readonly FieldProfile[], [first, second]: LedgerPair): FieldLine {
  const add = (id: string | null): readonly LedgerSegment[] =>
    segmentsOf(fields.reduce((sum: LedgerCells, field) => addCells(sum, cellsIn(field, id)), {}));
  return {
    path: '',
    depth: 0,
    name,
    first: add(first),
    second: add(second),
  };
}

export function FieldsFigure({
  id,
  profile,
  width,
}: {
  readonly id: string;
  readonly profile: Profile;
  readonly width: number;
}): Drawing {
  const [first, second] = profile.pair;
  const both = second !== null;
  const lines = fieldLines(profile, MOST_LINES);
  const starts = sharedStarts(lines.map(({ name }) => name));
  const column = Math.min(Math.round(width * 0.38), 300);
  const taken = column + (both ? FIGURES : FIGURES / 3) + 12;
  // Figures without room beside the bars are below them.
  const isWide = width >= taken + BARS;
  const names = isWide ? column : Math.round(width / 2);
  const bars = width - (isWide ? taken : names);
  const below = isWide ? 15 : 30;
  const head = 9 + below;
  const rowHeight = ROW - 15 + below;
  const scale = Math.max(0, ...lines.flatMap((line) => [sumSegments(line.first), sumSegments(line.second)]));
  const used = CATEGORIES.filter((category) =>
    lines.some((line) =>
      [...line.first, ...line.second].some((segment) => segment.category === category && segment.bytes > 0),
    ),
  );
  const bottom = head + lines.length * rowHeight;
  const legend = legendOf(id, used, width);
  const height = bottom + ROW + legend.height;
  const ends = both ? [width - 2 * COLUMN, width - COLUMN, width] : [width];
  const heads = [firstName(profile), sideName(profile), 'difference'];
  const figures = (ours: number, theirs: number, y: number, weight: number): ReactElement => {
    const delta = ours - theirs;
    const cells = [formatCount(ours), formatCount(theirs), formatSigned(delta)];
    const tone = delta === 0 ? 'var(--ink-muted)' : delta > 0 ? 'var(--bad)' : 'var(--good)';
    return (
      <g fontWeight={weight} textAnchor="end">
        {ends.map((x, at) => (
          <text key={x} x={x} y={y} fill={at < 2 ? 'var(--ink)' : tone}>
            {cells[at]}
          </text>
        ))}
      </g>
    );
  };
  return titledSvg(
    {
      id,
      width,
      height,
      title: 'Bytes by field',
      description: lines
        .map(
          (line) =>
            `${line.path || line.name}: ${firstName(profile)} ${formatCount(sumSegments(line.first))}${both ? `, ${sideName(profile)} ${formatCount(sumSegments(line.second))}` : ''}`,
        )
        .join('; '),
    },
    <>
      <CategoryPatterns prefix={id} categories={used} />
      <g fill="var(--ink-muted)" fontSize={11}>
        <text x={0} y={14}>
          {FIELD_HEAD}
        </text>
        <g textAnchor="end">
          {ends.map((x, at) => (
            <text key={x} x={x} y={head - 10}>
              {shorten(heads[at]!, COLUMN / CHARACTER)}
            </text>
          ))}
        </g>
      </g>
      <line x1={0} x2={width} y1={head - 3.5} y2={head - 3.5} stroke="var(--rule-strong)" />
      {lines.map((line, index) => {
        const y = head + index * rowHeight;
        return (
          <g key={line.path || line.name}>
            <text
              x={Math.min(line.depth, 8) * 12}
              y={y + 15}
              fill={line.path === '' ? 'var(--ink-muted)' : 'var(--ink)'}
            >
              {shorten(line.name, (names - Math.min(line.depth, 8) * 12) / CHARACTER, starts.get(line.name))}
            </text>
            <g transform={`translate(${names} ${y})`}>
              {(both ? [line.first, line.second] : [line.first]).map((segments, at) => (
                <LedgerBar
                  key={heads[at]}
                  segments={segments}
                  scale={scale}
                  width={bars}
                  height={7}
                  y={both ? 3 + 9 * at : 7}
                  patterns={id}
                  label={heads[at]!}
                />
              ))}
            </g>
            {figures(sumSegments(line.first), sumSegments(line.second), y + below, 400)}
            <line x1={0} x2={width} y1={y + rowHeight - 0.5} y2={y + rowHeight - 0.5} stroke="var(--rule)" />
          </g>
        );
      })}
      <text x={0} y={bottom + 15} fontWeight={600} fill="var(--ink)">
        all
      </text>
      {figures(totalIn(profile, first), totalIn(profile, second), bottom + 15, 600)}
      {legend.draw(bottom + ROW)}
    </>,
  );
}
