/**
 * Requests of `_bulk` and `_msearch` as files: documents, each after its action line. Action lines, line ends and the
 * lines of a console before them (`POST /_bulk`, comments) are framing. Few files have them, so `action-framer.ts` is
 * loaded when a file begins as they do.
 */
import { latin1 } from '../../bytes/latin1.ts';
import { needed } from '../../model/needed-file.ts';
import type { ActionForm } from '../transport/action-lines.ts';
import type { Framing } from './framing.ts';

/** May follow a byte order mark. */
const BEGINNING =
  /^(?:\xef\xbb\xbf)?\s*(?:(?:#|\/\/|(?:POST|PUT|GET) )[^\n]*\n\s*)*\{\s*(?:\}|"(?:index|create|update|delete|search_type|preference|ignore_unavailable)"\s*:)/;

let framer: typeof import('./action-framer.ts') | null = null;
const load = async (): Promise<void> => {
  framer ??= await needed(() => import('./action-framer.ts'));
};

const NO_ACTIONS = { score: 0, reason: 'no action lines' };

const begins = (head: Uint8Array): boolean => BEGINNING.test(latin1(head.subarray(0, 512)));

/** Loads what judges an input that begins so. Without it, no input has action lines. */
export const loadActions = async (head: Uint8Array): Promise<void> => (begins(head) ? load() : undefined);

const framingOf = (id: ActionForm, label: string): Framing => ({
  id,
  label,
  sniff: (head, size) => (begins(head) && framer?.sniffActions(id, head, size)) || NO_ACTIONS,
  load,
  create: (size) => framer!.createActions(id, size),
});

export const ACTIONS: readonly Framing[] = [
  framingOf('bulk', 'Documents of _bulk'),
  framingOf('msearch', 'Searches of _msearch'),
];
