/** A writer's name for people: `Long`, `optional String`, `VInt count, Long each`. */
import type { Absence, IntForm, SizedBy, ValueForm } from './layout.ts';
import { STREAM_OUTPUT } from './profiles.ts';

const NAMES = new Map(Object.entries(STREAM_OUTPUT).map(([name, form]) => [JSON.stringify(form), name]));

export function labelOf(
  form: ValueForm,
  absence: Absence,
  count: IntForm | undefined,
  sizedBy: SizedBy | undefined,
): string {
  const name = nameOf(form);
  if (sizedBy !== undefined) return `${name} each, ${sizeText(sizedBy)}`;
  if (count !== undefined) {
    const list = `${nameOfInt(count)} count, ${name} each`;
    if (absence === 'sentinel') return `${list}, count −1 if absent`;
    return absence === 'flag' ? `optional, ${list}` : absence === 'length+1' ? `${list}, count + 1` : list;
  }
  switch (absence) {
    case 'flag':
      return `optional ${name}`;
    case 'sentinel':
      return `${name}, length −1 if absent`;
    case 'minus':
      return `${name} after 1, or −1 if absent`;
    case 'length+1':
      return `${name}, length + 1`;
    case 'tristate':
      return 'optional Boolean in one byte';
    case 'end':
      return `${name}, unless the message ends`;
    case 'default':
      return name;
  }
}

function nameOf(form: ValueForm): string {
  if (form.kind === 'content') return form.message.name;
  const known = NAMES.get(JSON.stringify(form));
  if (known !== undefined) return known;
  switch (form.kind) {
    case 'int':
      return nameOfInt(form.form);
    case 'bool':
      return 'Boolean, 0 for true';
    case 'bytes':
      return `bytes after ${nameOfInt(form.length)}${form.padding === undefined ? '' : ', padded'}`;
    case 'string':
      return `text after ${nameOfInt(form.length)}${form.padding === undefined ? '' : ', padded'}`;
    case 'ended':
      return 'text up to a zero byte';
    case 'float':
      return `${form.bytes * 8}-bit float`;
    case 'rest':
      return 'the rest';
    case 'sized':
      return `bytes, ${sizeText(form.by)}`;
    case 'message':
      return form.length === undefined ? 'fields' : `fields after ${nameOfInt(form.length)} length`;
    case 'none':
      return 'nothing';
  }
}

function sizeText(by: SizedBy): string {
  if ('toEnd' in by) return 'up to the end';
  if ('until' in by) return `up to “${by.until}”`;
  if ('size' in by) return String(by.size);
  return by.isPower ? `2 to the power of “${by.field.name}”` : `as many as “${by.field.name}” says`;
}

function nameOfInt(form: IntForm): string {
  if (form.kind === 'fixed') return form.bytes === 1 ? 'Byte' : `${form.bytes * 8}-bit ${form.order}-endian`;
  if (form.kind === 'marked') return form.zigzag ? 'zigzag, 1 to 9 bytes' : '1 to 9 bytes';
  return form.zigzag ? 'ZLong' : form.more === 1 ? 'VInt + 1' : form.bits === 32 ? 'VInt' : 'VLong';
}
