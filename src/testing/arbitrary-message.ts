/** A random schema, and messages of its type `random.A` in it. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { checkNativeOptions } from '#engine/native/check-options.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { arbitraryLayouts, arbitraryProto, arbitraryProtoWithAny } from './arbitrary-schema.ts';
import { arbitraryWire, type WireOptions } from './arbitrary-wire.ts';
import type { NativeWishes } from './native-options.ts';

export const OPTIONS = {
  path: 'native/options.proto',
  content: readFileSync(new URL('../../schemas/native/options.proto', import.meta.url), 'utf8'),
};

export interface RandomMessages {
  readonly proto: string;
  readonly type: MessageDescriptor;
  readonly messages: readonly Uint8Array[];
}

export function arbitraryMessages(
  options: WireOptions & { readonly maxMessages?: number; readonly native?: NativeWishes; readonly any?: boolean } = {},
): fc.Arbitrary<RandomMessages> {
  const plain = options.any === true ? arbitraryProtoWithAny : arbitraryProto;
  const schemas = options.native === undefined ? plain : arbitraryLayouts(options.native);
  return schemas.chain((proto) => {
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

/** `random.A` of a schema that is known to be valid. */
export function compileProto(proto: string): MessageDescriptor {
  const files = [{ path: 'random.proto', content: proto }];
  if (proto.includes(`import "${OPTIONS.path}"`)) files.push(OPTIONS);
  const schema = compileSchema(files);
  const { registry } = schema;
  const errors = [...schema.diagnostics, ...checkNativeOptions(schema)].filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(`${proto}\n${errors.map((error) => error.message).join('\n')}`);
  return registry.messages.get('random.A')!;
}
