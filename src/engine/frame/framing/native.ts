/** All bytes are one native message. Its layout is that of the type that was chosen: the bytes themselves name none. */
import type { Framing } from './framing.ts';
import { oneMessage } from './single.ts';

export const native: Framing = {
  id: 'native',
  label: 'One native message',
  sniff: () => ({ score: 0, reason: 'native bytes do not say what they are' }),
  create: oneMessage('native'),
};
