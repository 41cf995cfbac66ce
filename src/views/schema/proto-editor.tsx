/** Monaco with the parts a .proto file needs. The only importer of it; loaded on demand. */
import { editor, languages, MarkerSeverity } from 'monaco-editor/editor/editor.api.js';
import 'monaco-editor/features/bracketMatching/register.js';
import 'monaco-editor/features/clipboard/register.js';
import 'monaco-editor/features/comment/register.js';
import 'monaco-editor/features/documentSymbols/register.js';
import 'monaco-editor/features/find/register.js';
import 'monaco-editor/features/folding/register.js';
import 'monaco-editor/features/gotoError/register.js';
import 'monaco-editor/features/gotoSymbol/register.js';
import 'monaco-editor/features/hover/register.js';
import 'monaco-editor/features/quickOutline/register.js';
import 'monaco-editor/features/referenceSearch/register.js';
// The part of the feature "suggest" that offers completions; its register.js has another part.
import 'monaco-editor/editor/contrib/suggest/browser/suggestController.js';
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker&inline';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { SCHEMA_PANEL_NOTES } from '#wording/schema-panel-notes.ts';
import { PROTO_EDITING, PROTO_GRAMMAR } from './proto-grammar.ts';
import { type LanguageService, serveLanguage, uriOf } from './proto-language.ts';

declare global {
  interface Window {
    MonacoEnvironment?: { readonly getWorker: () => Worker };
  }
}
window.MonacoEnvironment = { getWorker: () => new EditorWorker() };

languages.register({ id: 'proto', extensions: ['.proto'] });
languages.setMonarchTokensProvider('proto', PROTO_GRAMMAR);
languages.setLanguageConfiguration('proto', PROTO_EDITING);

/** Monaco wants plain hex colours: those of colors.css, in the order of ROLES. */
const ROLES = ['ground', 'ink', 'comment', 'keyword', 'type', 'string', 'number', 'annotation'] as const;
const PALETTES = {
  'wirecost-light': ['vs', 'ffffff', '191c20', '59616b', '0f56c4', '06563d', 'a84c0e', '63238a', '59616b'],
  'wirecost-dark': ['vs-dark', '14171b', 'e4e7eb', 'a0a8b3', '82b4ff', '7fd09a', 'f2a06a', 'd3a5f7', 'a0a8b3'],
} as const;

for (const [name, [base, ...colors]] of Object.entries(PALETTES)) {
  const colorOf = (role: (typeof ROLES)[number]): string => colors[ROLES.indexOf(role)]!;
  editor.defineTheme(name, {
    base,
    inherit: true,
    rules: [
      { token: '', foreground: colorOf('ink') },
      { token: 'comment', foreground: colorOf('comment'), fontStyle: 'italic' },
      { token: 'keyword', foreground: colorOf('keyword') },
      { token: 'type.identifier', foreground: colorOf('type') },
      { token: 'string', foreground: colorOf('string') },
      { token: 'string.escape', foreground: colorOf('number') },
      { token: 'number', foreground: colorOf('number') },
      { token: 'annotation', foreground: colorOf('annotation') },
    ],
    colors: {
      'editor.background': `#${colorOf('ground')}`,
      'editor.foreground': `#${colorOf('ink')}`,
      'editorGutter.background': `#${colorOf('ground')}`,
      'editorLineNumber.foreground': `#${colorOf('comment')}`,
      'editorLineNumber.activeForeground': `#${colorOf('ink')}`,
      focusBorder: '#00000000',
    },
  });
}

/** Characters of a text beyond which Monaco's brackets take longer than a frame. */
const LARGE = 200_000;

const SEVERITIES: Readonly<Record<Diagnostic['severity'], MarkerSeverity>> = {
  error: MarkerSeverity.Error,
  warning: MarkerSeverity.Warning,
  info: MarkerSeverity.Info,
};

/** Monaco rejects what it has not finished when a widget closes. That is not a fault. */
function acceptCancel(event: PromiseRejectionEvent): void {
  if (event.reason instanceof Error && event.reason.name === 'Canceled') event.preventDefault();
}

export function ProtoEditor({
  path,
  text,
  diagnostics,
  at,
  isReadOnly,
  language,
  onEdit,
}: {
  readonly path: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The position to scroll to, once. */
  readonly at: { readonly line: number; readonly column: number } | null;
  readonly isReadOnly: boolean;
  /** null: a text that the schema does not have. */
  readonly language: LanguageService | null;
  readonly onEdit: (path: string, text: string) => void;
}): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const instance = useRef<editor.IStandaloneCodeEditor | null>(null);
  /** Cursor and scroll position of files that were shown before. */
  const views = useRef(new Map<string, editor.ICodeEditorViewState | null>());
  const edit = useRef(onEdit);
  edit.current = onEdit;
  const dark = useSyncExternalStore(watchScheme, isDark);

  useLayoutEffect(() => {
    const created = editor.create(host.current!, {
      model: null,
      automaticLayout: true,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono'),
      fontSize: 12,
      lineHeight: 20,
      minimap: { enabled: false },
      overviewRulerLanes: 0,
      scrollBeyondLastLine: false,
      renderLineHighlight: 'none',
      lineNumbersMinChars: 3,
      padding: { top: 8 },
      fixedOverflowWidgets: true,
      tabFocusMode: false,
      ariaLabel: SCHEMA_PANEL_NOTES.editor,
      smoothScrolling: false,
    });
    instance.current = created;
    addEventListener('unhandledrejection', acceptCancel);
    // If a part appears below and takes height, the cursor stays visible.
    created.onDidLayoutChange(() => {
      const caret = created.getPosition();
      if (caret && created.hasTextFocus()) created.revealPosition(caret);
    });
    return () => {
      removeEventListener('unhandledrejection', acceptCancel);
      created.dispose();
      for (const model of editor.getModels()) model.dispose();
    };
  }, []);

  // A layout effect: a key press before a later effect would get no answer.
  useLayoutEffect(() => {
    serveLanguage(language);
    return () => serveLanguage(null);
  }, [language]);

  useEffect(() => instance.current?.updateOptions({ readOnly: isReadOnly, domReadOnly: isReadOnly }), [isReadOnly]);

  useEffect(() => editor.setTheme(dark ? 'wirecost-dark' : 'wirecost-light'), [dark]);

  // A layout effect: a later effect would overwrite a key press with the earlier text.
  useLayoutEffect(() => {
    const uri = uriOf(path);
    const model = editor.getModel(uri) ?? editor.createModel(text, 'proto', uri);
    // Bracket colours need a scan of the whole text, and one of the colours is too faint on white.
    model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
    if (model.getValue() !== text) model.setValue(text);
    const shown = instance.current;
    // Matching a bracket scans the whole text.
    shown?.updateOptions({ matchBrackets: text.length > LARGE ? 'never' : 'always' });
    if (shown && shown.getModel() !== model) {
      const left = shown.getModel();
      if (left) views.current.set(left.uri.path, shown.saveViewState());
      shown.setModel(model);
      shown.restoreViewState(views.current.get(uri.path) ?? null);
    }
    const listening = model.onDidChangeContent(() => edit.current(path, model.getValue()));
    return () => listening.dispose();
  }, [path, text]);

  useEffect(() => {
    // A fault of this file, which is already shown.
    void path;
    if (!at) return;
    const position = { lineNumber: at.line, column: at.column };
    instance.current?.setPosition(position);
    instance.current?.revealPositionInCenterIfOutsideViewport(position);
    instance.current?.focus();
  }, [at, path]);

  useEffect(() => {
    const model = editor.getModels().find((candidate) => candidate.uri.path === `/${path}`);
    if (!model) return;
    editor.setModelMarkers(
      model,
      'schema',
      diagnostics.map(({ severity, message, start, end, line, column }) => {
        const from = { lineNumber: line ?? 1, column: column ?? 1 };
        const to = model.getPositionAt(model.getOffsetAt(from) + Math.max(1, end - start));
        return {
          severity: SEVERITIES[severity],
          message,
          startLineNumber: from.lineNumber,
          startColumn: from.column,
          endLineNumber: to.lineNumber,
          endColumn: to.column,
        };
      }),
    );
  }, [diagnostics, path]);

  return <div ref={host} className="h-full" />;
}

/** The active scheme: the chosen theme, or the system's. */
const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
};

function watchScheme(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', changed);
    observer.disconnect();
  };
}
