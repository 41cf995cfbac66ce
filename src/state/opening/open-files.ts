/**
 * Opens dropped or picked files: schemas are added, one payload is opened, two payloads become A and B, more payloads
 * or those of a folder become one input. Two captures of several become A and B, and the others are listed. The content
 * decides the kind of a file; the worker looks into wrapped files. A notice names the files that are not opened.
 */

import { isPcap, isPcapng } from '#engine/capture/containers/sniff-capture.ts';
import { type OtherContent, otherContent } from '#engine/frame/framing/other-content.ts';
import { distinctNames } from '#wording/distinct-names.ts';
import { type LeftOut, leftOutWords } from '#wording/left-out-words.ts';
import type { Client } from '#worker/connect.ts';
import type { SchemaFile } from '#worker/schema-api.ts';
import { goTo } from '../addresses/place.ts';
import { type FolderHandle, keepFolder } from '../kept/kept-folders.ts';
import type { SessionState } from '../session-state.ts';
import type { ViewState } from '../view-state.ts';
import { CLASSIFY_BYTES, classifyDrop, isNamedAsCapture, isWrapped } from './classify-drop.ts';
import type { DroppedFolders, NamedFile } from './dropped-folder.ts';
import { packFiles } from './pack-files.ts';
import { placeOfEntry, placeOfFile, placeOfHandle, type Walked, walkPlaces } from './walk-places.ts';

export interface Needs {
  readonly session: () => SessionState;
  readonly setSession: (change: Partial<SessionState>) => void;
  readonly setView: (change: Partial<ViewState>) => void;
  readonly client: Client;
  /** false, of all that open an input: a later opening, or cancelling, went first. */
  readonly openSharedFile: (file: File) => Promise<boolean>;
  /** Alone. */
  readonly openAlone: (name: string, data: Blob, isCapture?: boolean) => Promise<boolean>;
  /** As B if there is an A; if A and B are asked about, the open input becomes A. */
  readonly openNext: (name: string, data: Blob, isCapture?: boolean) => Promise<boolean>;
  readonly openPair: (a: File, b: File) => Promise<boolean>;
  readonly addSchemas: (files: readonly SchemaFile[]) => void;
  readonly readSchema: () => Promise<void>;
  /** Keys of TLS for the input that is about to be read. */
  readonly holdKeys: (logs: readonly string[]) => void;
  readonly addKeys: (logs: readonly string[]) => Promise<void>;
  /** The same for an opening that is asked for now. */
  readonly later: () => Needs;
}

interface Sorted {
  readonly schemas: SchemaFile[];
  readonly payloads: NamedFile[];
  readonly captures: Set<File>;
  /** Paths of files in archives, beside captures. */
  readonly beside: string[];
  readonly keyLogs: string[];
  /** Contents of payloads that may not be messages. */
  readonly contents: Map<File, OtherContent>;
  readonly left: LeftOut[];
  shared: NamedFile | null;
}

/** @param folder files with their paths */
export async function openFiles(files: readonly File[], folder: readonly NamedFile[], needs: Needs): Promise<void> {
  const named = folder.map(({ path, file }) => ({ path, file: async () => file }));
  await openWalked(await walkPlaces([...files.map(placeOfFile), ...named]), needs);
}

async function openWalked({ files: given, left: unwalked }: Walked, needs: Needs): Promise<void> {
  const { session, setSession } = needs;
  const { failure } = session();
  const left = await openGiven(given, needs);
  const all = [...unwalked, ...(left ?? [])];
  // A failure of the opening itself goes first.
  const hasFailed = session().failure !== null && session().failure !== failure;
  if (left !== null && all.length > 0 && !hasFailed) setSession({ failure: leftOutWords(all) });
}

/** The files that are not opened; null: another opening went first. */
async function openGiven(given: readonly NamedFile[], needs: Needs): Promise<readonly LeftOut[] | null> {
  const { session, setSession, setView } = needs;
  const isFolder = given.some(isInFolder);
  const sorted = await sortFiles(given, needs);
  const { schemas, payloads, keyLogs, shared } = sorted;
  if (shared) {
    const others = given.filter((one) => one !== shared).map(({ path }): LeftOut => ({ path, why: 'analysis' }));
    return (await needs.openSharedFile(shared.file)) ? others : null;
  }
  const meant = meantOf(sorted);
  const [a] = meant;
  if (schemas.length > 0) {
    needs.addSchemas(schemas);
    if (!a && !session().input && !isFolder) setView({ panel: 'schema' });
    await needs.readSchema();
  }
  if (keyLogs.length > 0 && a) needs.holdKeys(keyLogs);
  else if (keyLogs.length > 0) await needs.addKeys(keyLogs);
  const isMany = meant.length > 2 || meant.some(isInFolder);
  const captures = isMany ? meant.filter(({ file }) => sorted.captures.has(file)) : [];
  const others = captures.length === 0 ? [] : meant.filter((one) => !captures.includes(one));
  const dropped = namedApart(captures);
  const apart = [...others.map(({ path }) => path), ...sorted.beside];
  const isCapture = a !== undefined && sorted.captures.has(a.file);
  if (a && !(await openMeant(meant, { captures: dropped, isMany, isCapture }, needs))) return null;
  // An open analysis stays: its fields have names now.
  if (!a && isFolder && schemas.length > 0 && !session().input) goTo({ at: 'schema' });
  if (dropped.length > 1) setSession({ dropped });
  const left = payloads.filter((one) => !meant.includes(one) && !BESIDE.test(one.path));
  return [
    ...sorted.left,
    ...apart.map((path): LeftOut => ({ path, why: 'captures' })),
    ...left.map(({ path, file }): LeftOut => {
      const { kind, what } = sorted.contents.get(file)!;
      return isTextOfMessages(kind) ? { path, why: 'texts' } : { path, why: 'others', what };
    }),
  ];
}

/** false: another opening went first. */
async function openMeant(
  meant: readonly NamedFile[],
  is: { readonly captures: readonly File[]; readonly isMany: boolean; readonly isCapture: boolean },
  { openNext, openPair }: Needs,
): Promise<boolean> {
  const [first, second] = is.captures;
  if (first && second) return openPair(first, second);
  if (first) return openNext(first.name, first, true);
  const [a, b] = namedApart(meant);
  if (a && b && !is.isMany) return openPair(a, b);
  if (a && !b) return openNext(a.name, a, is.isCapture);
  const { name, data } = packFiles(meant);
  return openNext(name, data);
}

/** null: none was picked, or the browser has no handles and its files come without one. */
async function pickFolder(needs: Needs): Promise<FolderHandle | null> {
  const { showDirectoryPicker } = window as { showDirectoryPicker?: () => Promise<FileSystemDirectoryHandle> };
  // It rejects if the person closes it.
  if (showDirectoryPicker) return (await showDirectoryPicker().catch(() => null)) as FolderHandle | null;
  const input = document.createElement('input');
  input.type = 'file';
  input.webkitdirectory = true;
  input.onchange = () => void openFiles([...(input.files ?? [])], [], needs.later());
  input.click();
  return null;
}

/** The folder is kept, so that it can be read again. @param given null: the person picks it */
export async function openFolder(given: FolderHandle | null, needs: Needs): Promise<void> {
  const handle = given ?? (await pickFolder(needs));
  if (handle === null) return;
  void keepFolder(handle);
  const now = given === null ? needs.later() : needs;
  await openWalked(await walkPlaces([placeOfHandle(handle)]), now);
}

/** Dropped folders are kept, too. */
export async function openDropped({ entries, handles }: DroppedFolders, needs: Needs): Promise<void> {
  void keepHandles(handles);
  await openWalked(await walkPlaces(entries.map(placeOfEntry)), needs);
}

async function keepHandles(handles: DroppedFolders['handles']): Promise<void> {
  for (const handle of await Promise.all(handles)) if (handle) await keepFolder(handle as FolderHandle);
}

/** @param as the side of the comparison that it becomes; null: alone */
export async function chooseDropped(file: File, as: 'A' | 'B' | null, needs: Needs): Promise<void> {
  const { dropped, input, baseline } = needs.session();
  const other = as === 'A' ? input : baseline?.from?.input;
  if (as !== null && other?.data) {
    const kept = new File([other.data], other.name);
    const isOpen = await (as === 'A' ? needs.openPair(file, kept) : needs.openPair(kept, file));
    if (isOpen) needs.setSession({ dropped });
  } else if (await needs.openAlone(file.name, file, true)) needs.setSession({ dropped });
}

async function sortFiles(given: readonly NamedFile[], { client }: Needs): Promise<Sorted> {
  const sorted: Sorted = {
    ...{ schemas: [], payloads: [], captures: new Set(), beside: [], keyLogs: [], contents: new Map(), left: [] },
    shared: null,
  };
  for (const named of given) {
    const { path, file } = named;
    try {
      const head = new Uint8Array(await file.slice(0, CLASSIFY_BYTES).arrayBuffer());
      const kind = classifyDrop(file.name, head);
      if (isNamedAsCapture(path) || isPcap(head) || isPcapng(head)) sorted.captures.add(file);
      if (kind === 'shared') return { ...sorted, shared: named };
      const content = isNamedAsPayload(path) ? null : otherContent(head, file.size);
      if (content !== null && content.kind !== 'captured') sorted.contents.set(file, content);
      if (kind === 'key-log') sorted.keyLogs.push(await file.text());
      else if (kind === 'schema-text') sorted.schemas.push({ path, content: await textOf(named) });
      else if (kind === 'descriptor-set') sorted.schemas.push({ path, content: file });
      else if (!isWrapped(head) || isNamedAsCapture(path)) sorted.payloads.push(named);
      else {
        const inside = await client.call('lookInside', { name: file.name, data: file });
        const { schemas, payloads, captures, beside, keyLogs } = inside.ok
          ? inside.value
          : { schemas: 0, payloads: 1, captures: [], beside: [], keyLogs: [] };
        sorted.beside.push(...beside);
        sorted.keyLogs.push(...keyLogs);
        if (schemas > 0) sorted.schemas.push({ path, content: file });
        for (const each of captures) {
          sorted.captures.add(each);
          sorted.payloads.push({ path: each.name, file: each });
        }
        if (payloads > 0) sorted.contents.delete(file);
        const isOther = schemas === 0 && keyLogs.length === 0;
        if (captures.length === 0 && (payloads > 0 || isOther)) sorted.payloads.push(named);
      }
    } catch {
      sorted.left.push({ path, why: 'unread' });
    }
  }
  return sorted;
}

/** Files of one name have their folders in it: `one/a.pcap`; those of one path are counted: `a.pcap`, `a (2).pcap`. */
function namedApart(files: readonly NamedFile[]): readonly File[] {
  const names = distinctNames(
    files.map(({ path }) => path),
    '/',
  );
  const taken = new Set<string>();
  return files.map(({ path, file }) => {
    const given = names.get(path)!;
    let name = given;
    for (let count = 2; taken.has(name); count++) name = given.replace(/(\.\w+)?$/, ` (${count})$1`);
    taken.add(name);
    return name === file.name ? file : new File([file], name);
  });
}

const isInFolder = ({ path }: NamedFile): boolean => path.includes('/');

/** Names that payloads have in a folder. */
const PAYLOAD_NAME =
  /\.(bin|binpb|pb|pbf|protobuf|delim|dat|data|raw|msg|payload|body|hex|b64|base64|txtpb|textpb|textproto|pbtxt|prototxt|ndjson|jsonl|msgpack|cbor|bson|gz|tgz|zst|br|lz4|sz|snappy|zip|tar|pcap|pcapng|cap|har)$/i;
const isNamedAsPayload = (path: string): boolean => PAYLOAD_NAME.test(path);

/** Files for people and for builds, in a folder: they have no messages by their names. */
const BESIDE =
  /(?:^|\/)(?:(?:README|LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|CONTRIBUTING|CHANGELOG|CHANGES)(?:[.-][\w.-]*)?|BUILD|WORKSPACE|Makefile|Dockerfile|MAINTAINERS|OWNERS|CODEOWNERS|CMakeLists\.txt|buf(?:\.\w+)?\.(?:ya?ml|lock)|go\.(?:mod|sum)|[^/]*\.(?:md|rst|adoc|bzl|bazel|cmake|mk))$/i;

/** JSON beside schemas is mostly the configuration of tools. */
const isTextOfMessages = (kind: OtherContent['kind'] | undefined): boolean => kind === 'json' || kind === 'txtpb';

/**
 * The payloads that are opened. In a folder, these are the files that may be messages by their names or their contents;
 * without any, and without schemas, those in JSON or the text format; without these, all: their contents are shown.
 */
function meantOf({ schemas, payloads, contents }: Sorted): readonly NamedFile[] {
  const inFolder = payloads.filter(isInFolder);
  const kindOf = ({ file }: NamedFile) => contents.get(file)?.kind;
  const likely = inFolder.filter((one) => kindOf(one) === undefined);
  const texts = inFolder.filter((one) => isTextOfMessages(kindOf(one)));
  const meant = schemas.length > 0 ? likely : ([likely, texts].find(({ length }) => length > 0) ?? inFolder);
  return [...payloads.filter((one) => !isInFolder(one)), ...meant];
}

/** The worker reads the files of a folder. */
const textOf = (named: NamedFile): Promise<string> | File => (isInFolder(named) ? named.file : named.file.text());
