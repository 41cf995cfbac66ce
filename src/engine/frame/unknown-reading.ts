/** A link of a newer version may name a way of reading that is not known here: the input is read as detected. */
import type { Diagnostic } from '../model/diagnostic.ts';

/** @param fault as `framingOf` returns it */
export const unknownFraming = (id: string, fault: string): Diagnostic =>
  unknown('frame/unknown-framing', `The framing ${id} is not known here, and the input is read as detected. ${fault}`);

export const unknownTextEncoding = (id: string): Diagnostic =>
  unknown(
    'frame/unknown-text-encoding',
    `The text encoding ${id} is not known here, and the input is read as detected.`,
  );

const unknown = (code: string, message: string): Diagnostic => ({
  ...{ code, severity: 'warning', message },
  ...{ space: 'capture', start: 0, end: 0 },
});
