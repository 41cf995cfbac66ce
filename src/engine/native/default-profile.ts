/** The native profile that messages are compared with if none is chosen. */
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { NATIVE_PROFILES, type NativeProfile, SCHEMA_LAYOUT_PROFILE } from './profiles.ts';

/**
 * As their schema lays them out, if they were captured in a layout, or if it has options for their type; otherwise as
 * OpenSearch usually writes.
 */
export const defaultProfile = (isNative: boolean, type: MessageDescriptor | null | undefined): NativeProfile =>
  isNative || (type != null && isLaidOut(type)) ? SCHEMA_LAYOUT_PROFILE : NATIVE_PROFILES[0]!;

const known = new WeakMap<MessageDescriptor, boolean>();

/** Whether the type, or one that it holds, has options of schemas/native/options.proto. */
function isLaidOut(type: MessageDescriptor): boolean {
  let answer = known.get(type);
  if (answer === undefined) {
    answer = hasOptions(type);
    known.set(type, answer);
  }
  return answer;
}

function hasOptions(root: MessageDescriptor): boolean {
  const held = new Set([root]);
  for (const { options, fields, oneofs } of held) {
    if ([options, ...fields.map((field) => field.options), ...oneofs.map((oneof) => oneof.options)].some(isOption))
      return true;
    for (const { message } of fields) if (message !== undefined) held.add(message);
  }
  return false;
}

const isOption = (options: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(options).some((name) => name.startsWith('wirecost.native.'));
