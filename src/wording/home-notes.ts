/** Sentences of the home page. */
import { plural } from '#engine/model/count-text.ts';

export const HOME_NOTES = {
  question: 'What every field of a message costs',
  drop: 'Drop a packet capture or a message, with its schema or without. See where the bytes go, what another encoding would take, and what changes from one version to the next.',
  local: 'Everything stays in this browser. Nothing is uploaded.',
  example: 'A trace of OpenTelemetry. A cell is as wide as its bytes; its strip is what the field pays itself.',
  table: 'The analysis has the same fields as a table.',
  samplePair: 'Prometheus: remote write 1.0 against 2.0, as A and B',
  sampleTwice: 'The same value, twice',
  openAtField: 'Open it at this field',
} as const;

/** The way to the loaded schema, and what is next. @param errors of all files */
export function loadedSchema(files: number, errors: number): readonly [link: string, next: string] {
  const those = files === 1 ? 'One schema file' : plural(files, 'schema file');
  return errors === 0
    ? [`${those} ${files === 1 ? 'is' : 'are'} loaded`, '; now open a message.']
    : [`${those} ${files === 1 ? 'has' : 'have'} ${plural(errors, 'error')}`, '; types that they touch are not used.'];
}
