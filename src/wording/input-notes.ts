/** Notes of the input panel: where the bytes go, and what this browser keeps. */
import { plural } from '#engine/model/count-text.ts';
import { formatCount } from './number-text.ts';

export const INPUT_NOTES = {
  dropped: 'Captures that were dropped together',
  layers: 'Layers: where every byte of the file goes',
  otherFraming: 'Choose another framing at “Messages are”, in the Input panel.',
  paste: 'Paste hex, base64, a hexdump or a .proto file',
  tls: 'TLS is read with its keys: drop or paste a key log (SSLKEYLOGFILE). The findings name what is missing for each connection; docs/tls.md describes how programs write a key log.',
  noCapture: 'Layers are those of a packet capture; this input is payload alone.',
  stopped: 'There are no layers to show: reading was cancelled.',
  noProtocol: 'None with messages.',
  oneFlow: 'Only messages of this flow',
  asOne: 'Read it as one message',
  textBox: 'Bytes or schema as text',
  dropAnywhere: 'or drop or paste them anywhere: pcap, HAR, messages, schemas, archives of them',
} as const;

/** Flows that the panel does not list. */
export const smallerFlows = (count: number): string =>
  `and ${formatCount(count)} smaller ones; the filter of the message list finds them`;

/** @param keyLogs those of an archive; absent: none */
export const withKeyLogs = (keyLogs: number | undefined): string =>
  keyLogs === undefined ? '' : ` with ${plural(keyLogs, 'key log')}`;

export const noneInFraming = (name: string): string => `No message of ${name} is read in the chosen framing.`;

export const notAllowed = (folder: string): string =>
  `The browser was not allowed to read ${folder}/ again. Drop the folder once more.`;

export const heldSecrets = (connections: number): string =>
  `This tab has the secrets of ${plural(connections, 'TLS connection')} in memory. They are neither stored nor shared.`;
