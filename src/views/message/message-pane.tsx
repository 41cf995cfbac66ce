/** One message, as bytes or as a tree, in both encodings, with the shared selection. */

import { type ReactNode, Suspense, useDeferredValue, useMemo, useState } from 'react';
import { createSayValue } from '#charts/row-value.ts';
import { type Profile, sumCells } from '#engine/cost/profile.ts';
import type { MessageSide, SideRow } from '#engine/inspect/encoded-message.ts';
import type { Inspected } from '#engine/inspect/inspect.ts';
import type { RowAddress } from '#engine/inspect/row-address.ts';
import { firstRow, rowsOf } from '#engine/inspect/row-address.ts';
import type { Encoding } from '#engine/model/annotation.ts';
import { useActions, useApp } from '#state/context.tsx';
import { isShape } from '#state/is-shape.ts';
import { isNoneChosen, shownProfile, shownQuestion, shownType } from '#state/shown-profile.ts';
import { MESSAGE_FORMS, type MessageForm } from '#state/view-state.ts';
import { APP_NOTES } from '#wording/app-notes.ts';
import { MESSAGE_NOTES } from '#wording/message-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { totalWords } from '#wording/read-messages.ts';
import { HexPair, type Sources } from '../hex/hex-pair.tsx';
import { lazyPart } from '../progress/lazy-part.tsx';
import { MessageTree } from '../tree/message-tree.tsx';
import { PartBytes } from './part-bytes.tsx';
import { saveFile } from './save-file.ts';
import { useStep } from './use-step.ts';

const AbsentField = lazyPart(async () => (await import('./absent-field.tsx')).AbsentField);
const CopiedFromLine = lazyPart(async () => (await import('./copied-from.tsx')).CopiedFromLine);
const ContentBytes = lazyPart(async () => (await import('./content-bytes.tsx')).ContentBytes);
const PartBar = lazyPart(async () => (await import('./part-bar.tsx')).PartBar);
const SharedBytes = lazyPart(async () => (await import('./captured-bytes.tsx')).SharedBytes);

/** Extensions of files, by the label of the encoding. */
const TEXT_FILES: Readonly<Record<string, string>> = { JSON: 'json', Textproto: 'txtpb' };

const extensionOf = ({ table, label = '' }: MessageSide): string =>
  TEXT_FILES[label] ?? (table.encoding === 'protobuf' ? 'binpb' : 'native.bin');

export function MessagePane(): ReactNode {
  // Drawn in slices, so that the page still takes clicks.
  const inspection = useDeferredValue(useApp(({ session }) => session.inspection));
  const profile = useApp(shownProfile);
  const summary = useApp(({ session }) => session.inputSummary);
  const hasCome = useApp(({ session }) => session.input?.data === null);
  const came = useApp(({ session }) => session.sharedFrom?.excerpt);
  const isBusy = useApp(({ session }) => session.job !== null);
  const isWithout = useApp(isNoneChosen);
  const { step, ends } = useStep(inspection?.ordinal ?? 0);
  const type = useApp(shownType);
  const compares = useApp((state) => shownQuestion(state) === 'native');
  const address = useApp(({ view }) => view.selection.row);
  const path = useApp(({ view }) => view.selection.path);
  const hover = useApp(({ session }) => session.hover.row);
  const { selectRow, hoverRow, selectPart, setMessageForm } = useActions();
  const form = useApp(({ view }) => view.messageForm);
  const paid = useApp((state) => (isShape(state) ? null : state.view.paid));
  const [sources, setSources] = useState<Sources>();
  // The shown message decides, not the selection: that one is of the next message already.
  const isAbsent = useMemo(
    () => inspection !== null && path !== null && firstRow(inspection, path) === null,
    [inspection, path],
  );
  const sayValue = useMemo(() => inspection && createSayValue(inspection), [inspection]);
  if (isWithout) return <p className="p-4 text-ink-muted">{APP_NOTES.noneChosen}</p>;
  if (!inspection || !sayValue) {
    if (isBusy) return <p className="p-4 text-ink-muted">Reading…</p>;
    if (came) {
      return (
        <Suspense fallback={null}>
          <SharedBytes excerpt={came} />
        </Suspense>
      );
    }
    return <p className="p-4 text-ink-muted">{hasCome ? MESSAGE_NOTES.figuresOnly : MESSAGE_NOTES.none}</p>;
  }
  const { protobuf, header, contents, ordinal } = inspection;
  // A visit to the comparison leaves a native side that other questions do not ask about.
  const native = compares || inspection.captured === 'native' ? inspection.native : null;
  // A body that no layout explains has bytes, but no tree.
  const isOpaque = protobuf.table.encoding !== 'protobuf' && protobuf.label === undefined;
  const isThere = {
    bytes: true,
    protobuf: !isOpaque,
    native: native !== null,
    contents: contents.length > 0,
    header: header !== null,
  };
  const isTree = form === 'protobuf' || form === 'native';
  const shown: MessageForm = isThere[form] ? form : isTree && !isOpaque ? 'protobuf' : 'bytes';
  const side = shown === 'native' && native ? native : protobuf;
  const labelOf = (key: MessageForm): string =>
    (key === 'native' || key === 'protobuf') && inspection[key]?.label !== undefined
      ? `${inspection[key].label} tree`
      : MESSAGE_FORMS[key];
  const rows = rowsOf(inspection, address);
  const hoverRows = rowsOf(inspection, hover);

  return (
    <section aria-label={`Message ${ordinal}`} className="@container flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap items-center gap-1 border-b border-rule bg-paper-sunk px-2 py-0.5">
        <span className="flex items-center">
          <button
            type="button"
            className="control"
            aria-label="Previous message"
            disabled={ends[0]}
            onClick={() => void step(-1)}
          >
            ‹
          </button>
          <span className="px-1">
            Message {formatCount(ordinal)}{' '}
            <span className="text-ink-muted">
              {summary && `· ${totalWords(summary)}`}
              {(inspection.captured === 'native' || protobuf.label !== undefined) && (
                <span className="@max-xl:sr-only">
                  {' '}
                  · captured {inspection.format === undefined ? 'natively' : `in ${inspection.format}`}
                </span>
              )}
            </span>
          </span>
          <button
            type="button"
            className="control"
            aria-label="Next message"
            disabled={ends[1]}
            onClick={() => void step(1)}
          >
            ›
          </button>
        </span>
        <fieldset className="ml-auto flex flex-wrap justify-end" data-term="label-shape">
          <legend className="sr-only">Show the message as</legend>
          {(Object.keys(MESSAGE_FORMS) as MessageForm[])
            .filter((key) => isThere[key])
            .map((key) => (
              <button
                key={key}
                type="button"
                className="control"
                aria-pressed={shown === key}
                onClick={() => setMessageForm(key)}
              >
                {labelOf(key)}
              </button>
            ))}
        </fieldset>
      </div>
      {inspection.part && (
        <Suspense fallback={null}>
          <PartBar part={inspection.part} onSelect={selectPart} />
        </Suspense>
      )}
      {path !== null && isAbsent && inspection.part === undefined && hasBytes(profile, path) && (
        <Suspense fallback={null}>
          <AbsentField key={`${ordinal} ${path}`} path={path} ordinal={ordinal} />
        </Suspense>
      )}
      {paid !== null && shown === 'bytes' && (
        <Suspense fallback={null}>
          <CopiedFromLine asked={paid} inspection={inspection} rows={rows} onSources={setSources} />
        </Suspense>
      )}
      <div className="min-h-0 flex-1">
        {shown === 'header' && header ? (
          <PartBytes key={ordinal} part={header} of="header" file={`header-${ordinal}`} />
        ) : shown === 'contents' ? (
          <Suspense fallback={null}>
            <ContentBytes contents={contents} ordinal={ordinal} />
          </Suspense>
        ) : shown === 'protobuf' || shown === 'native' ? (
          <MessageTree
            key={shown}
            side={side}
            label={labelOf(shown)}
            type={type ?? ''}
            selected={known(rows[shown])}
            hovered={known(hoverRows[shown])}
            onSelect={(row) => selectRow(shown, row)}
            onHover={(row) => hoverRow(shown, row)}
            sayValue={sayValue}
          />
        ) : (
          <HexPair
            protobuf={protobuf}
            native={native}
            selection={sideRow(inspection, address)}
            hovered={sideRow(inspection, hover)}
            onSelect={({ encoding, row }) => selectRow(encoding, row)}
            onHover={(hovered) => hoverRow(hovered?.encoding ?? 'protobuf', hovered?.row ?? null)}
            sayValue={sayValue}
            sources={sources}
            onSave={(encoding, bytes) =>
              saveFile(`message-${ordinal}.${extensionOf(inspection[encoding] ?? protobuf)}`, bytes)
            }
            writerOf={(path) => profile?.fields.find((field) => field.path === path)?.writer ?? null}
          />
        )}
      </div>
    </section>
  );
}

function hasBytes(profile: Profile | undefined, path: string): boolean {
  const field = profile?.fields.find((one) => one.path === path);
  return field !== undefined && Object.values(field.ledgers).some((cells) => sumCells(cells) > 0);
}

const known = (row: number): number | null => (row < 0 ? null : row);

function sideRow(inspection: Inspected, address: RowAddress | null): SideRow | null {
  if (!address) return null;
  const encoding: Encoding = address.encoding;
  const row = rowsOf(inspection, address)[encoding];
  return row < 0 ? null : { encoding, row };
}
