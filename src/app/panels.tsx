/**
 * The panels of the workbench. One more is a name in `PANELS`, a row of `HAS_PANEL` (src/state/view-state.ts) and a row
 * here. On a wide screen the costs, the field and the bytes have fixed places, and one other panel is open in the left
 * rail. On a narrow screen each panel is a tab.
 */
import { type ComponentType, type ReactNode, Suspense } from 'react';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { useApp } from '#state/context.tsx';
import { inputName, panelsOf, shownType } from '#state/shown-profile.ts';
import type { Panel } from '#state/view-state.ts';
import { FieldPane } from '#views/message/field-pane.tsx';
import { lazyPart } from '#views/progress/lazy-part.tsx';
import { formatBytes, formatPercent } from '#wording/number-text.ts';
import { countWords } from '#wording/read-messages.ts';
import { CostsPanel } from './costs.tsx';
import { findingsLabel } from './findings-of.ts';

export interface OfFindings {
  readonly findings: readonly Diagnostic[];
}

export interface PanelRow {
  readonly Content: ComponentType<OfFindings> | ComponentType;
  /** Its width when opened in the rail. null: it has a fixed place on a wide screen. */
  readonly rail: string | null;
  /** The button in the rail that opens it. */
  readonly Button: ComponentType<OfFindings> | null;
}

const AdvicePanel = lazyPart(async () => (await import('#views/advice/advice-panel.tsx')).AdvicePanel);
const captureViews = () => import('./capture-views.ts');
const FindingList = lazyPart(async () => (await import('#views/findings/finding-list.tsx')).FindingList);
const InputPanel = lazyPart(async () => (await import('#views/input/input-panel.tsx')).InputPanel);
const MessagePane = lazyPart(async () => (await import('#views/message/message-pane.tsx')).MessagePane);
const SchemaPanel = lazyPart(async () => (await import('#views/schema/schema-panel.tsx')).SchemaPanel);
const MatrixPanel = lazyPart(async () => (await import('#views/matrix/matrix-panel.tsx')).MatrixPanel);
const LayersPanel = lazyPart(async () => (await captureViews()).LayersPanel);
const MessagesPanel = lazyPart(async () => (await captureViews()).MessagesPanel);

export const PANEL_ROWS: Readonly<Record<Panel, PanelRow>> = {
  costs: { Content: CostsPanel, rail: null, Button: null },
  field: { Content: FieldPane, rail: null, Button: null },
  bytes: { Content: MessagePane, rail: null, Button: null },
  input: { Content: InputPanel, rail: '18%', Button: InputButton },
  messages: { Content: MessagesPanel, rail: '18%', Button: MessagesButton },
  layers: { Content: LayersPanel, rail: '38%', Button: LayersButton },
  matrix: { Content: MatrixPanel, rail: '46%', Button: () => 'Encodings' },
  advice: { Content: AdvicePanel, rail: '44%', Button: () => 'What should change' },
  schema: { Content: SchemaPanel, rail: '36%', Button: SchemaButton },
  findings: { Content: FindingList, rail: '30%', Button: FindingsButton },
};

export function PanelContent({ panel, findings }: { readonly panel: Panel } & OfFindings): ReactNode {
  const { Content } = PANEL_ROWS[panel];
  return (
    <Suspense fallback={null}>
      <Content findings={findings} />
    </Suspense>
  );
}

/** The panels that have something to show. */
export const useOfferedPanels = (): readonly Panel[] =>
  useApp((state) => panelsOf(state).join(' ')).split(' ') as Panel[];

function InputButton(): ReactNode {
  const name = useApp(inputName);
  const size = useApp(({ session }) => session.inputSummary?.size ?? session.input?.data?.size);
  return (
    <>
      <span className="max-w-60 truncate">{name}</span>
      {size !== undefined && <span className="text-ink-muted max-[1400px]:sr-only">{formatBytes(size)}</span>}
    </>
  );
}

function MessagesButton(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  return <Figure of="Messages">{summary && countWords(summary)}</Figure>;
}

/** The share of the messages, with bodies that could not be read. */
function LayersButton(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  const layers = summary?.kind === 'capture' ? summary.layers : null;
  return (
    <Figure of="Layers">
      {layers && summary!.bytes > 0 && formatPercent((layers.message + layers.compressed) / summary!.bytes)}
    </Figure>
  );
}

function SchemaButton(): ReactNode {
  const files = useApp(({ session }) => session.schemaFiles.length);
  const hasType = useApp((state) => shownType(state) !== null);
  const isCapture = useApp(({ session }) => session.inputSummary?.kind === 'capture');
  // Shared figures have types without their schema.
  const isOfFigures = useApp(({ session }) => session.sharedFrom?.kind === 'profile');
  const shipped = isOfFigures ? (hasType ? 'names' : 'none') : isCapture || hasType ? 'bundled' : 'none';
  const loaded = files === 1 ? '1 file' : `${files} files`;
  return (
    <Figure of="Schema">
      <span className="min-w-13 text-left">{files > 0 ? loaded : shipped}</span>
    </Figure>
  );
}

function FindingsButton({ findings }: OfFindings): ReactNode {
  const label = useApp((state) => findingsLabel(findings, state));
  return <Figure of="Findings">{label}</Figure>;
}

const Figure = ({ of, children }: { readonly of: string; readonly children: ReactNode }): ReactNode => (
  <>
    <span className="text-ink-muted">{of}</span> {children}
  </>
);
