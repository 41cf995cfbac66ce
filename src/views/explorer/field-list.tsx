/** The fields of a message as a table: number, name, type, presence, cost by the schema alone and measured cost. */

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { addedProfiles } from '#state/added-profiles.ts';
import { useApp } from '#state/context.tsx';
import type { FieldEntry } from '#state/explore.ts';
import { EXPLORER_NOTES, nativeCost, recordsWords } from '#wording/explorer-notes.ts';
import { formatCount, formatPercent, formatSigned, shareOf } from '#wording/number-text.ts';
import { typeAddress } from './addresses.ts';
import { CommentRow } from './comment-row.tsx';
import { type MeasuredField, measuredFields } from './measured-fields.ts';
import { Link } from './symbol-head.tsx';

/** Rows drawn at once: two hundred rows take one or two frames. */
const STEP = 200;

const PRESENCE: Readonly<Record<FieldEntry['presence'], string>> = {
  explicit: 'explicit',
  implicit: 'implicit',
  required: 'required',
  none: '',
};

export function FieldList({
  fields,
  owner,
  focus,
  label,
}: {
  readonly fields: readonly FieldEntry[];
  /** Full name of the message. */
  readonly owner: string;
  /** Full name of the shown field. */
  readonly focus: string;
  readonly label: string;
}): ReactNode {
  const profiles = useApp(addedProfiles);
  const measured = useMemo(() => measuredFields(profiles, owner), [profiles, owner]);
  const focused = fields.findIndex(({ fullName }) => fullName === focus);
  const [shown, setShown] = useState(STEP);
  const count = Math.max(shown, Math.ceil((focused + 1) / STEP) * STEP);
  useEffect(() => {
    if (focused >= 0) document.querySelector('[data-focused-field]')?.scrollIntoView({ block: 'center' });
  }, [focused]);
  const hasMeasured = measured.size > 0;
  const hasNative = [...measured.values()].some(({ native }) => native !== null);
  return (
    <div className="field-list-frame">
      <table className={`field-list${hasMeasured ? ' is-measured' : ''}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col" className="is-figure" data-term="table-number">
              №
            </th>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col" className="field-list-presence" data-term="label-presence">
              Presence
            </th>
            <th scope="col" className="is-figure is-declared" data-term="declared-tag">
              Tag
            </th>
            <th scope="col" className="is-figure is-declared" data-term="declared-record">
              Protobuf
            </th>
            <th scope="col" className="is-native" data-term="declared-writer">
              Native writer
            </th>
            <th scope="col" className="is-figure is-native" data-term="declared-absent">
              absent
            </th>
            <th scope="col" className="is-figure is-native" data-term="declared-present">
              present
            </th>
            {hasMeasured && (
              <>
                <th scope="col" className="is-figure is-declared" data-term="declared-records">
                  Records
                </th>
                <th scope="col" className="is-figure is-declared" data-term="declared-share">
                  Present
                </th>
                <th scope="col" className="is-figure" data-term="declared-measured">
                  Measured self
                </th>
                {hasNative && (
                  <>
                    <th scope="col" className="is-figure" data-term="native">
                      Native
                    </th>
                    <th scope="col" className="is-figure" data-term="difference">
                      Difference
                    </th>
                  </>
                )}
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {fields.slice(0, count).map((field) => (
            <FieldRow
              key={field.fullName}
              field={field}
              isFocused={field.fullName === focus}
              measured={hasMeasured ? (measured.get(field.number) ?? null) : undefined}
              hasNative={hasNative}
            />
          ))}
        </tbody>
      </table>
      {fields.length > count && (
        <button type="button" className="control control-framed mt-2" onClick={() => setShown(count + STEP)}>
          Show {formatCount(Math.min(STEP, fields.length - count))} of {formatCount(fields.length - count)} more
        </button>
      )}
    </div>
  );
}

function FieldRow({
  field,
  isFocused,
  measured,
  hasNative,
}: {
  readonly field: FieldEntry;
  readonly isFocused: boolean;
  /** undefined: nothing is measured; null: this field is not measured. */
  readonly measured: MeasuredField | null | undefined;
  readonly hasNative: boolean;
}): ReactNode {
  const { name, number, type, presence, oneof, tagBytes, cost, comment, options, deprecated, packed } = field;
  const remarks = [
    ...(oneof === null ? [] : [`one of ${oneof}`]),
    ...(packed ? ['packed'] : []),
    ...(deprecated ? ['deprecated'] : []),
    ...(field.defaultValue === null ? [] : [`default ${field.defaultValue}`]),
    ...(field.isExtension || field.jsonName === '' || isUsualJsonName(name, field.jsonName)
      ? []
      : [`JSON “${field.jsonName}”`]),
  ];
  const said = [PRESENCE[presence], ...remarks].filter(Boolean).join(', ');
  const present = measured && measured.parents > 0 ? formatPercent(shareOf(measured.presence, measured.parents)) : '·';
  const difference = measured?.native == null ? null : measured.captured - measured.native;
  const columns = 8 + (measured === undefined ? 0 : hasNative ? 5 : 3);
  return (
    <>
      <tr data-focused-field={isFocused ? '' : undefined} className={isFocused ? 'is-focused' : undefined}>
        <td className="is-figure">{number}</td>
        <th scope="row">
          <a href={typeAddress(field.fullName)} className={deprecated ? 'line-through' : undefined}>
            {field.isExtension ? `[${field.fullName}]` : name}
          </a>
          {said !== '' && <span className="field-list-said">{said}</span>}
          {measured && (
            <span className="field-list-declared">
              {recordsWords(tagBytes, rangeText(cost.protobuf), measured.occurrences, present)}
            </span>
          )}
        </th>
        <td>
          {type.leadsTo === null ? (
            <code className="font-mono text-2xs">{type.text}</code>
          ) : (
            <Link to={typeAddress(type.leadsTo)} title={type.leadsTo}>
              {type.text}
            </Link>
          )}
          {cost.native && (
            <span className="field-list-native">
              {nativeCost(cost.native.writer, formatCount(cost.native.absent), rangeText(cost.native))}
            </span>
          )}
        </td>
        <td className="field-list-presence">{said}</td>
        <td
          className={`is-figure is-declared${tagBytes > 1 ? ' is-wide-tag' : ''}`}
          title={tagBytes > 1 ? wideTag(number) : undefined}
        >
          {tagBytes}
        </td>
        <td className="is-figure is-declared">{rangeText(cost.protobuf)}</td>
        <td className="is-native text-ink-muted">{cost.native?.writer ?? '·'}</td>
        <td className="is-figure is-native">{cost.native ? formatCount(cost.native.absent) : '·'}</td>
        <td className="is-figure is-native">{cost.native ? rangeText(cost.native) : '·'}</td>
        {measured !== undefined && (
          <>
            <td className="is-figure is-declared">{measured ? formatCount(measured.occurrences) : '·'}</td>
            <td className="is-figure is-declared">{present}</td>
            <td className="is-figure">{measured ? formatCount(measured.captured) : '·'}</td>
            {hasNative && (
              <>
                <td className="is-figure">{measured?.native == null ? '·' : formatCount(measured.native)}</td>
                <td
                  className={`is-figure ${(difference ?? 0) > 0 ? 'text-bad' : (difference ?? 0) < 0 ? 'text-good' : ''}`}
                >
                  {difference === null ? '·' : formatSigned(difference)}
                </td>
              </>
            )}
          </>
        )}
      </tr>
      <CommentRow comment={comment} options={options} isFocused={isFocused} before={1} span={columns} />
    </>
  );
}

/** `2 to 11`, `5`, `3 and more`. */
const rangeText = ({ least, most }: { readonly least: number; readonly most: number | undefined }): string =>
  most === undefined
    ? `${formatCount(least)}\u00a0+`
    : most === least
      ? formatCount(least)
      : `${formatCount(least)}–${formatCount(most)}`;

const wideTag = (number: number): string => (number > 2047 ? EXPLORER_NOTES.tagOfThree : EXPLORER_NOTES.tagOfTwo);

const isUsualJsonName = (name: string, jsonName: string): boolean =>
  jsonName === name.replace(/_+(.?)/g, (_, next: string) => next.toUpperCase());
