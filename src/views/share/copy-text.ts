/**
 * Text into the clipboard → whether it is there. Over plain http, as on hosts of an intranet, browsers have no
 * `navigator.clipboard`, and a policy of theirs may refuse it: then a selection is copied, as the key would.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

export const COPY_REFUSED = 'The browser does not let this page copy.';

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
