import { expect, test } from 'vitest';
import { hasSecrets, isKeyLog, KeyLog } from './key-log.ts';

const RANDOM = 'ab'.repeat(32);
const SECRET = 'cd'.repeat(48);
const LINE = `CLIENT_RANDOM ${RANDOM} ${SECRET}`;

test.each([
  ['a line', LINE, true],
  ['comments before it', `# SSL/TLS secrets log file\r\n\r\n${LINE}`, true],
  ['a byte order mark before it', `\u00ef\u00bb\u00bf${LINE}`, true],
  ['the same, decoded', `\ufeff${LINE}`, true],
  ['a secret of TLS 1.3', `SERVER_TRAFFIC_SECRET_0 ${RANDOM} ${'ef'.repeat(32)}\n`, true],
  ['a master secret by session id', `RSA Session-ID:${'ab'.repeat(32)} Master-Key:${SECRET}`, true],
  ['an encrypted premaster secret before it', `RSA ${'ab'.repeat(8)} ${SECRET}\n${LINE}`, true],
  ['the rest of a line before it', `${LINE.slice(20)}\n${LINE}`, true],
  ['the rest of a line with a session id before it', `ID:ab Master-Key:${SECRET}\n${LINE}`, true],
  ['the rest of a line alone', LINE.slice(20), false],
  ['hex', 'ab'.repeat(200), false],
  ['a random that is too short', 'CLIENT_RANDOM abcd ef', false],
  ['prose before it', `Here it is:\n${LINE}`, false],
  ['nothing', '', false],
])('%s', (_, text, expected) => {
  expect(isKeyLog(text)).toBe(expected);
  expect(hasSecrets(text) || !expected).toBe(true);
});

test('other lines are skipped; a later line replaces an earlier one', () => {
  const log = new KeyLog();
  log.add(`junk\n${LINE}\nCLIENT_RANDOM zz\n${LINE.replace(/cd/g, '01')}`);
  const random = new Uint8Array(32).fill(0xab);
  expect(log.size).toBe(1);
  expect(log.of(random)?.get('CLIENT_RANDOM')).toEqual(new Uint8Array(48).fill(1));
  expect(log.of(new Uint8Array(32))).toBeUndefined();
});
