/** Schema text that is pasted or begun has no name of its own: a path for it. */
import type { SchemaFile } from '#worker/schema-api.ts';

/** The path of the pasted file that the text is a new version of, or a new one. */
export const pathOfPasted = (text: string, files: readonly SchemaFile[]): string =>
  files.find((file) => isNewerOf(text, file))?.path ?? freshPath(files);

/** Whether `text` is a new version of a pasted file: the same package, and a type of the same name. */
function isNewerOf(text: string, { path, content }: SchemaFile): boolean {
  if (typeof content !== 'string' || !/^schema(-\d+)?\.proto$/.test(path)) return false;
  const [now, before] = [declaredNames(text), declaredNames(content)];
  return now.packageName === before.packageName && now.types.some((type) => before.types.includes(type));
}

/**
 * Comments and string literals, which are skipped; braces; and declarations. A comment that is not closed extends to the
 * end, a string to the end of its line: no character is read again for the next one.
 */
const DECLARATION =
  /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[{}]|\bpackage\s+([\w.]+)|\b(?:message|enum|service)\s+(\w+)/g;

/** The package, and the types that are nested in no other. */
function declaredNames(text: string): { readonly packageName: string; readonly types: readonly string[] } {
  let packageName = '';
  const types: string[] = [];
  let depth = 0;
  for (const [found, packaged, declared] of text.matchAll(DECLARATION)) {
    if (found === '{') depth++;
    else if (found === '}') depth--;
    else if (depth === 0 && packaged !== undefined) packageName = packaged;
    else if (depth === 0 && declared !== undefined) types.push(declared);
  }
  return { packageName, types };
}

/** The path of a new file. */
export function freshPath(files: readonly SchemaFile[]): string {
  for (let number = 1; ; number++) {
    const path = number === 1 ? 'schema.proto' : `schema-${number}.proto`;
    if (!files.some((file) => file.path === path)) return path;
  }
}
