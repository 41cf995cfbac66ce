/**
 * The headers of a message in a capture → its type: the type that its content type or URL names, or the request or
 * response type of its gRPC method. https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md: Path → "/"
 * Service-Name "/" {method}
 */
import type { Message } from '../../frame/message.ts';
import type { MessageDescriptor, Registry } from '../../schema/descriptor.ts';
import { isNative, NativeLayouts, type NativeMessage } from './native-reading.ts';

/** `by number`: counted without a type. `native`: read by its layout. `left out`: not counted. */
export type Assigned = MessageDescriptor | 'by number' | 'native' | 'left out';

export interface MessageFilter {
  /** Only messages whose method contains this string. */
  readonly method?: string | undefined;
  readonly direction?: Message['direction'] | undefined;
  /** Only messages of this type. Messages that name no type are read as this type. */
  readonly type?: MessageDescriptor | undefined;
}

type Naming = Pick<Message, 'typeHint' | 'method' | 'direction'>;
type Named = Naming & NativeMessage;

/**
 * Service and method are the last two segments of the path. gRPC-web and Connect may be served below another path, and
 * an HTTP verb may precede it.
 */
const RPC = /\/([^/\s?]+)\/([^/\s?]+)(?:\?.*)?$/;

/** The type that a message names; undefined: it names no type that the schemas have. */
export function ownTypeIn(registries: readonly Registry[], message: Naming): MessageDescriptor | undefined {
  for (const registry of registries) {
    const type = ownType(registry, message);
    if (type !== undefined) return type;
  }
  return undefined;
}

/** Whether evidence has to decide the message's type: the message is protobuf and names no type. */
export const isWithoutType = (registries: readonly Registry[], message: Named): boolean =>
  !isNative(message) && message.typeHint === null && ownTypeIn(registries, message) === undefined;

/** Applies the method and direction of the filter. */
export const isSelected = (
  { method: part = '', direction }: MessageFilter,
  message: Pick<Message, 'method' | 'direction'>,
): boolean =>
  (part === '' || (message.method ?? '').includes(part)) &&
  (direction === undefined || message.direction === direction);

/**
 * A message that names no type is read by field numbers. If a type is asked for, it is read as that type if its method
 * was asked for too, or if it has no method (a bare stream). Native messages without a layout are left out.
 */
export function assignTypes(registries: readonly Registry[], selection: MessageFilter): (message: Named) => Assigned {
  const native = new NativeLayouts(...registries);
  return (message) => {
    if (!isSelected(selection, message)) return 'left out';
    if (isNative(message)) {
      const types = native.typesOf(message);
      const isAsked = selection.type === undefined || types.includes(selection.type);
      return types.length > 0 && isAsked ? 'native' : 'left out';
    }
    const own = ownTypeIn(registries, message);
    if (own !== undefined) return selection.type === undefined || selection.type === own ? own : 'left out';
    if (selection.type === undefined) return 'by number';
    return selection.method === undefined && message.method !== null ? 'left out' : selection.type;
  };
}

function ownType(registry: Registry, { typeHint, method, direction }: Naming): MessageDescriptor | undefined {
  const hinted = typeHint === null ? undefined : registry.messages.get(typeHint);
  if (hinted !== undefined) return hinted;
  const [, service, name] = RPC.exec(method ?? '') ?? [];
  const called = registry.services.get(service ?? '')?.methods.find((candidate) => candidate.name === name);
  if (called === undefined || direction === null) return undefined;
  return direction === 'request' ? called.input : called.output;
}
