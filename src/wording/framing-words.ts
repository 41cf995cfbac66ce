/** How a person describes a framing. */
export const FRAMING_WORDS = {
  describe: 'Describe another framing',
  fields:
    'The fields around each message, in their order. Sizes: u8, be16, be24, be32, be64, le16, le24, le32, le64, varint. A number skips bytes, 0x and digits are bytes that are always there, brackets hold what the size counts.',
} as const;
