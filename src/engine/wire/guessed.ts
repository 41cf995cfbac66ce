/** Descriptors that were guessed from data. Their file name marks them: no such file exists. */
import type { MessageDescriptor } from '../schema/descriptor.ts';

/** No .proto file can have this path. */
export const GUESSED_FILE = '?';

export const isGuessed = (type: MessageDescriptor | undefined): boolean => type?.file === GUESSED_FILE;
