/** The text of a JSON file → its value. */
import { readJson } from '#engine/encodings/read-json/read-json.ts';
import { Refusal } from '../output/outcome.ts';

/** A byte order mark before it is left out. @param path of the file @throws Refusal with the place of the first fault */
export function parseJson(given: string, path: string): unknown {
  const text = given.replace(/^\ufeff/, '');
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(`${path} is not JSON${firstFault(text)}`);
  }
}

/** `, line 2: A colon is expected here.`; '': our reader accepts what JSON.parse refuses. */
function firstFault(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const [fault] = [...readJson(bytes, undefined).diagnostics].sort((a, b) => a.start - b.start);
  if (fault === undefined) return '';
  const line = new TextDecoder().decode(bytes.subarray(0, fault.start)).split('\n').length;
  return `, line ${line}: ${fault.message}`;
}
