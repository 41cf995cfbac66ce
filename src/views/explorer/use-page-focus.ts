/**
 * A link disappears with its page. The focus moves to the new page, so that keyboard and screen reader continue there.
 */
import { type RefObject, useEffect } from 'react';

export function usePageFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = page.current;
    if (element === null) return;
    let wasInside = false;
    const onFocus = (): void => {
      wasInside = element.contains(document.activeElement);
    };
    const changes = new MutationObserver(() => {
      if (wasInside && document.activeElement === document.body) element.focus({ preventScroll: true });
    });
    changes.observe(element, { childList: true, subtree: true });
    document.addEventListener('focusin', onFocus);
    return () => {
      changes.disconnect();
      document.removeEventListener('focusin', onFocus);
    };
  }, [page]);
}
