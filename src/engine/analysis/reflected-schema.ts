/**
 * The responses of gRPC's server reflection in a capture → the descriptors that they hold. Clients as grpcurl ask a
 * server for them before they call it. https://github.com/grpc/grpc/blob/master/doc/server-reflection.md
 */
import { joinBytes } from '../bytes/join.ts';
import { latin1 } from '../bytes/latin1.ts';
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { ProtoReader, readRecordsSafely, type Slots } from '../schema/set/proto-reader.ts';
import { bodyAt } from './store/message-body.ts';
import type { MessageGroup } from './store/message-groups.ts';
import type { MessageStore } from './store/message-store.ts';

/** `FileDescriptorSet.file` */
const FILE = Uint8Array.of(0x0a);

const METHOD = /(?:^|\s)\/grpc\.reflection\.v1(?:alpha)?\.ServerReflection\/ServerReflectionInfo$/;

const isReflection = ({ method, direction }: MessageGroup): boolean =>
  direction === 'response' && method !== null && METHOD.test(method);

/** Each file after its size. Every client asks for the same ones, so the key is the contents. */
type Files = Map<string, Uint8Array>;

const FILES: Slots<Files> = {
  len: {
    1: (files, reader) => {
      const { at } = reader;
      const file = reader.bytes.slice(at, reader.inner().end);
      files.set(latin1(file), file);
    },
  },
};
const RESPONSE: Slots<Files> = { len: { 4: (files, reader) => void readRecordsSafely(reader.inner(), FILES, files) } };

/** A FileDescriptorSet; null: the messages hold no descriptor. Rejects as `bodyAt` does. */
export async function reflectedSchema(
  store: MessageStore,
  control: ReadControl = {},
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { messages } = store;
  const isAsked = messages.groups.all().map(isReflection);
  if (!isAsked.includes(true)) return null;
  const files: Files = new Map();
  for (let ordinal = 0; ordinal < messages.length; ordinal++) {
    if (!isAsked[messages.groupAt(ordinal)]) continue;
    if (control.signal?.aborted) throw new AbortError();
    readRecordsSafely(new ProtoReader(await bodyAt(store, ordinal, control)), RESPONSE, files);
  }
  return files.size === 0 ? null : joinBytes([...files.values()].flatMap((file) => [FILE, file]));
}
