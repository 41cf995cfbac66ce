/**
 * Cipher suites by number, https://www.iana.org/assignments/tls-parameters: parameters of the supported suites, and
 * names of others.
 */

export interface CipherSuite {
  readonly name: string;
  readonly aead: 'aes-gcm' | 'chacha20-poly1305';
  /** In bytes. */
  readonly keyLength: 16 | 32;
  readonly hash: 'sha256' | 'sha384';
}

const aes128 = { aead: 'aes-gcm', keyLength: 16, hash: 'sha256' } as const;
const aes256 = { aead: 'aes-gcm', keyLength: 32, hash: 'sha384' } as const;
const chacha = { aead: 'chacha20-poly1305', keyLength: 32, hash: 'sha256' } as const;

/** TLS 1.3: RFC 8446 §B.4. TLS 1.2: RFC 5288, 5289, 5487, 8442 (AES-GCM), 7905 (ChaCha20). */
const READ: ReadonlyMap<number, CipherSuite> = new Map([
  [0x1301, { name: 'TLS_AES_128_GCM_SHA256', ...aes128 }],
  [0x1302, { name: 'TLS_AES_256_GCM_SHA384', ...aes256 }],
  [0x1303, { name: 'TLS_CHACHA20_POLY1305_SHA256', ...chacha }],
  [0x009c, { name: 'TLS_RSA_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0x009d, { name: 'TLS_RSA_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0x009e, { name: 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0x009f, { name: 'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0x00a0, { name: 'TLS_DH_RSA_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0x00a1, { name: 'TLS_DH_RSA_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0x00a2, { name: 'TLS_DHE_DSS_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0x00a3, { name: 'TLS_DHE_DSS_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0x00a4, { name: 'TLS_DH_DSS_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0x00a5, { name: 'TLS_DH_DSS_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0x00a6, { name: 'TLS_DH_anon_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0x00a7, { name: 'TLS_DH_anon_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0x00a8, { name: 'TLS_PSK_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0x00a9, { name: 'TLS_PSK_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0x00aa, { name: 'TLS_DHE_PSK_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0x00ab, { name: 'TLS_DHE_PSK_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0x00ac, { name: 'TLS_RSA_PSK_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0x00ad, { name: 'TLS_RSA_PSK_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0xc02b, { name: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0xc02c, { name: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0xc02d, { name: 'TLS_ECDH_ECDSA_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0xc02e, { name: 'TLS_ECDH_ECDSA_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0xc02f, { name: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0xc030, { name: 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0xc031, { name: 'TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0xc032, { name: 'TLS_ECDH_RSA_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0xd001, { name: 'TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256', ...aes128 }],
  [0xd002, { name: 'TLS_ECDHE_PSK_WITH_AES_256_GCM_SHA384', ...aes256 }],
  [0xcca8, { name: 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', ...chacha }],
  [0xcca9, { name: 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', ...chacha }],
  [0xccaa, { name: 'TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256', ...chacha }],
  [0xccab, { name: 'TLS_PSK_WITH_CHACHA20_POLY1305_SHA256', ...chacha }],
  [0xccac, { name: 'TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256', ...chacha }],
  [0xccad, { name: 'TLS_DHE_PSK_WITH_CHACHA20_POLY1305_SHA256', ...chacha }],
  [0xccae, { name: 'TLS_RSA_PSK_WITH_CHACHA20_POLY1305_SHA256', ...chacha }],
]);

/** Suites that still occur and are not supported: CBC, CCM. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x000a, 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'],
  [0x002f, 'TLS_RSA_WITH_AES_128_CBC_SHA'],
  [0x0033, 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA'],
  [0x0035, 'TLS_RSA_WITH_AES_256_CBC_SHA'],
  [0x0039, 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA'],
  [0x003c, 'TLS_RSA_WITH_AES_128_CBC_SHA256'],
  [0x003d, 'TLS_RSA_WITH_AES_256_CBC_SHA256'],
  [0x0067, 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA256'],
  [0x006b, 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA256'],
  [0xc009, 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA'],
  [0xc00a, 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA'],
  [0xc013, 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA'],
  [0xc014, 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA'],
  [0xc023, 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256'],
  [0xc024, 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384'],
  [0xc027, 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256'],
  [0xc028, 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384'],
  [0x1304, 'TLS_AES_128_CCM_SHA256'],
  [0x1305, 'TLS_AES_128_CCM_8_SHA256'],
]);

/** @returns undefined: not supported */
export const cipherSuite = (id: number): CipherSuite | undefined => READ.get(id);

/** `TLS_AES_128_GCM_SHA256`, `cipher suite 0xc0ac` */
export const nameSuite = (id: number): string =>
  READ.get(id)?.name ?? NAMES.get(id) ?? `cipher suite 0x${id.toString(16).padStart(4, '0')}`;
