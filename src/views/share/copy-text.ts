/**
 * Copies text to the clipboard → whether it succeeded. Over plain http, as in an intranet, browsers have no
 * `navigator.clipboard`, and a policy may forbid it. Then a selection is copied, as by the copy key.
 */
import { SHARE_NOTES } from '#wording/share-notes.ts';

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

export const COPY_REFUSED = SHARE_NOTES.noClipboard;

function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  // Outside an open dialog nothing can be selected.
  (document.querySelector('dialog:modal') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
