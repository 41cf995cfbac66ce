/**
 * Bytes of a connection that no transport explains → their protocol. Nothing is decoded; the name shows the user what
 * the capture holds.
 *
 *   TLS         kind 20 … 23 │ 3 │ 0 … 4 │ length×2 (RFC 8446 §5.1)      SSH   "SSH-" (RFC 4253 §4.2)
 *   PostgreSQL  length×4 │ version 3.0, or a request for TLS             MQTT  16 │ length │ 0 4 "MQTT"
 *   SIP         method sip:… SIP/2.0, or SIP/2.0 status (RFC 3261 §7)
 *   MySQL       length×3 │ 0 │ 10 │ version as text                       AMQP  "AMQP"      Redis  `*3 CRLF $3 CRLF SET` …
 */
import { uint16be, uint32be } from '../../bytes/integers.ts';
import { latin1 } from '../../bytes/latin1.ts';

export interface ProtocolSignature {
  readonly name: string;
  readonly isEncrypted: boolean;
}

/** Maximum size of a TLS record: RFC 8446 §5.2. */
const LONGEST_RECORD = 2 ** 14 + 256;
const POSTGRES = new Set([0x00030000, 80_877_103, 80_877_104]);
const SIP = /^(SIP\/2\.0 \d{3} |[A-Z]+ sips?:)/;
/** POP3 greets with `+OK ` and a text; Redis has no text after it. */
const REDIS = /^(\*\d+\r\n[$:*]|\$\d+\r\n|(?!\+OK )[+-][A-Z]+[ \r]|:\d+\r\n)/;

/** To add a signature, add a row here. */
const SIGNATURES: readonly (ProtocolSignature & { readonly fits: (bytes: Uint8Array, text: string) => boolean })[] = [
  { name: 'TLS', isEncrypted: true, fits: isTls },
  { name: 'SSH', isEncrypted: true, fits: (_, text) => text.startsWith('SSH-') },
  { name: 'AMQP', isEncrypted: false, fits: (_, text) => text.startsWith('AMQP') },
  { name: 'SIP', isEncrypted: false, fits: (_, text) => SIP.test(text) },
  { name: 'MQTT', isEncrypted: false, fits: isMqtt },
  {
    name: 'MySQL',
    isEncrypted: false,
    fits: (bytes, text) => bytes[3] === 0 && bytes[4] === 10 && /^\d+\.\d/.test(text.slice(5)),
  },
  {
    name: 'PostgreSQL',
    isEncrypted: false,
    fits: (bytes) => bytes.length >= 8 && uint16be(bytes, 0) === 0 && POSTGRES.has(uint32be(bytes, 4)),
  },
  { name: 'Redis', isEncrypted: false, fits: (_, text) => REDIS.test(text) },
];

/** null: no signature fits. */
export function findProtocol(bytes: Uint8Array): ProtocolSignature | null {
  const text = latin1(bytes, 0, Math.min(bytes.length, 64));
  return SIGNATURES.find(({ fits }) => fits(bytes, text)) ?? null;
}

function isTls(bytes: Uint8Array): boolean {
  if (bytes.length < 5 || bytes[0]! < 20 || bytes[0]! > 23 || bytes[1] !== 3 || bytes[2]! > 4) return false;
  const length = uint16be(bytes, 3);
  return length > 0 && length <= LONGEST_RECORD;
}

/** The protocol name belongs to version 3.1 or later. */
function isMqtt(bytes: Uint8Array, text: string): boolean {
  const at = text.search(/MQTT|MQIsdp/);
  return bytes[0] === 16 && at >= 4 && at <= 7 && bytes[at - 2] === 0 && bytes[at - 1]! <= 6;
}
