/**
 * Monaco's language features for .proto text. Each question goes to the worker with a file and an offset; each answer
 * is converted to Monaco's form. Registered once, when the editor is first loaded; `serveLanguage` sets the service.
 */
import {
  type CancellationToken,
  editor,
  type IRange,
  languages,
  type Position,
  Uri,
} from 'monaco-editor/editor/editor.api.js';
import { unwrapped } from '#engine/explore/comment-text.ts';
import type { Ask, Completion, OutlineEntry, TextSpan } from '#state/explore.ts';

export interface LanguageService {
  readonly ask: Ask;
  /** The native profile, for the native cost of a field. */
  readonly native: () => {
    readonly nativeProfile: string | null;
    readonly overrides: Readonly<Record<string, string>>;
  };
  /** null: no text of that path is loaded. */
  readonly textOf: (path: string) => Promise<string | null>;
  readonly open: (path: string, line: number, column: number) => void;
}

/** The maximum of uses that are returned. */
const MAX_REFERENCES = 500;
const MAX_OPENED = 50;
const MAX_PRINTED = 20;

let service: LanguageService | null = null;

export const serveLanguage = (by: LanguageService | null): void => {
  service = by;
};

export const uriOf = (path: string): Uri => Uri.from({ scheme: 'schema', path: `/${path}` });
const pathOf = (uri: Uri): string => uri.path.slice(1);

type Model = editor.ITextModel;

/** Answers `none` if there is no worker, or if the question was withdrawn. */
async function answerTo<T, N>(
  token: CancellationToken,
  none: N,
  question: (by: LanguageService, signal: AbortSignal) => Promise<{ readonly answer: T } | null>,
): Promise<T | N> {
  if (!service) return none;
  const stop = new AbortController();
  const listening = token.onCancellationRequested(() => stop.abort());
  const found = await question(service, stop.signal);
  listening.dispose();
  return found ? found.answer : none;
}

const placeIn = (model: Model, position: Position) => ({
  file: pathOf(model.uri),
  offset: model.getOffsetAt(position),
});

const rangeAt = (model: Model, start: number, end: number): IRange => {
  const from = model.getPositionAt(start);
  const to = model.getPositionAt(end);
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  };
};

/** A name never spans lines. */
const locationOf = ({ file, line, column, start, end }: TextSpan): languages.Location => ({
  uri: uriOf(file),
  range: { startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: column + end - start },
});

/** Monaco shows a place only in a model that it has. Places in files whose text is not loaded are left out. */
async function openable(places: readonly TextSpan[]): Promise<languages.Location[]> {
  const opened = new Map<string, boolean>();
  for (const { file } of places) {
    if (opened.has(file)) continue;
    const isThere = editor.getModel(uriOf(file)) !== null;
    const text = isThere || opened.size > MAX_OPENED ? null : await service?.textOf(file);
    if (typeof text === 'string' && !editor.getModel(uriOf(file))) editor.createModel(text, 'proto', uriOf(file));
    opened.set(file, isThere || typeof text === 'string');
  }
  return places.filter(({ file }) => opened.get(file)).map(locationOf);
}

/** A descriptor without text is printed, so that a link has a target. */
async function placeAround(model: Model, position: Position, token: CancellationToken, users: number): Promise<void> {
  const params = { ...placeIn(model, position), users };
  const files = await answerTo(token, [], ({ ask }, signal) => ask('unplacedFiles', params, signal));
  for (const path of files) await service?.textOf(path);
}

languages.registerHoverProvider('proto', {
  async provideHover(model, position, token) {
    const hover = await answerTo(token, null, ({ ask, native }, signal) =>
      ask('hoverAt', { ...placeIn(model, position), ...native() }, signal),
    );
    if (!hover) return null;
    const { title, facts, comment, start, end } = hover;
    return {
      range: rangeAt(model, start, end),
      contents: [
        { value: `\`\`\`proto\n${title}\n\`\`\`` },
        { value: facts.map(escapeMarkdown).join('  \n') },
        ...(comment === null ? [] : [{ value: escapeMarkdown(unwrapped(comment)).replaceAll('\n', '  \n') }]),
      ],
    };
  },
});

languages.registerDefinitionProvider('proto', {
  async provideDefinition(model, position, token) {
    await placeAround(model, position, token, 0);
    const place = await answerTo(token, null, ({ ask }, signal) =>
      ask('definitionAt', placeIn(model, position), signal),
    );
    return place ? openable([place]) : null;
  },
});

languages.registerReferenceProvider('proto', {
  async provideReferences(model, position, _, token) {
    await placeAround(model, position, token, MAX_PRINTED);
    const params = { ...placeIn(model, position), limit: MAX_REFERENCES };
    return openable(await answerTo(token, [], ({ ask }, signal) => ask('referencesAt', params, signal)));
  },
});

languages.registerDocumentSymbolProvider('proto', {
  async provideDocumentSymbols(model, token) {
    const file = pathOf(model.uri);
    const entries = await answerTo(token, [], ({ ask }, signal) => ask('outlineOf', { file }, signal));
    return nest(model, entries);
  },
});

languages.registerCompletionItemProvider('proto', {
  triggerCharacters: ['.', '(', '"', '['],
  async provideCompletionItems(model, position, _, token) {
    const before = model.getValueInRange({
      startLineNumber: 1,
      startColumn: 1,
      endLineNumber: position.lineNumber,
      endColumn: position.column,
    });
    const found = await answerTo(token, [], ({ ask }, signal) => ask('completionsAt', { before }, signal));
    const isPath = found[0]?.kind === 'file';
    const written = (isPath ? /[^"']*$/ : /\(?[\w.]*$/).exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? '';
    const range = {
      startLineNumber: position.lineNumber,
      startColumn: position.column - written.length,
      endLineNumber: position.lineNumber,
      endColumn: position.column,
    };
    return {
      // Types are searched by the typed letters: more letters may find others.
      incomplete: true,
      suggestions: found.map(({ label, kind, detail }, index) => ({
        label,
        kind: KINDS[kind],
        detail,
        insertText: label,
        filterText: label,
        sortText: String(index).padStart(5, '0'),
        range,
      })),
    };
  },
});

editor.registerEditorOpener({
  openCodeEditor(source, resource, selection) {
    if (!service || resource.scheme !== 'schema' || source.getModel()?.uri.path === resource.path) return false;
    const at =
      selection &&
      ('lineNumber' in selection
        ? selection
        : { lineNumber: selection.startLineNumber, column: selection.startColumn });
    service.open(pathOf(resource), at?.lineNumber ?? 1, at?.column ?? 1);
    return true;
  },
});

const KINDS: Readonly<Record<Completion['kind'], languages.CompletionItemKind>> = {
  message: languages.CompletionItemKind.Class,
  enum: languages.CompletionItemKind.Enum,
  scalar: languages.CompletionItemKind.Struct,
  option: languages.CompletionItemKind.Property,
  keyword: languages.CompletionItemKind.Keyword,
  file: languages.CompletionItemKind.File,
  value: languages.CompletionItemKind.EnumMember,
};

const SYMBOLS: Readonly<Record<OutlineEntry['kind'], languages.SymbolKind>> = {
  file: languages.SymbolKind.File,
  message: languages.SymbolKind.Class,
  enum: languages.SymbolKind.Enum,
  value: languages.SymbolKind.EnumMember,
  field: languages.SymbolKind.Field,
  oneof: languages.SymbolKind.Struct,
  extension: languages.SymbolKind.Field,
  service: languages.SymbolKind.Interface,
  method: languages.SymbolKind.Method,
};

/** Declarations come in the order of the text: one inside of another is its child. */
function nest(model: Model, entries: readonly OutlineEntry[]): languages.DocumentSymbol[] {
  const roots: languages.DocumentSymbol[] = [];
  const open: { readonly end: number; readonly symbol: languages.DocumentSymbol }[] = [];
  for (const { kind, name, start, end, extentStart, extentEnd } of entries) {
    while (open.length > 0 && open.at(-1)!.end <= extentStart) open.pop();
    const symbol: languages.DocumentSymbol = {
      name,
      detail: kind,
      kind: SYMBOLS[kind],
      tags: [],
      range: rangeAt(model, extentStart, extentEnd),
      selectionRange: rangeAt(model, start, end),
      children: [],
    };
    (open.at(-1)?.symbol.children ?? roots).push(symbol);
    open.push({ end: extentEnd, symbol });
  }
  return roots;
}

/** Text of a schema is not markup. */
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!<>|~]/g, '\\$&');
