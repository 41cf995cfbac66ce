/** The longest wait for a frame, in milliseconds: a page in a background tab draws none. */
const NO_FRAME = 200;

let settle!: () => void;

/** Resolves when the page's first frame is drawn; outside a page, at once. Until then the network is left to that frame. */
export const firstFrame: Promise<void> = new Promise((resolve) => {
  settle = resolve;
  if (typeof requestAnimationFrame === 'undefined' || document.hidden) resolve();
});

/** To be called when the page has its first contents. */
export function awaitFirstFrame(): void {
  // A callback runs before its frame is drawn, a timer that it starts after it.
  requestAnimationFrame(() => setTimeout(settle));
  setTimeout(settle, NO_FRAME);
}
