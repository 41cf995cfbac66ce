/** JSON as evidence of a type. */
import { isWellKnown } from '../../encodings/json-well-known.ts';
import { fieldNamed } from '../../encodings/read-json/known-names.ts';
import { jsonIntegerOf } from '../../encodings/read-json/read-scalar.ts';
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import { jsonTree } from './json-tree.ts';
import type { TextFit, TextForm, TextNode } from './text-fit.ts';

export const JSON_FORM: TextForm = { tree: jsonTree, fieldNamed, isFit };

function isFit(fit: TextFit, field: FieldDescriptor, value: TextNode, path: string): boolean {
  if (field.cardinality === 'map') {
    const inner = field.message!.byNumber.get(2)!;
    return value.kind === 'object' && value.members.every(([, one]) => isValue(fit, inner, one, path));
  }
  if (field.cardinality === 'singular') return isValue(fit, field, value, path);
  return value.kind === 'list' && value.items.every((one) => isValue(fit, field, one, path));
}

function isValue(fit: TextFit, field: FieldDescriptor, value: TextNode, path: string): boolean {
  switch (field.type) {
    case 'message':
    case 'group': {
      const type = field.message!;
      if (isWellKnown(type)) return isWellKnownForm(type, value);
      if (value.kind !== 'object') return false;
      fit.members(value, type, path);
      return true;
    }
    case 'string':
      return value.kind === 'text';
    case 'bytes':
      return value.kind === 'text' && /^[\w+/=-]*$/.test(value.text);
    case 'bool':
      return value.kind === 'bool';
    case 'double':
    case 'float':
      return value.kind === 'number' || (value.kind === 'text' && /^(?:-?[\d.eE+-]+|NaN|-?Infinity)$/.test(value.text));
    case 'enum': {
      if (value.kind === 'number') return jsonIntegerOf(value.text) !== undefined;
      const isKnown = value.kind === 'text' && field.enum!.values.some(({ name }) => name === value.text);
      if (isKnown) fit.enums.add(`${field.enum!.fullName}.${value.text}`);
      return isKnown;
    }
    default:
      return (value.kind === 'number' || value.kind === 'text') && jsonIntegerOf(value.text) !== undefined;
  }
}

function isWellKnownForm({ fullName }: MessageDescriptor, value: TextNode): boolean {
  switch (fullName) {
    case 'google.protobuf.Timestamp':
      return value.kind === 'text' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value.text);
    case 'google.protobuf.Duration':
      return value.kind === 'text' && /^-?\d+(?:\.\d+)?s$/.test(value.text);
    case 'google.protobuf.FieldMask':
      return value.kind === 'text' && /^[\w.,]*$/.test(value.text);
    case 'google.protobuf.Struct':
      return value.kind === 'object';
    case 'google.protobuf.Any':
      return value.kind === 'object' && value.members.some(([name]) => name === '@type');
    case 'google.protobuf.ListValue':
      return value.kind === 'list';
    case 'google.protobuf.Value':
      return true;
    default:
      return value.kind !== 'object' && value.kind !== 'list';
  }
}
