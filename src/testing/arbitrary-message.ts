/** A random schema, and messages of its type `random.A` in it. */
import fc from 'fast-check';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { arbitraryProto } from './arbitrary-schema.ts';
import { arbitraryWire, type WireOptions } from './arbitrary-wire.ts';

export interface RandomMessages {
  readonly proto: string;
  readonly type: MessageDescriptor;
  readonly messages: readonly Uint8Array[];
}

export function arbitraryMessages(
  options: WireOptions & { readonly maxMessages?: number } = {},
): fc.Arbitrary<RandomMessages> {
  return arbitraryProto.chain((proto) => {
    const type = compileProto(proto);
    return fc
      .array(arbitraryWire(type, options), { minLength: 1, maxLength: options.maxMessages ?? 3 })
      .map((messages) => ({
        proto,
        type,
        messages,
        [fc.toStringMethod]: () =>
          `${proto}\n${messages.map((bytes) => Buffer.from(bytes).toString('hex')).join('\n')}`,
      }));
  });
}

/** `random.A` of a schema that is known to be good. */
export function compileProto(proto: string): MessageDescriptor {
  const { registry, diagnostics } = compileSchema([{ path: 'random.proto', content: proto }]);
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (errors.length > 0) throw new Error(`${proto}\n${errors.map((error) => error.message).join('\n')}`);
  return registry.messages.get('random.A')!;
}
