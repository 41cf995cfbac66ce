/**
 * `milliseconds since 1970`: google.protobuf.Timestamp as an integer; `nanoseconds`: Duration; `RFC 3339 text with 3
 * digits, Z, as milliseconds since 1970`: text.
 * https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp · https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 */
import { latin1 } from '../../bytes/latin1.ts';
import { UPDATING_RULES_URL } from '../rule-links.ts';
import { integer, TreeNode, type TreeValue } from '../value-tree.ts';
import type { Conversion } from './conversion.ts';
import { eachValue } from './each-value.ts';
import { RANGES } from './plain.ts';

export const TIMESTAMP = 'google.protobuf.Timestamp';
export const DURATION = 'google.protobuf.Duration';

/** Nanoseconds in a unit, largest unit first. */
export const UNITS = {
  seconds: 1_000_000_000n,
  milliseconds: 1_000_000n,
  microseconds: 1000n,
  nanoseconds: 1n,
} as const;
export type TimeUnit = keyof typeof UNITS;

const SECOND = UNITS.seconds;

/** The number of decimal places of a second in a text: fixed, or the fewest that are needed. */
export const DIGITS = ['no', '3', '6', '9', '0 to 9', '0, 3, 6 or 9'] as const;
export type Digits = (typeof DIGITS)[number];

const MESSAGE = /^(seconds|milliseconds|microseconds|nanoseconds)( since 1970)?$/;
const TEXT = /^RFC 3339 text with (no|\d|0 to 9|0, 3, 6 or 9) digits, (Z|[+-]\d\d:\d\d), as (\w+) since 1970$/;

export const textValue = (digits: Digits, zone: string, unit: TimeUnit): string =>
  `RFC 3339 text with ${digits} digits, ${zone}, as ${unit} since 1970`;

export const times: Conversion = {
  read(change, from, to) {
    const range = RANGES[to.type];
    const nanoseconds = nanosecondsOf(change.value ?? '', from.typeName);
    if (range === undefined || nanoseconds === undefined || (nanoseconds.isText && from.type !== 'string'))
      return undefined;
    const { mapping, unit } = nanoseconds;
    return eachValue(
      change,
      {
        to(value) {
          const whole = mapping.to(value);
          if (whole === undefined || whole % unit !== 0n) return undefined;
          const mapped = integer(whole / unit);
          return mapped >= range[0] && mapped <= range[1] ? mapped : undefined;
        },
        back: (value) => mapping.back(BigInt(value as number | bigint) * unit),
      },
      {
        json: 'unsafe',
        reasons: [{ about: 'json', text: 'A number stands where the time was text.', link: UPDATING_RULES_URL }],
      },
    );
  },
};

interface Nanoseconds {
  readonly to: (value: TreeValue) => bigint | undefined;
  readonly back: (nanoseconds: bigint) => TreeValue;
}

function nanosecondsOf(
  value: string,
  typeName: string | undefined,
): { readonly mapping: Nanoseconds; readonly unit: bigint; readonly isText: boolean } | undefined {
  const [, name] = MESSAGE.exec(value) ?? [];
  if (name !== undefined && (typeName === TIMESTAMP || typeName === DURATION)) {
    return { mapping: messageTime(typeName), unit: UNITS[name as TimeUnit], isText: false };
  }
  const [, digits, zone, unit] = TEXT.exec(value) ?? [];
  if (digits === undefined || zone === undefined || !Object.hasOwn(UNITS, unit!)) return undefined;
  return { mapping: textTime(digits as Digits, zone), unit: UNITS[unit as TimeUnit], isText: true };
}

/** Timestamp: nanos are never negative. Duration: nanos have the sign of the seconds. */
export function messageTime(typeName: string): Nanoseconds {
  const isSigned = typeName === DURATION;
  return {
    to(value) {
      const { fields, unknown } = value as TreeNode;
      const seconds = BigInt((fields.get('seconds')?.[0] as number | bigint | undefined) ?? 0);
      const nanos = (fields.get('nanos')?.[0] as number | undefined) ?? 0;
      const isCut = unknown.length > 0 || Math.abs(nanos) >= 1e9;
      const isOdd = nanos < 0 ? !isSigned || seconds > 0n : isSigned && nanos > 0 && seconds < 0n;
      return isCut || isOdd ? undefined : seconds * SECOND + BigInt(nanos);
    },
    back(nanoseconds) {
      const rest = isSigned ? nanoseconds % SECOND : ((nanoseconds % SECOND) + SECOND) % SECOND;
      const fields = new Map<string, TreeValue[]>();
      if (nanoseconds !== rest) fields.set('seconds', [integer((nanoseconds - rest) / SECOND)]);
      if (rest !== 0n) fields.set('nanos', [Number(rest)]);
      return new TreeNode(typeName, fields);
    },
  };
}

const PARTS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Texts that convert back to the same digits and the same zone. */
export function textTime(digits: Digits, zone: string): Nanoseconds {
  const back = (nanoseconds: bigint): string => {
    const local = nanoseconds + offsetOf(zone);
    const rest = ((local % SECOND) + SECOND) % SECOND;
    const date = new Date(Number((local - rest) / UNITS.milliseconds));
    const whole = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, -5);
    return `${whole}${fraction(String(rest).padStart(9, '0'), digits)}${zone}`;
  };
  return {
    to(value) {
      const text = latin1(value as Uint8Array, 0, (value as Uint8Array).length);
      const [, date, fraction = ''] = PARTS.exec(text) ?? [];
      const milliseconds = date === undefined ? Number.NaN : Date.parse(`${date}Z`);
      if (Number.isNaN(milliseconds)) return undefined;
      const nanoseconds = BigInt(milliseconds) * UNITS.milliseconds + BigInt(fraction.padEnd(9, '0')) - offsetOf(zone);
      return back(nanoseconds) === text ? nanoseconds : undefined;
    },
    back: (nanoseconds) => Uint8Array.from(back(nanoseconds), (letter) => letter.charCodeAt(0)),
  };
}

/** Nanoseconds by which a zone is ahead of UTC. */
function offsetOf(zone: string): bigint {
  if (zone === 'Z') return 0n;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return BigInt(zone.startsWith('-') ? -minutes : minutes) * 60n * SECOND;
}

/** @param nine all nine digits of a second's fraction */
function fraction(nine: string, digits: Digits): string {
  const needed = nine.replace(/0+$/, '').length;
  const width =
    digits === 'no'
      ? 0
      : digits === '0 to 9'
        ? needed
        : digits === '0, 3, 6 or 9'
          ? Math.ceil(needed / 3) * 3
          : Number(digits);
  // Excess digits are cut, so that the text differs from the original and the mapping is rejected.
  const shown = nine.slice(0, width);
  return shown === '' ? '' : `.${shown}`;
}

/** The zone of a text; undefined: not an RFC 3339 date and time. */
export const zoneOf = (value: Uint8Array): string | undefined => PARTS.exec(latin1(value, 0, value.length))?.[3];
