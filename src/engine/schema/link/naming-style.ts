/**
 * Reports names that violate the style of edition 2024, unless `features.enforce_naming_style` disables the check.
 * https://protobuf.dev/programming-guides/style/
 */
import type { EnumDeclaration, FieldDeclaration, FileDeclaration, MessageDeclaration } from '../declaration.ts';
import type { ReportFinding } from '../report.ts';
import type { Span } from '../text/tokens.ts';
import { type Features, featuresOf, fileFeatures } from './features.ts';

const TITLE = [/^[A-Z][A-Za-z0-9]*$/, 'TitleCase'] as const;
/** An underscore is followed by a letter. */
const LOWER = [/^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/, 'lower_snake_case'] as const;
const UPPER = [/^[A-Z][A-Z0-9]*(_[A-Z][A-Z0-9]*)*$/, 'UPPER_SNAKE_CASE'] as const;

interface Named {
  readonly name: string;
  readonly span: Span;
  readonly options: FieldDeclaration['options'];
}

export function checkNamingStyle(file: FileDeclaration, report: ReportFinding): void {
  if (file.syntax.startsWith('proto') || file.syntax === '2023') return;
  const own = fileFeatures(file);

  /** Checks one name. The features of the named element decide whether the style is enforced. */
  const check = (
    thing: string,
    named: Named,
    around: Features,
    [style, words]: typeof TITLE | typeof LOWER | typeof UPPER,
  ) => {
    const features = featuresOf(around, named, file);
    if (features.enforce_naming_style !== 'STYLE_LEGACY' && !style.test(named.name)) {
      const text = `The name of a ${thing} is ${words}; "${named.name}" is not. features.enforce_naming_style = STYLE_LEGACY allows it.`;
      report(file, named.span, 'schema/naming-style', text);
    }
    return features;
  };
  const checkEnum = (declaration: EnumDeclaration, around: Features) => {
    const features = check('enum', declaration, around, TITLE);
    for (const value of declaration.body().values) check('value', value, features, UPPER);
  };
  const checkMessage = (declaration: MessageDeclaration, around: Features) => {
    if (declaration.isMapEntry) return;
    const features = check('message', declaration, around, TITLE);
    const { fields, oneofs } = declaration.body();
    for (const field of [...fields, ...declaration.extensions]) check('field', field, features, LOWER);
    for (const oneof of oneofs) check('oneof', oneof, features, LOWER);
    for (const nested of declaration.messages) checkMessage(nested, features);
    for (const nested of declaration.enums) checkEnum(nested, features);
  };

  for (const part of file.package === '' ? [] : file.package.split('.')) {
    check('package', { name: part, span: file.packageSpan, options: [] }, own, LOWER);
  }
  for (const message of file.messages) checkMessage(message, own);
  for (const enumeration of file.enums) checkEnum(enumeration, own);
  for (const extension of file.extensions) check('field', extension, own, LOWER);
  for (const service of file.services) {
    const features = check('service', service, own, TITLE);
    for (const method of service.body().methods) check('method', method, features, TITLE);
  }
}
