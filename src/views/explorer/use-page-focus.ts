/**
 * A link goes away with the page it stood on. The focus goes to what came instead, so that a keyboard goes on there and a
 * screen reader says where it is.
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
