/**
 * Faults of a message, as sentences. At most 1,000 findings of each severity are kept, so that hostile input cannot
 * fill the memory; one more finding counts the omitted ones.
 *
 * An error is at the place where a strict parser, reading from left to right, would stop. Warnings and notes are about
 * bytes that the wire format allows and the schema does not.
 */
import { WIRE_TYPE_NAMES } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';

/** By Fault. */
const FAULTS: readonly (readonly [code: string, message: string])[] = [
  ['', ''],
  [
    'wire/reserved-wire-type',
    'The tag has wire type 6 or 7, which protobuf does not define. The rest of the enclosing message cannot be read.',
  ],
  [
    'wire/field-number',
    'The tag has a field number outside 1 to 536,870,911. The rest of the enclosing message cannot be read.',
  ],
  ['wire/truncated-tag', 'The enclosing message ends within a tag.'],
  ['wire/overflow-tag', 'A tag does not fit 64 bits. The rest of the enclosing message cannot be read.'],
  ['wire/truncated-value', 'The enclosing message ends within a varint value.'],
  ['wire/overflow-value', 'A varint value does not fit 64 bits. The rest of the enclosing message cannot be read.'],
  ['wire/truncated-length', 'The enclosing message ends within a length.'],
  ['wire/overflow-length', 'A length does not fit 64 bits. The rest of the enclosing message cannot be read.'],
  ['wire/truncated-fixed', 'The enclosing message ends within a value of 4 or 8 fixed bytes.'],
  ['wire/length-past-end', 'A length reaches beyond the end of the enclosing message.'],
  [
    'wire/unexpected-end-group',
    'A group ends here that was not begun. The rest of the enclosing message cannot be read.',
  ],
  [
    'wire/mismatched-end-group',
    'The end tag of another group than the one that is open. The rest of the enclosing message cannot be read.',
  ],
  ['wire/unended-group', 'The enclosing message ends here, but a group in it is still open.'],
  [
    'wire/malformed-packed',
    'A packed element that does not end within its run, or does not fit 64 bits. The run cannot be read.',
  ],
];

const MOST = 1000;
type Severity = Diagnostic['severity'];

export class Findings {
  readonly #kept: Diagnostic[] = [];
  readonly #counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  readonly #unknownNumbers = new Map<MessageDescriptor, Set<number>>();
  readonly #ordinal: { readonly ordinal?: number };

  constructor(ordinal: number | undefined) {
    this.#ordinal = ordinal === undefined ? {} : { ordinal };
  }

  /** `[start, end)`: the tag, length, value or packed element at which a strict parser stops. */
  fault(fault: number, start: number, end: number): void {
    const [code, message] = FAULTS[fault]!;
    this.#add('error', code, start, end, message);
  }

  mismatch(field: FieldDescriptor | undefined, wireType: number, start: number, end: number): void {
    if (++this.#counts.warning > MOST) return;
    const name = field === undefined ? 'The field' : `Field ${field.name} (${field.type})`;
    const message = `${name} cannot be written as ${WIRE_TYPE_NAMES[wireType]}: kept as unknown. The schema may not be the writer’s.`;
    this.#keep('warning', 'wire/mismatch', start, end, message);
  }

  /** `at`: the first byte that is not UTF-8. */
  invalidUtf8(field: FieldDescriptor | undefined, at: number, end: number): void {
    if (++this.#counts.warning > MOST) return;
    const message = `The text of ${field?.name ?? 'a field'} is not valid UTF-8. Declared as bytes, it would be.`;
    this.#keep('warning', 'wire/invalid-utf8', at, end, message);
  }

  /** Reported once for each message type and number. */
  unknown(type: MessageDescriptor, number: number, start: number, end: number): void {
    if (this.#counts.info >= MOST) return;
    let numbers = this.#unknownNumbers.get(type);
    if (numbers === undefined) {
      numbers = new Set();
      this.#unknownNumbers.set(type, numbers);
    }
    if (numbers.has(number)) return;
    numbers.add(number);
    this.#add('info', 'wire/unknown-field', start, end, `${type.fullName} has no field ${number}: kept as unknown.`);
  }

  list(): readonly Diagnostic[] {
    for (const severity of ['error', 'warning'] as const) {
      const more = this.#counts[severity] - MOST;
      if (more <= 0) continue;
      const last = this.#kept.findLast((finding) => finding.severity === severity)!;
      this.#keep(severity, 'wire/more', last.end, last.end, `${more} more findings like these are not listed.`);
    }
    return this.#kept;
  }

  #add(severity: Severity, code: string, start: number, end: number, message: string): void {
    if (++this.#counts[severity] <= MOST) this.#keep(severity, code, start, end, message);
  }

  #keep(severity: Severity, code: string, start: number, end: number, message: string): void {
    this.#kept.push({ code, severity, message, space: 'message', start, end, ...this.#ordinal });
  }
}
