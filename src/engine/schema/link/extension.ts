/** An extension's declaration → a field of the message that it extends. */
import type { FieldDescriptor } from '../descriptor.ts';
import type { ReportingLinking } from './contexts.ts';
import type { DeclaredTypes, PlacedExtension } from './declared-types.ts';
import { checkDeclared } from './extension-declarations.ts';
import { linkField } from './field.ts';
import type { Linking } from './linking.ts';
import { isSameField } from './redeclared.ts';
import { checkExtension } from './rules.ts';
import { isType, qualify } from './scope.ts';

/**
 * @param extensions those that are linked, by full name; this one is added
 * @param quietly the context of a declaration that is only compared
 */
export function linkExtension(
  { declaration, scope: parent, file, features }: PlacedExtension,
  { messages }: DeclaredTypes,
  extensions: Map<string, FieldDescriptor>,
  linking: ReportingLinking,
  quietly: () => Linking,
): void {
  const { scope, graph, symbols, report, declare, withOptions } = linking;
  const fullName = qualify(parent, declaration.name);
  const found = scope.resolve(declaration.extendee ?? '', fullName, graph.visibleFrom(file), isType);
  const first = extensions.get(fullName);
  if (first !== undefined && first.file !== file.path && found.kind === 'symbol') {
    const again = linkField(declaration, { parent: first.parent, file, features, extensionName: fullName }, quietly());
    if (again !== undefined && found.symbol.message === first.parent && isSameField(first, again)) {
      scope.declareAlsoIn(file, fullName);
      return;
    }
  }
  if (!declare({ kind: 'extension', fullName, file }, declaration.span, declaration.extent)) return;
  const extended = checkExtension(declaration, found, file, graph, report);
  const target = extended && messages.get(extended.fullName);
  if (target === undefined) return;
  symbols.refer(file, target, declaration.extendeeSpan);
  const linked = linkField(declaration, { parent: target, file, features, extensionName: fullName }, linking);
  if (linked === undefined) return;
  target.extend(linked);
  extensions.set(fullName, linked);
  checkDeclared(linked, target.declaredRanges, declaration.numberSpan, file, report);
  if (declaration.options.length > 0) {
    withOptions((read) => {
      linked.options = read('FieldOptions', declaration.options, file, fullName);
    });
  }
}
