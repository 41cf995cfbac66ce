/** The bytes of a FileDescriptorSet → a set of some of its files, each byte for byte. */
import { joinBytes } from '../../bytes/join.ts';
import { isReadable, ProtoReader, readRecords, type Slots } from './proto-reader.ts';

/**
 * Bytes may be a single FileDescriptorProto instead of a set: they have no file in them, and stay as they are.
 *
 * @param isWanted is called with the path of each file
 * @returns undefined: the bytes are not a set
 */
export function partOfSet(set: Uint8Array, isWanted: (path: string) => boolean): Uint8Array<ArrayBuffer> | undefined {
  const kept: Uint8Array[] = [];
  const isSet = isReadable(() => {
    const reader = new ProtoReader(set);
    for (let start = 0; reader.next(); start = reader.at) {
      const isFile = reader.number === 1 && reader.wireType === 2;
      const path = isFile ? pathOf(reader.inner()) : '';
      if (!isFile) reader.skip();
      if (isWanted(path)) kept.push(set.subarray(start, reader.at));
    }
  });
  return isSet ? joinBytes(kept) : undefined;
}

const PATH: Slots<{ path: string }> = {
  len: {
    1: (file, reader) => {
      file.path = reader.text();
    },
  },
};

/** Empty: the file has no name. */
const pathOf = (reader: ProtoReader): string => readRecords(reader, PATH, { path: '' }).path;
