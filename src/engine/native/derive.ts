/** A native profile, the schema's options and a user's overrides to the layout of each message type. */
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import type { Absence, FieldLayout, IntForm, LayoutOf, MessageLayout, ValueForm } from './layout.ts';
import { type NativeProfile, STREAM_OUTPUT } from './profiles.ts';
import { WRITERS } from './writers.ts';

/** Native writer by full field name, as `schemas/native/options.proto` names them: `ZLONG`. */
export type Overrides = Readonly<Record<string, string>>;

const ABSENCES: readonly (readonly [name: string, absence: Absence])[] = [
  ['FLAG', 'flag'],
  ['SENTINEL', 'sentinel'],
  ['LENGTH_PLUS_ONE', 'length+1'],
  ['DEFAULT', 'default'],
];

export function deriveLayouts(profile: NativeProfile, overrides: Overrides = {}): LayoutOf {
  const layouts = new Map<MessageDescriptor, MessageLayout>();
  return (message) => {
    let layout = layouts.get(message);
    if (layout === undefined) {
      layout = { message, fields: message.fields.map((field) => layOut(field, profile, overrides)) };
      layouts.set(message, layout);
    }
    return layout;
  };
}

function layOut(field: FieldDescriptor, profile: NativeProfile, overrides: Overrides): FieldLayout {
  const option = (name: string) => (profile.options ? field.options[`wirecost.native.${name}`] : undefined);
  const form = chooseForm(field, profile, overrides[field.fullName] ?? option('write'));
  const repeated = field.cardinality !== 'singular';
  const absence = repeated ? 'default' : chooseAbsence(field, form, profile, option('absent'));
  const count = repeated ? profile.count : undefined;
  return { field, form, absence, count, label: labelOf(form, absence, count) };
}

/** Writers that can hold every value of the type; any other wish is not followed. */
function chooseForm(field: FieldDescriptor, profile: NativeProfile, wish: unknown): ValueForm {
  const rule = profile.forms[field.type === 'group' ? 'message' : field.type];
  const wished = WRITERS.find(([name], number) => name === wish || number + 1 === wish)?.[1];
  if (wished === undefined) return rule;
  const form: ValueForm = STREAM_OUTPUT[wished];
  if (form.kind !== rule.kind || (form.kind === 'float' && rule.kind === 'float' && form.bytes < rule.bytes))
    return rule;
  return form;
}

function chooseAbsence(field: FieldDescriptor, form: ValueForm, profile: NativeProfile, wish: unknown): Absence {
  const wished = ABSENCES.find(([name], number) => name === wish || number + 1 === wish)?.[1];
  if (wished !== undefined && canMark(wished, field, form)) return wished;
  // A map writes key and value of each entry, whatever the wire left out.
  if (field.parent.isMapEntry) return 'default';
  if (form.kind === 'message') {
    return field.presence === 'required' && !reaches(field.message!, field.parent)
      ? 'default'
      : profile.absence.message;
  }
  if (field.presence !== 'explicit') return 'default';
  return form.kind === 'bool' ? profile.absence.bool : profile.absence.explicit;
}

function canMark(absence: Absence, field: FieldDescriptor, form: ValueForm): boolean {
  switch (absence) {
    case 'sentinel':
      return (form.kind === 'string' || form.kind === 'bytes') && form.length.kind === 'fixed';
    case 'length+1':
      return (form.kind === 'string' || form.kind === 'bytes') && form.length.kind === 'varint' && !form.length.zigzag;
    case 'tristate':
      return form.kind === 'bool';
    case 'default':
      // A message that is always written and holds itself would never end.
      return form.kind !== 'message' || !reaches(field.message!, field.parent);
    case 'flag':
      return true;
  }
}

function reaches(from: MessageDescriptor, target: MessageDescriptor): boolean {
  const seen = new Set<MessageDescriptor>([from]);
  for (const message of seen) {
    if (message === target) return true;
    for (const field of message.fields) {
      if (field.message !== undefined && field.cardinality === 'singular') seen.add(field.message);
    }
  }
  return false;
}

function labelOf(form: ValueForm, absence: Absence, count: IntForm | undefined): string {
  const name = nameOf(form);
  if (count !== undefined) return `${nameOfInt(count)} count, ${name} each`;
  switch (absence) {
    case 'flag':
      return `optional ${name}`;
    case 'sentinel':
      return `${name}, length −1 if absent`;
    case 'length+1':
      return `${name}, length + 1`;
    case 'tristate':
      return 'optional Boolean in one byte';
    case 'default':
      return name;
  }
}

function nameOf(form: ValueForm): string {
  const known = Object.entries(STREAM_OUTPUT).find(([, writer]) => JSON.stringify(writer) === JSON.stringify(form));
  if (known !== undefined) return known[0];
  if (form.kind === 'int') return nameOfInt(form.form);
  return form.kind === 'message' ? 'fields' : form.kind;
}

function nameOfInt(form: IntForm): string {
  if (form.kind === 'fixed') return `${form.bytes * 8}-bit ${form.order}-endian`;
  return form.zigzag ? 'ZLong' : form.bits === 32 ? 'VInt' : 'VLong';
}
