import type { SessionState } from '../session-state.ts';

/** The link that brought the loaded schema; null: it has another source, or was changed since. */
export const schemaLinkOf = ({ schemaLink, schemaFiles, otherFiles }: SessionState): string | null =>
  schemaLink?.files === schemaFiles && (schemaLink.other === null || schemaLink.other === otherFiles)
    ? schemaLink.link
    : null;
