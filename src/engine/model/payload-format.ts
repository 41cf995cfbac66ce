/** The format of a captured payload that is neither protobuf nor the transport's own layout. */
export type PayloadFormat = 'json' | 'txtpb';
