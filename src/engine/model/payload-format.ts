/** How a captured payload is written, where that is neither protobuf nor the transport's own layout. */
export type PayloadFormat = 'json' | 'txtpb';
