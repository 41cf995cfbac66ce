/** Input of the whole window: dropped files, pasted text, and keys that no control handles. */
import { useLayoutEffect, useState } from 'react';
import { goTo, parsePlace } from '#state/addresses/place.ts';
import { useActions } from '#state/context.tsx';
import { droppedFolders } from '#state/opening/dropped-folder.ts';
import type { Panel } from '#state/view-state.ts';
import { focusPanel, focusPanelAround } from './use-kept-focus.ts';

/** Returns whether files are being dragged over the window. */
export function useWindowInput(showKeys: () => void, share: () => void): boolean {
  const { openFiles, openDropped, openText, goBack, showPanel } = useActions();
  const [dragging, setDragging] = useState(false);

  // The page works as soon as it is visible: files dropped and keys pressed before its effects run are not lost.
  useLayoutEffect(() => {
    const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const onDragOver = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setDragging(false);
      const folders = droppedFolders(event.dataTransfer?.items);
      if (folders === null) void openFiles([...(event.dataTransfer?.files ?? [])]);
      else void openDropped(folders);
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (isWriting(event.target)) return;
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) void openFiles(files);
      else void openText(event.clipboardData?.getData('text/plain') ?? '');
      event.preventDefault();
    };
    const openPanel = (panel: Panel) => (): void => {
      goTo(null);
      showPanel(panel);
      focusPanel(panel);
    };
    const shortcuts: Readonly<Record<string, () => void>> = {
      '?': showKeys,
      l: share,
      i: openPanel('input'),
      s: openPanel('schema'),
      m: openPanel('messages'),
      t: () => goTo({ at: 'schema' }),
      '/': () => document.querySelector<HTMLElement>('input[type="search"]')?.focus(),
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open], :popover-open:not([role="tooltip"])')) return;
      if (event.key === 'Escape') {
        if (isWriting(event.target)) focusPanelAround(event.target);
        else if (leavePlace() || goBack()) event.preventDefault();
        return;
      }
      if (isWriting(event.target) || takesLetters(event.target)) return;
      const act = shortcuts[event.key];
      if (act === undefined) return;
      act();
      event.preventDefault();
    };

    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    window.addEventListener('paste', onPaste);
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
      window.removeEventListener('paste', onPaste);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [openFiles, openDropped, openText, goBack, showPanel, showKeys, share]);

  return dragging;
}

/** Leaves the explorer; false: it was not open. */
function leavePlace(): boolean {
  const isThere = parsePlace(location.hash) !== null;
  goTo(null);
  return isThere;
}

/** The editor receives its keys in an element that is not an input field. */
const isWriting = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, .monaco-editor *'));

/** Typing in a grid filters it. */
const takesLetters = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('[role="treegrid"]');
