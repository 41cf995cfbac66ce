/** Unseen characters are written out, so that a name from outside cannot reorder the text around it. */
import { asEscape, UNSEEN } from '#engine/model/quoted-text.ts';

/** In one line: unseen characters are written out, line ends as well. */
export const visible = (text: string): string => text.replace(UNSEEN, asEscape);
