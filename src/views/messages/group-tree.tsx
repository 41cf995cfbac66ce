/** The capture's messages in groups with counts and bytes; choosing groups adds up exactly their messages. */
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { moreGroups } from '#wording/message-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { GROUPINGS, type Grouping, type GroupNode, groupTree } from './message-groups.ts';

const NO_GROUPS: readonly never[] = [];
/** Lines that are shown, and that each press of the button adds. */
const LINES_AT_ONCE = 500;

interface Line {
  readonly node: GroupNode;
  readonly level: 1 | 2;
}

export function GroupTree(): ReactNode {
  const id = useId();
  const groups = useApp(({ session }) => session.inputSummary?.groups) ?? NO_GROUPS;
  const readings = useApp(({ session }) => session.groupReadings);
  const chosen = useApp(({ view }) => view.scope.groups);
  const areSingle = useApp(({ view }) => view.scope.ordinals.length > 0);
  const { chooseGroups } = useActions();
  const [by, setBy] = useState<Grouping>('method');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [at, setActive] = useState(0);
  const tree = useMemo(() => groupTree(groups, readings, by), [groups, readings, by]);
  const [shown, setShown] = useState(LINES_AT_ONCE);
  const all = useMemo(() => linesOf(tree, folded), [tree, folded]);
  const lines = all.slice(0, shown);
  const left = all.length - lines.length;
  const active = Math.min(at, lines.length);
  const most = Math.max(1, ...tree.map(({ capturedBytes }) => capturedBytes));
  const total = useMemo(() => tree.reduce((sum, { messages }) => sum + messages, 0), [tree]);
  const wanted = new Set(chosen);
  const isChosen = ({ groups: members }: GroupNode): boolean => members.every(({ key }) => wanted.has(key));

  // Line 0 stands for all messages.
  const choose = (index: number, add: boolean): void => {
    setActive(index);
    const line = lines[index - 1];
    if (line === undefined) {
      void chooseGroups([]);
      return;
    }
    const keys = line.node.groups.map(({ key }) => key);
    if (!add) void chooseGroups(keys);
    else if (isChosen(line.node)) void chooseGroups(chosen.filter((key) => !keys.includes(key)));
    else void chooseGroups([...new Set([...chosen, ...keys])]);
  };
  const fold = (node: GroupNode, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(node.id);
    else next.delete(node.id);
    setFolded(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const line = lines[active - 1];
    const walk = (index: number): void => {
      const to = Math.max(0, Math.min(lines.length, index));
      setActive(to);
      document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' });
    };
    if (event.key === 'ArrowDown') walk(active + 1);
    else if (event.key === 'ArrowUp') walk(active - 1);
    else if (event.key === 'Home') walk(0);
    else if (event.key === 'End') walk(lines.length);
    else if (event.key === 'Enter' || event.key === ' ') choose(active, event.ctrlKey || event.metaKey);
    else if (event.key === 'ArrowLeft' && line && line.node.children.length > 0) fold(line.node, true);
    else if (event.key === 'ArrowRight' && line && line.node.children.length > 0) fold(line.node, false);
    else return;
    event.preventDefault();
  };

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-1 border-b border-rule px-3 py-1">
        <span className="panel-title whitespace-nowrap">By</span>
        <fieldset className="flex" data-term="label-group-by">
          <legend className="sr-only">Group messages by</legend>
          {(Object.keys(GROUPINGS) as Grouping[]).map((grouping) => (
            <button
              key={grouping}
              type="button"
              className="control"
              aria-pressed={by === grouping}
              onClick={() => setBy(grouping)}
            >
              {GROUPINGS[grouping]}
            </button>
          ))}
        </fieldset>
        <span className="ml-auto truncate text-2xs text-ink-muted" data-term="column-capturedBytes">
          captured
        </span>
      </div>
      <div
        role="tree"
        aria-label="Groups of messages"
        aria-multiselectable="true"
        aria-activedescendant={`${id}-${active}`}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto"
        onKeyDown={onKeyDown}
      >
        <TreeLine
          id={`${id}-0`}
          level={1}
          label="All"
          title="All"
          note=""
          messages={total}
          bytes={tree.reduce((sum, { capturedBytes }) => sum + capturedBytes, 0)}
          share={0}
          chosen={chosen.length === 0 && !areSingle}
          active={active === 0}
          expanded={undefined}
          onChoose={(add) => choose(0, add)}
        />
        {lines.map(({ node, level }, index) => (
          <TreeLine
            key={node.id}
            id={`${id}-${index + 1}`}
            level={level}
            label={node.label}
            title={node.title}
            note={node.note}
            messages={node.messages}
            bytes={node.capturedBytes}
            share={node.capturedBytes / most}
            chosen={chosen.length > 0 && isChosen(node)}
            active={active === index + 1}
            expanded={node.children.length === 0 ? undefined : !folded.has(node.id)}
            isPath={level === (by === 'method' ? 1 : 2)}
            onChoose={(add) => choose(index + 1, add)}
            onFold={() => fold(node, !folded.has(node.id))}
          />
        ))}
      </div>
      {left > 0 && (
        <button type="button" className="control" onClick={() => setShown(shown + LINES_AT_ONCE)}>
          {moreGroups(Math.min(left, LINES_AT_ONCE), left)}
        </button>
      )}
    </div>
  );
}

const linesOf = (tree: readonly GroupNode[], folded: ReadonlySet<string>): readonly Line[] =>
  tree.flatMap((node) => [
    { node, level: 1 as const },
    ...(folded.has(node.id) ? [] : node.children.map((child) => ({ node: child, level: 2 as const }))),
  ]);

function TreeLine({
  id,
  level,
  label,
  title,
  note,
  messages,
  bytes,
  share,
  chosen,
  active,
  expanded,
  isPath = false,
  onChoose,
  onFold,
}: {
  readonly id: string;
  readonly level: 1 | 2;
  readonly label: string;
  readonly title: string;
  readonly note: string;
  readonly messages: number;
  readonly bytes: number;
  /** Share of the largest group, 0 to 1. */
  readonly share: number;
  readonly chosen: boolean;
  readonly active: boolean;
  readonly expanded: boolean | undefined;
  /** Whether the label is a method: it is cut at its start. */
  readonly isPath?: boolean;
  readonly onChoose: (add: boolean) => void;
  readonly onFold?: () => void;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: focus and keys stay on the tree
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-selected={chosen}
      aria-expanded={expanded}
      className={`relative flex h-6.5 cursor-pointer items-center gap-2 border-b border-rule px-3 select-none ${
        chosen ? 'bg-selected' : 'hover:bg-hover'
      } ${active ? 'shadow-[inset_2px_0_var(--accent)]' : ''} ${level === 2 ? 'pl-8' : ''}`}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      {share > 0 && (
        <span
          aria-hidden="true"
          data-bytes={bytes}
          className="absolute inset-y-0 left-0 bg-accent/8 forced-color-adjust-none"
          style={{ width: `${share * 100}%` }}
        />
      )}
      {level === 1 && (
        <span
          aria-hidden="true"
          className="relative w-3 shrink-0 text-center text-ink-muted"
          onClick={(event) => {
            if (expanded === undefined) return;
            event.stopPropagation();
            onFold?.();
          }}
        >
          {expanded === undefined ? '' : expanded ? '▾' : '▸'}
        </span>
      )}
      <span className={`${isPath ? 'cut-before ' : ''}relative min-w-0 truncate`} title={title}>
        <bdi>{label}</bdi>
      </span>
      {note !== '' && (
        <span className="relative min-w-4 flex-1 truncate text-ink-muted" title={note}>
          {note}
        </span>
      )}
      <span className="relative ml-auto shrink-0 text-right text-ink-muted">{formatCount(messages)}</span>
      <span className="relative min-w-14 shrink-0 text-right">{formatCount(bytes)}</span>
    </div>
  );
}
