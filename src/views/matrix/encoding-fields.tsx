/** The captured encoding compared with another one, field by field: the plain bytes of both, and their difference. */

import { type ReactNode, useMemo } from 'react';
import type { MatrixRow } from '#engine/encodings/matrix.ts';
import { useActions, useApp } from '#state/context.tsx';
import { MATRIX_NOTES } from '#wording/matrix-notes.ts';
import { againstWords } from '#wording/matrix-words.ts';
import { formatCount, formatSigned } from '#wording/number-text.ts';

interface Line {
  readonly path: string;
  readonly captured: number;
  readonly other: number;
  /** The other encoding's bytes by category, without the values. */
  readonly parts: string;
}

export function EncodingFields({
  captured,
  other,
}: {
  readonly captured: MatrixRow;
  readonly other: MatrixRow;
}): ReactNode {
  const { selectPath, chooseNativeProfile, showPanel } = useActions();
  const selected = useApp(({ view }) => view.selection.path);
  const lines = useMemo(() => linesOf(captured, other), [captured, other]);
  const isChoice = !other.id.startsWith('captured-');
  return (
    <section className="mt-5" aria-label={`${captured.label} against ${other.label}`}>
      <h2 className="text-base">{againstWords(captured, other)}</h2>
      <p className="mt-1 text-ink-muted">{other.mapping}</p>
      {isChoice && (
        <button
          type="button"
          className="control control-framed mt-2"
          onClick={() => {
            // Messages captured in another encoding than protobuf are compared with protobuf by default.
            chooseNativeProfile(other.id === 'protobuf' ? null : other.id);
            showPanel('costs');
          }}
        >
          {MATRIX_NOTES.compareBytes}
        </button>
      )}
      <table className="mt-2 w-full border-separate border-spacing-0">
        <thead>
          <tr className="text-right text-ink-muted">
            <th scope="col" className="border-b border-rule-strong text-left font-normal">
              Field
            </th>
            <th scope="col" data-term="table-captured" className="border-b border-rule-strong px-2 font-normal">
              {captured.label}
            </th>
            <th scope="col" data-term="table-compared" className="border-b border-rule-strong px-2 font-normal">
              {other.label}
            </th>
            <th
              scope="col"
              data-term="table-compared-difference"
              className="border-b border-rule-strong px-2 font-normal"
            >
              Difference
            </th>
            <th
              scope="col"
              data-term="table-compared-parts"
              className="border-b border-rule-strong pl-2 text-left font-normal"
            >
              {other.label} is
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.path} className={line.path === selected ? 'bg-selected' : 'hover:bg-hover'}>
              <th scope="row" className="border-b border-rule text-left font-normal break-all">
                {line.path === '(root)' ? (
                  <span className="text-ink-muted">the message itself</span>
                ) : (
                  <button type="button" className="text-left" onClick={() => selectPath(line.path)}>
                    {line.path}
                  </button>
                )}
              </th>
              <td className="border-b border-rule px-2 text-right">{formatCount(line.captured)}</td>
              <td className="border-b border-rule px-2 text-right">{formatCount(line.other)}</td>
              <td className="border-b border-rule px-2 text-right">{formatSigned(line.other - line.captured)}</td>
              <td className="border-b border-rule pl-2 text-ink-muted">{line.parts}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="text-right font-semibold">
            <th scope="row" className="text-left">
              all
            </th>
            <td className="px-2">{formatCount(captured.bytes ?? 0)}</td>
            <td className="px-2">{formatCount(other.bytes ?? 0)}</td>
            <td className="px-2">{formatSigned((other.bytes ?? 0) - (captured.bytes ?? 0))}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** Largest difference first. */
function linesOf(captured: MatrixRow, other: MatrixRow): readonly Line[] {
  const sum = (parts: object | undefined): number =>
    Object.values(parts ?? {}).reduce((total: number, bytes: number) => total + bytes, 0);
  const ours = new Map(captured.fields.map(({ path, bytes }) => [path, bytes]));
  const theirs = new Map(other.fields.map(({ path, bytes }) => [path, bytes]));
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .map((path) => ({
      path,
      captured: sum(ours.get(path)),
      other: sum(theirs.get(path)),
      parts: Object.entries(theirs.get(path) ?? {})
        .map(([category, bytes]) => `${category} ${formatCount(bytes)}`)
        .join(', '),
    }))
    .sort((a, b) => Math.abs(b.other - b.captured) - Math.abs(a.other - a.captured) || b.captured - a.captured);
}
