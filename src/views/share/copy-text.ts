/**
 * Text into the clipboard → whether it is there. Over plain http, as on hosts of an intranet, browsers have no
 * `navigator.clipboard`, and a policy of theirs may refuse it: then a selection is copied, as the key would.
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
