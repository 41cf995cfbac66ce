/** An edited .proto file as a change. Links carry it, and it can be undone and redone like other changes. */
import { applyUnifiedDiff } from '../schema/edit/unified-diff.ts';
import { ImpossibleChange } from './change.ts';

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface EditedText {
  readonly change: 'edited text';
  readonly file: string;
  /** A unified diff from the loaded file, line by line. */
  readonly diff: readonly string[];
}

/** Splits a list into edits of files and the changes that follow them. @throws ImpossibleChange */
export function splitEdits(changes: readonly unknown[]): {
  readonly edits: readonly EditedText[];
  readonly others: readonly unknown[];
} {
  const edits: EditedText[] = [];
  const others: unknown[] = [];
  for (const one of changes) {
    const { change, file, diff } = (one ?? {}) as Readonly<Record<string, unknown>>;
    if (change !== 'edited text') others.push(one);
    else if (typeof file === 'string' && Array.isArray(diff) && diff.every((line) => typeof line === 'string')) {
      edits.push({ change, file, diff });
    } else throw new ImpossibleChange('The change "edited text" needs file, diff');
  }
  return { edits, others };
}

/** @throws ImpossibleChange if a file differs from the one that was edited */
export function withEdits(files: readonly TextFile[], edits: readonly EditedText[]): readonly TextFile[] {
  for (const { file } of edits) {
    if (!files.some(({ path }) => path === file)) throw new ImpossibleChange(`There is no file ${file} to be edited`);
  }
  return files.map(({ path, text }) => {
    const edit = edits.find(({ file }) => file === path);
    const edited = edit === undefined ? text : applyUnifiedDiff(text, edit.diff);
    if (edited === undefined) throw new ImpossibleChange(`${path} is not the file that was edited`);
    return { path, text: edited };
  });
}
