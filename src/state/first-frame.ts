/** The longest wait for a frame, in milliseconds: a page in a background tab draws none. */
const NO_FRAME = 200;

/** Resolves when the page's first frame is drawn; outside a page, at once. Until then the network is left to that frame. */
export const firstFrame: Promise<void> = new Promise((resolve) => {
  if (typeof requestAnimationFrame === 'undefined' || document.hidden) return resolve();
  // A callback runs before its frame is drawn, a timer that it starts after it.
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, NO_FRAME);
});
