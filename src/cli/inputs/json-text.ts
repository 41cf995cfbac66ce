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

/** The line, from 1, of the member of this path; of the nearest one around it, if the text does not have it. */
export function lineOfMember(text: string, path: readonly string[]): number {
  /** Names of the members around a place, the innermost last; null: none yet. */
  const around: (string | null)[] = [];
  let [depth, index] = [0, 0];
  for (const { 0: token, 1: name, index: at } of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') around.push(null);
    else if (token === '}' || token === ']') around.pop();
    if (name === undefined) continue;
    around[around.length - 1] = JSON.parse(name);
    const isOnPath = around.length <= path.length && around.every((one, level) => one === path[level]);
    if (isOnPath && around.length > depth) [depth, index] = [around.length, at];
  }
  return text.slice(0, index).split('\n').length;
}

/** `, line 2: A colon is expected here.`; '': our reader accepts what JSON.parse refuses. */
function firstFault(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const [fault] = [...readJson(bytes, undefined).diagnostics].sort((a, b) => a.start - b.start);
  if (fault === undefined) return '';
  const line = new TextDecoder().decode(bytes.subarray(0, fault.start)).split('\n').length;
  return `, line ${line}: ${fault.message}`;
}
