/**
 * Another declaration of the field: type, number, presence, packing, encoding. The same messages are written with it at
 * once.
 */
import { type FormEvent, type ReactNode, useState } from 'react';
import type { FieldProfile } from '#engine/cost/profile.ts';
import { SCALAR_TYPES } from '#engine/schema/declaration.ts';
import { parentOf } from '#engine/schema/names.ts';
import { isPackable } from '#engine/schema/wire-types.ts';

/** A change in the vocabulary of docs/advise.md. */
export type DeclarationChange = Readonly<Record<string, string | number | boolean>>;

export interface DeclarationChoice {
  readonly onTry: (changes: readonly DeclarationChange[]) => void;
}

type Declared = NonNullable<FieldProfile['declared']>;

const isScalar = ({ kind }: Declared): boolean => SCALAR_TYPES.some((type) => type === kind);

/** undefined: an extension, because it is declared outside the message. */
export function declarationLine(field: FieldProfile): { readonly message: string; readonly field: string } | undefined {
  if (field.declared === null || field.name.startsWith('[')) return undefined;
  const { fullName } = field.declared;
  return { message: parentOf(fullName), field: field.name };
}

export function TryDeclaration({
  field,
  choice,
}: {
  readonly field: FieldProfile;
  readonly choice: DeclarationChoice;
}): ReactNode {
  const { declared } = field;
  const place = declarationLine(field);
  const [type, setType] = useState<string>(declared?.kind ?? '');
  const [number, setNumber] = useState(field.number);
  const [presence, setPresence] = useState<string>(declared?.presence ?? '');
  const [packed, setPacked] = useState(declared?.packed ?? false);
  const [encoding, setEncoding] = useState(declared?.kind === 'group' ? DELIMITED : PREFIXED);
  if (declared === null || place === undefined || declared.cardinality === 'map') return null;
  const isMessage = declared.kind === 'message' || declared.kind === 'group';
  const isRun = declared.cardinality === 'repeated' && isPackable(declared.kind as never);
  const hasPresence = !isMessage && (declared.presence === 'implicit' || declared.presence === 'explicit');
  const was = declared.kind === 'group' ? DELIMITED : PREFIXED;
  const changes: DeclarationChange[] = [
    ...(type === declared.kind ? [] : [{ change: 'type', ...place, from: declared.kind, to: type }]),
    ...(presence === declared.presence
      ? []
      : [{ change: 'presence', ...place, from: declared.presence, to: presence }]),
    ...(packed === declared.packed ? [] : [{ change: 'packed', ...place, to: packed }]),
    ...(encoding === was ? [] : [{ change: 'message encoding', ...place, from: was, to: encoding }]),
    ...(number === field.number ? [] : [{ change: 'number', ...place, from: field.number, to: number }]),
  ];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    choice.onTry(changes);
  };
  return (
    <form className="try-declaration" onSubmit={submit} aria-label="Try another declaration">
      <h3 data-term="label-try">Try another declaration</h3>
      {(isScalar(declared) || declared.kind === 'enum') && (
        <label data-term="label-protobuf-type">
          Type{' '}
          <select className="field" value={type} onChange={({ target }) => setType(target.value)}>
            {[...(declared.kind === 'enum' ? ['enum'] : []), ...SCALAR_TYPES].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
      <label data-term="table-number">
        Number{' '}
        <input
          className="field"
          type="number"
          min={1}
          max={2 ** 29 - 1}
          value={number}
          onChange={({ target }) => setNumber(target.valueAsNumber || field.number)}
        />
      </label>
      {hasPresence && (
        <label data-term="label-try-presence">
          Presence{' '}
          <select className="field" value={presence} onChange={({ target }) => setPresence(target.value)}>
            <option>implicit</option>
            <option>explicit</option>
          </select>
        </label>
      )}
      {isRun && (
        <label data-term="label-packed">
          <input type="checkbox" checked={packed} onChange={({ target }) => setPacked(target.checked)} /> packed
        </label>
      )}
      {isMessage && (
        <label data-term="label-message-encoding">
          Encoding{' '}
          <select className="field" value={encoding} onChange={({ target }) => setEncoding(target.value)}>
            <option>{PREFIXED}</option>
            <option>{DELIMITED}</option>
          </select>
        </label>
      )}
      <button type="submit" className="control control-framed" disabled={changes.length === 0}>
        Measure it
      </button>
    </form>
  );
}

const PREFIXED = 'length-prefixed';
const DELIMITED = 'delimited (editions)';
