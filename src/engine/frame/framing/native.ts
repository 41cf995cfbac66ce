/** All bytes are one native message. The user's type gives its layout, because the bytes do not name a type. */
import type { Framing } from './framing.ts';
import { oneMessage } from './single.ts';

export const native: Framing = {
  id: 'native',
  label: 'One native message',
  sniff: () => ({ score: 0, reason: 'native bytes do not say what they are' }),
  create: oneMessage('native'),
};
