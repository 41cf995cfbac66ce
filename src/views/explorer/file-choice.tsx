/** A button to choose files or a folder. Each file comes with the path by which imports would name it. */
import { type ReactNode, useRef } from 'react';
import type { NamedFile } from '#state/opening/dropped-folder.ts';

export function FileChoice({
  label,
  of = 'files',
  look = 'control control-framed',
  onFiles,
  children,
}: {
  /** The label of the choice, for screen readers only. */
  readonly label: string;
  readonly of?: 'files' | 'folder';
  /** Class of the button. */
  readonly look?: string;
  readonly onFiles: (files: readonly NamedFile[]) => void;
  readonly children: ReactNode;
}): ReactNode {
  const input = useRef<HTMLInputElement | null>(null);
  return (
    <>
      <button type="button" className={look} title={label} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={(element) => {
          input.current = element;
          // React has no such property; browsers read this attribute.
          if (of === 'folder') element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        multiple={of === 'files'}
        hidden
        aria-label={label}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          event.target.value = '';
          if (chosen.length > 0) onFiles(chosen.map((file) => ({ path: file.webkitRelativePath || file.name, file })));
        }}
      />
    </>
  );
}
