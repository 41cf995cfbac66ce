/** A note that the browser refuses to keep the user's schema files. */

import type { ReactNode } from 'react';
import { useApp } from '#state/context.tsx';
import { SCHEMA_NOTES } from '#wording/schema-notes.ts';

export function SchemaKeptNote(): ReactNode {
  const isLost = useApp(({ session }) => !session.isSchemaKept && (session.setAside ?? session.schemaFiles).length > 0);
  if (!isLost) return null;
  return (
    <p className="px-3 py-1 text-ink-muted" role="status">
      {SCHEMA_NOTES.noStorage}
    </p>
  );
}
