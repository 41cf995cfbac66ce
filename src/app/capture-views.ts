/** Views that only captures need, in one chunk loaded when the first capture is opened. */
export { LossNote } from '#views/input/loss-note.tsx';
export { LayersPanel } from '#views/layers/layers-panel.tsx';
export { MessagesPanel } from '#views/messages/messages-panel.tsx';
export { OpaquePane } from '#views/verdict/opaque-pane.tsx';
export { ProfileStrip } from '#views/verdict/profile-strip.tsx';
