/** A UUID written as text. Its digits and dashes look like hex and base64, but it is not a message. */
import { latin1 } from '../../bytes/latin1.ts';
import { textStart } from './ascii.ts';

/** RFC 9562, section 4. */
const UUID = /^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?\s*$/i;
const LONGEST = 64;

export const isUuid = (head: Uint8Array): boolean =>
  head.length <= LONGEST && UUID.test(latin1(head.subarray(textStart(head))));
