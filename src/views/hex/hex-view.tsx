/**
 * One encoding's bytes, sixteen per line (eight if there is little room): each tinted and underlined by its category,
 * the selected row outlined, the hovered one previewed. The header describes the selection in words.
 */
import { hexLabel, MESSAGE_NOTES } from '#wording/message-notes.ts';
import './hex-view.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  asciiOf,
  chooseHexColumns,
  edgesAt,
  type HexSpan,
  hexLine,
  hexPair,
  LINE_HEIGHT,
  lineCount,
  offsetDigits,
} from '#charts/hex-lines.ts';
import { type MessageSide, nameOfRow, pathOfRow, rowAtOffset } from '#engine/inspect/encoded-message.ts';
import { endAt, startAt, subtreeEnds } from '#engine/model/annotation.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';
import { byteWords, segmentWords, spanWords } from '#wording/row-words.ts';
import { usePlacesOf, useTextScale } from '../panes/use-text-scale.ts';
import { walkRows } from './row-walk.ts';

/** Advance of a character at the view's font size; monospaced faces differ by little. */
const CHAR_WIDTH = 6.75;

export interface HexViewProps {
  readonly side: MessageSide;
  /** `Protobuf`, `Native`. */
  readonly label: string;
  readonly selected: number | null;
  readonly hovered?: number | null;
  readonly onSelect: (row: number) => void;
  readonly onHover?: (row: number | null) => void;
  readonly sayValue: (side: MessageSide, row: number) => string;
  /** How the native side writes a field, by path: `Long`. */
  readonly writerOf?: (path: string) => string | null;
  /** Shown if the other side has a selection without bytes on this side. */
  readonly absence?: string | null;
  /** Bytes that the selected ones were copied from, before compression. */
  readonly sources?: readonly HexSpan[] | undefined;
  /** Saves the bytes as a file. */
  readonly onSave?: (() => void) | undefined;
}

export function HexView({
  side,
  label,
  selected,
  hovered = null,
  onSelect,
  onHover,
  sayValue,
  writerOf,
  absence = null,
  sources,
  onSave,
}: HexViewProps): ReactNode {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const scale = useTextScale();
  const lineHeight = LINE_HEIGHT * scale;
  const { table, bytes } = side;
  const ends = useMemo(() => subtreeEnds(table), [table]);
  const [width, setWidth] = useState(640);
  const [pointed, setPointed] = useState<number | null>(null);
  const { columns, isTight } = chooseHexColumns(width, bytes.length, CHAR_WIDTH * scale);
  const digits = offsetDigits(bytes.length);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // Before the first paint, so that the columns do not move.
    setWidth(element.clientWidth);
    const observer = new ResizeObserver((sizes) => setWidth(Math.round(sizes.at(-1)!.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const virtual = useVirtualizer({
    count: lineCount(bytes.length, columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 8,
  });
  usePlacesOf(virtual, lineHeight);

  // A second encoding takes half of the height when it is there.
  const fit = Math.floor((virtual.scrollRect?.height ?? 0) / lineHeight);
  useEffect(() => {
    if (selected === null || selected < 0 || fit === 0) return;
    const from = Math.floor(startAt(table, selected) / columns);
    const to = Math.floor(Math.max(startAt(table, selected), endAt(table, selected) - 1) / columns);
    const top = (virtual.scrollOffset ?? 0) / lineHeight;
    if (from >= top && Math.min(to, from + 4) < top + fit) return;
    // In the middle, whole lines from the top.
    virtual.scrollToOffset(Math.max(0, from - Math.floor(fit / 2)) * lineHeight);
  }, [selected, table, columns, fit, virtual, lineHeight]);

  const offsetOf = (event: MouseEvent): number | null => {
    const target = event.target instanceof HTMLElement ? event.target.dataset['offset'] : undefined;
    return target === undefined ? null : Number(target);
  };
  const onMove = (event: MouseEvent) => {
    const offset = offsetOf(event);
    if (offset === pointed) return;
    setPointed(offset);
    onHover?.(offset === null ? null : rowAtOffset(table, offset));
  };
  const onClick = (event: MouseEvent) => {
    const offset = offsetOf(event);
    const row = offset === null ? -1 : rowAtOffset(table, offset);
    if (row >= 0) onSelect(row);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = walkRows(table, ends, selected ?? -1, event.key);
    if (row < 0) return;
    event.preventDefault();
    onSelect(row);
  };

  const spanOf = (row: number | null): HexSpan | null =>
    row === null || row < 0 ? null : { start: startAt(table, row), end: endAt(table, row) };
  const selectedSpan = spanOf(selected);
  const hoveredSpan = spanOf(hovered);

  return (
    <section className="hex-view" aria-label={`${label} bytes`}>
      <HexHead
        id={id}
        side={side}
        label={label}
        selected={selected}
        pointed={pointed}
        sayValue={sayValue}
        writerOf={writerOf}
        absence={absence}
        onSave={onSave}
      />
      <div
        ref={scroller}
        className="hex-scroll"
        role="application"
        aria-roledescription="hex view"
        aria-label={hexLabel(label, bytes.length)}
        aria-describedby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the arrow keys
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onMouseMove={onMove}
        onMouseLeave={() => {
          setPointed(null);
          onHover?.(null);
        }}
      >
        <div className={`hex-body${isTight ? ' hex-tight' : ''}`} style={{ height: virtual.getTotalSize() }}>
          {bytes.length > 0 &&
            virtual.getVirtualItems().map(({ index, start }) => (
              <HexLine
                key={index}
                side={side}
                line={index}
                columns={columns}
                digits={digits}
                top={start}
                selected={clip(selectedSpan, index, columns)}
                hovered={clip(hoveredSpan, index, columns)}
                sources={(sources ?? [])
                  .map((span) => clip(span, index, columns))
                  .join(' ')
                  .trim()}
              />
            ))}
          {bytes.length === 0 && <p className="hex-empty">{MESSAGE_NOTES.empty}</p>}
        </div>
      </div>
    </section>
  );
}

/** The part of the span near this line, as text, so that lines outside the span are not drawn again. */
function clip(span: HexSpan | null, line: number, columns: number): string {
  if (span === null) return '';
  const start = Math.max(span.start, (line - 1) * columns);
  const end = Math.min(span.end, (line + 2) * columns);
  return end <= start ? '' : `${start}-${end}`;
}

const spanFrom = (text: string): HexSpan | null => {
  if (text === '') return null;
  const [start, end] = text.split('-').map(Number);
  return { start: start!, end: end! };
};

const HexLine = memo(function HexLine({
  side,
  line,
  columns,
  digits,
  top,
  selected,
  hovered,
  sources,
}: {
  readonly side: MessageSide;
  readonly line: number;
  readonly columns: number;
  readonly digits: number;
  readonly top: number;
  readonly selected: string;
  readonly hovered: string;
  readonly sources: string;
}): ReactNode {
  const copied = sources === '' ? [] : sources.split(/ +/).map((text) => spanFrom(text)!);
  const selection = spanFrom(selected);
  const hover = spanFrom(hovered);
  const cells = hexLine(side, line, columns).map((cell) => {
    const { messageOffset } = cell;
    const edges = selection === null ? '' : edgesAt(messageOffset, selection, columns);
    const inside = selection !== null && selection.start <= messageOffset && messageOffset < selection.end;
    const near = hover !== null && hover.start <= messageOffset && messageOffset < hover.end;
    const isSource = copied.some(({ start, end }) => start <= messageOffset && messageOffset < end);
    const marks = `${inside ? ' is-in' : ''}${near ? ' is-near' : ''}${isSource ? ' is-source' : ''}${[...edges].map((edge) => ` edge-${edge}`).join('')}`;
    return { ...cell, className: `hex-${cell.category}${marks}` };
  });
  return (
    <div className="hex-line" style={{ transform: `translateY(${top}px)` }}>
      <span className="hex-gutter">{(line * columns).toString(16).padStart(digits, '0')}</span>
      <span className="hex-bytes">
        {cells.map(({ messageOffset, byte, className }) => (
          <span key={messageOffset} className={`hex-byte ${className}`} data-offset={messageOffset}>
            {hexPair(byte)}
          </span>
        ))}
        {Array.from({ length: columns - cells.length }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: empty places have no other identity
          <span key={`empty-${index}`} className="hex-byte" />
        ))}
      </span>
      <span className="hex-text">
        {cells.map(({ messageOffset, byte, className }) => (
          <span key={messageOffset} className={`hex-char ${className}`} data-offset={messageOffset}>
            {asciiOf(byte)}
          </span>
        ))}
      </span>
    </div>
  );
});

function HexHead({
  id,
  side,
  label,
  selected,
  pointed,
  sayValue,
  writerOf,
  absence,
  onSave,
}: {
  readonly id: string;
  readonly side: MessageSide;
  readonly label: string;
  readonly selected: number | null;
  readonly pointed: number | null;
  readonly sayValue: (side: MessageSide, row: number) => string;
  readonly writerOf: ((path: string) => string | null) | undefined;
  readonly absence: string | null;
  readonly onSave: (() => void) | undefined;
}): ReactNode {
  const { table } = side;
  const pointedRow = pointed === null ? -1 : rowAtOffset(table, pointed);
  const has = selected !== null && selected >= 0;
  const writer = has && table.encoding === 'native' ? (writerOf?.(pathOfRow(side, selected)) ?? null) : null;
  const value = has ? sayValue(side, selected) : '';
  const segments = has ? segmentWords(side, selected, value, writer) : [];
  return (
    <header className="hex-head">
      <strong>{label}</strong>
      <span className="hex-size">{formatBytes(side.bytes.length)}</span>
      <p className="hex-pointed">
        {pointed !== null && pointedRow >= 0 && (
          <>
            {`${formatCount(pointed)}: `}
            {pathOfRow(side, pointedRow) || nameOfRow(side, pointedRow)}
            {' · '}
            {byteWords(side, pointedRow, pointed, sayValue(side, pointedRow))}
          </>
        )}
      </p>
      {onSave && (
        <button type="button" className="control hex-save" onClick={onSave} aria-label={`Save the ${label} bytes`}>
          Save
        </button>
      )}
      <div id={id} role="status" className="hex-selected">
        {has ? (
          <>
            <p className="hex-path">
              <b title={pathOfRow(side, selected)}>
                <bdi>{pathOfRow(side, selected) || nameOfRow(side, selected)}</bdi>
              </b>{' '}
              {writer !== null && <span>{writer}</span>}{' '}
              <span className="hex-hint">{spanWords(startAt(table, selected), endAt(table, selected))}</span>
            </p>
            <p className="hex-segments" title={segments.map(({ words }) => words).join(', ')}>
              {segments.map(({ category, hex, words }) => (
                <span key={category} className="hex-segment">
                  <code className={`hex-${category}`}>{hex}</code> <span>{words}</span>
                </span>
              ))}
              {!segments.some(({ category }) => category === 'value') && <span>{value}</span>}
            </p>
          </>
        ) : (
          <p className="hex-hint">{absence ?? (side.bytes.length > 0 && MESSAGE_NOTES.click)}</p>
        )}
      </div>
    </header>
  );
}
