/** The messages that the messages of a profile hold in a google.protobuf.Any. */
import { VALUE_NAME } from '../wire/any.ts';
import type { FieldProfile, Profile } from './profile.ts';

const isHeld = ({ declared }: FieldProfile): boolean =>
  declared?.fullName === VALUE_NAME && declared.kind === 'message';

/** Full names of the types of all contents. */
export const heldTypes = ({ fields }: Profile): readonly string[] => [
  ...new Set(fields.filter(isHeld).map(({ declared }) => declared!.type)),
];

/** Whether a field is in the contents of an Any. */
export const isHeldAt = ({ fields }: Profile, path: string): boolean =>
  fields.some((field) => path.startsWith(`${field.path}.`) && isHeld(field));
