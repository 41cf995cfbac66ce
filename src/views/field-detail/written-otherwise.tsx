/**
 * The cost of the field in other forms: natively with each writer that holds its values, and in protobuf with each type
 * that holds them. A native writer can be chosen.
 */

import { type ReactNode, useId, useState } from 'react';
import type { WriterCost } from '#engine/cost/alternatives.ts';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { FIELD_DETAIL_NOTES, otherTypeWords } from '#wording/field-detail-notes.ts';
import { formatBytes, formatSigned } from '#wording/number-text.ts';
import { inOrder, writerLabel, writerNote, writerOption } from '#wording/writer-words.ts';
import { COPY_REFUSED, copyText } from '../share/copy-text.ts';
import { type DeclarationChoice, declarationLine } from './try-declaration.tsx';

export interface WriterChoice {
  /** The writer that the user chose; null: the one from the profile or the schema. */
  readonly chosen: string | null;
  readonly onChoose: (writer: string | null) => void;
}

export function WrittenOtherwise({
  field,
  profile,
  choice,
  declaration,
  compares,
}: {
  readonly profile: Pick<Profile, 'fields'>;
  readonly field: FieldProfile;
  readonly choice: WriterChoice | null;
  readonly declaration: DeclarationChoice | null;
  /** Whether the native side is shown. */
  readonly compares: boolean;
}): ReactNode {
  const { writers, types } = field;
  const isChanged = choice !== null && choice.chosen !== null;
  return (
    <>
      {compares && (writers.length > 1 || isChanged) && (
        <div>
          <div className="field-detail-bar">
            <h3 data-term="writer">Native writer</h3>
            {isChanged && <span className="changed-mark">changed</span>}
            {isChanged && (
              <button type="button" className="control control-framed" onClick={() => choice.onChoose(null)}>
                Reset
              </button>
            )}
          </div>
          {writers.length > 1 ? (
            <WriterList writers={writers} choice={choice} />
          ) : (
            <p className="field-detail-words">{FIELD_DETAIL_NOTES.otherWriters}</p>
          )}
          {isChanged && <Option {...writerOption(field, profile, choice.chosen)} />}
        </div>
      )}
      {types.length > 1 && <TypeList field={field} declaration={declaration} />}
    </>
  );
}

function WriterList({
  writers,
  choice,
}: {
  readonly writers: readonly WriterCost[];
  readonly choice: WriterChoice | null;
}): ReactNode {
  const name = useId();
  const used = writers[0]!;
  // The choice is shown at once; its figures follow when they are measured.
  const chosen = choice?.chosen ?? used.writer;
  return (
    <fieldset className="otherwise">
      <legend className="sr-only">Native writer</legend>
      {inOrder(writers).map(({ writer, bytes }) => (
        <label key={writer} className="otherwise-row">
          <input
            type="radio"
            name={name}
            disabled={choice === null}
            checked={writer === chosen}
            onChange={() => choice?.onChoose(writer)}
          />
          <span className="otherwise-name">{writerLabel(writer)}</span>
          <span className="otherwise-note" title={writerNote(writer)}>
            {writerNote(writer)}
          </span>
          <Figures bytes={bytes} used={used.bytes} isUsed={writer === used.writer} />
        </label>
      ))}
    </fieldset>
  );
}

/** The values' sizes as other types; the advisor measures a change of type. */
function TypeList({
  field,
  declaration,
}: {
  readonly field: FieldProfile;
  readonly declaration: DeclarationChoice | null;
}): ReactNode {
  const { types, occurrences } = field;
  const place = declarationLine(field);
  const declared = types[0]!;
  const best = types.reduce((least, type) => (type.bytes < least.bytes ? type : least));
  const saved = declared.bytes - best.bytes;
  return (
    <div>
      <div className="field-detail-bar">
        <h3 data-term="label-protobuf-type">Protobuf type</h3>
      </div>
      <ul className="otherwise">
        {types.map(({ type, bytes }) => (
          <li key={type} className="otherwise-row">
            <span aria-hidden="true">{type === declared.type ? '✓' : ''}</span>
            <span className="otherwise-name">{type}</span>
            <span className="otherwise-note">{type === declared.type ? 'as declared' : ''}</span>
            <Figures bytes={bytes} used={declared.bytes} isUsed={type === declared.type} />
            {declaration !== null && place !== undefined && type !== declared.type && (
              <button
                type="button"
                className="control control-framed"
                aria-label={`Try ${type}`}
                onClick={() => declaration.onTry([{ change: 'type', ...place, from: declared.type, to: type }])}
              >
                Try
              </button>
            )}
          </li>
        ))}
      </ul>
      <p className="field-detail-words">
        {otherTypeWords(best.type, occurrences, saved)} {FIELD_DETAIL_NOTES.counted}
      </p>
    </div>
  );
}

function Figures({
  bytes,
  used,
  isUsed,
}: {
  readonly bytes: number;
  readonly used: number;
  readonly isUsed: boolean;
}): ReactNode {
  const difference = bytes - used;
  return (
    <>
      <span className="otherwise-bytes">{formatBytes(bytes)}</span>
      <span className={`otherwise-bytes ${difference > 0 ? 'is-more' : difference < 0 ? 'is-less' : 'is-none'}`}>
        {isUsed ? '' : formatSigned(difference)}
      </span>
    </>
  );
}

function Option({ text, place }: { readonly text: string; readonly place: string }): ReactNode {
  const [copied, setCopied] = useState<{ readonly text: string; readonly is: boolean } | null>(null);
  return (
    <p className="otherwise-option">
      <span className="otherwise-note">{place}</span> <code>{text}</code>
      <button
        type="button"
        className="control control-framed"
        onClick={() => void copyText(text).then((isCopied) => setCopied({ text, is: isCopied }))}
      >
        {copied?.text !== text ? 'Copy option' : copied.is ? 'Copied' : COPY_REFUSED}
      </button>
    </p>
  );
}
