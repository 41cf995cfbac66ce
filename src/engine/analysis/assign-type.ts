/**
 * What a capture says about a message → the type that it is of: the one a content type or URL names, or that of the
 * gRPC method's side. https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md: Path → "/" Service-Name "/" {method}
 */
import type { Message } from '../frame/message.ts';
import type { MessageDescriptor, Registry } from '../schema/descriptor.ts';
import { isNative, NativeLayouts, type NativeMessage } from './native-reading.ts';

/** `by number`: entered without a type; `native`: read by its layout; `left out`: not entered. */
export type Assigned = MessageDescriptor | 'by number' | 'native' | 'left out';

export interface Selection {
  /** Only messages whose method contains it. */
  readonly method?: string | undefined;
  readonly direction?: Message['direction'] | undefined;
  /** Only messages of this type; those that name none are read as it. */
  readonly type?: MessageDescriptor | undefined;
}

type Named = Pick<Message, 'typeHint' | 'method' | 'direction'> & NativeMessage;

/** Service and method end the path: gRPC-web and Connect may be served below another, and HTTP's verb stands before it. */
const RPC = /\/([^/\s?]+)\/([^/\s?]+)(?:\?.*)?$/;

/** The type that a message names; undefined: none that the schemas know. */
export function ownType(
  registry: Registry,
  { typeHint, method, direction }: Pick<Message, 'typeHint' | 'method' | 'direction'>,
): MessageDescriptor | undefined {
  const hinted = typeHint === null ? undefined : registry.messages.get(typeHint);
  if (hinted !== undefined) return hinted;
  const [, service, name] = RPC.exec(method ?? '') ?? [];
  const called = registry.services.get(service ?? '')?.methods.find((candidate) => candidate.name === name);
  if (called === undefined || direction === null) return undefined;
  return direction === 'request' ? called.input : called.output;
}

/**
 * A message without a type of its own is taken where it was asked for: by its method, or because it has none by which
 * it could be (a bare stream). The rest of a capture, which may not be protobuf at all, is left out; so is what is
 * native and has no layout.
 */
export function assignTypes(registry: Registry, selection: Selection): (message: Named) => Assigned {
  const native = new NativeLayouts(registry);
  return (message) => {
    const { method, direction } = message;
    if (selection.method !== undefined && !(method ?? '').includes(selection.method)) return 'left out';
    if (selection.direction !== undefined && direction !== selection.direction) return 'left out';
    if (isNative(message)) {
      const types = native.typesOf(message);
      const isAsked = selection.type === undefined || types.includes(selection.type);
      return types.length > 0 && isAsked ? 'native' : 'left out';
    }
    const own = ownType(registry, message);
    if (own !== undefined) return selection.type === undefined || selection.type === own ? own : 'left out';
    if (selection.method === undefined && method !== null) return 'left out';
    return selection.type ?? 'by number';
  };
}
