/** Selects and points at fields, rows and messages of the open analysis, and leaves them again. */

import { firstRow, pathAt, rowAddressOf } from '#engine/inspect/row-address.ts';
import { type Encoding, endAt, startAt } from '#engine/model/annotation.ts';
import type { WantedPart } from '#worker/analysis-api.ts';
import type { MessageScope } from '#worker/input-api.ts';
import { isWide } from './is-wide.ts';
import { NO_HOVER, type SessionState } from './session-state.ts';
import { settersOf } from './setters.ts';
import type { AppStore } from './store.ts';
import { isOneMessage, type ViewState } from './view-state.ts';

interface Needs {
  readonly store: AppStore;
  /** Adds up exactly these messages; none: all. */
  readonly chooseMessages: (ordinals: MessageScope['ordinals']) => Promise<void>;
  /** Reads the rows of the selected message, or of a part of it. */
  readonly inspectAgain: (part?: WantedPart) => Promise<void>;
}

export function selectionActions({ store, chooseMessages, inspectAgain }: Needs) {
  const session = (): SessionState => store.getState().session;
  const view = (): ViewState => store.getState().view;
  const { setSession, setView, setSelection } = settersOf(store);

  return {
    /** Selects a field, from the table or a chart, and its first row in the message. */
    selectPath(path: string | null): void {
      const { inspection } = session();
      const row = path === null || !inspection ? null : firstRow(inspection, path);
      setSelection({ path, row });
      // Another part of a large message may hold it.
      if (path !== null && row === null && inspection?.part !== undefined) void inspectAgain();
    },

    /** Selects a row, from a hex view or a tree. */
    selectRow(encoding: 'protobuf' | 'native', row: number): void {
      const side = session().inspection?.[encoding];
      if (!side || row < 0) return;
      setSelection({ path: pathAt(side, row) || null, row: rowAddressOf(encoding, side, row) });
    },

    selectMessage(ordinal: number): void {
      if (ordinal === view().selection.ordinal && session().inspection?.ordinal === ordinal) return;
      setSelection({ ordinal, row: null });
      // If exactly one message is added up, that message is shown.
      if (isOneMessage(view().scope)) void chooseMessages([[ordinal, ordinal + 1]]);
      else void inspectAgain();
    },

    /** @param part index of a part of the shown message, which is too large to be shown at once */
    selectPart(part: number): void {
      setSelection({ row: null });
      void inspectAgain(part);
    },

    /**
     * Selects a span of a message, from a finding: the innermost row that holds its first byte.
     * @param of the side that it lies in; the captured one by default
     */
    async selectSpan(ordinal: number, start: number, of?: Encoding): Promise<void> {
      const isShown = (): boolean => session().inspection?.ordinal === ordinal && view().selection.ordinal === ordinal;
      if (!isShown()) {
        setSelection({ ordinal, row: null });
        await inspectAgain();
        // Another message was selected meanwhile.
        if (!isShown()) return;
      }
      const shown = session().inspection?.part;
      if (shown !== undefined && (start < shown.start || start >= shown.end)) {
        setSelection({ row: null });
        await inspectAgain({ offset: start });
        if (!isShown()) return;
      }
      const { inspection } = session();
      if (inspection === null) return;
      const encoding = of ?? inspection.captured;
      const side = inspection[encoding] ?? inspection.protobuf;
      const { table } = side;
      // A finding about missing bytes is positioned after the last byte: the last byte is selected.
      const offset = Math.min(start - (inspection.part?.start ?? 0), side.bytes.length - 1);
      let found = 0;
      for (let row = 0; row < table.length && startAt(table, row) <= offset; row++) {
        if (endAt(table, row) > offset) found = row;
      }
      // The panel with the finding hides the bytes if one panel is shown at a time.
      if (!isWide()) setView({ panel: 'bytes' });
      setSelection({ path: pathAt(side, found) || null, row: rowAddressOf(encoding, side, found) });
    },

    selectCause: (cause: ViewState['cause']): void => setView({ cause }),

    hoverPath(path: string | null): void {
      if (session().hover.path !== path || session().hover.row) setSession({ hover: { path, row: null } });
    },

    hoverRow(encoding: 'protobuf' | 'native', row: number | null): void {
      const side = session().inspection?.[encoding];
      if (!side || row === null || row < 0) setSession({ hover: NO_HOVER });
      else setSession({ hover: { path: pathAt(side, row) || null, row: rowAddressOf(encoding, side, row) } });
    },

    /** Escape: leaves the innermost selection. false: there was nothing to leave. */
    goBack(): boolean {
      const { selection, cause, root, panel, scope } = view();
      if (session().failure) setSession({ failure: null });
      else if (selection.path !== null || selection.row) setSelection({ path: null, row: null });
      else if (cause) setView({ cause: null });
      else if (root !== null) setView({ root: parentPath(root) });
      else if (isOneMessage(scope)) void chooseMessages([]);
      else if (panel !== 'costs' && session().input) setView({ panel: 'costs' });
      else return false;
      return true;
    },
  };
}

/** null: the whole. Dots within brackets belong to the name of an extension. */
const parentPath = (path: string): string | null => path.replace(/\.?(\[[^\]]*\]|[^.]*)$/, '') || null;
