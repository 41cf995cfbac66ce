/** Descriptors that were guessed from data carry the name of a file that does not exist, by which they are known. */
import type { MessageDescriptor } from '../schema/descriptor.ts';

/** No .proto file can have this path. */
export const GUESSED_FILE = '?';

export const isGuessed = (type: MessageDescriptor | undefined): boolean => type?.file === GUESSED_FILE;
