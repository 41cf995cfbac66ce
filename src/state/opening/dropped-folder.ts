/** A drop, with its folders opened to any depth → its files by their paths, as imports would name them. */

export interface NamedFile {
  /** `protos/a/b.proto`: from the dropped folder on, with its name. */
  readonly path: string;
  readonly file: File;
}

export interface DroppedFolders {
  readonly entries: readonly FileSystemEntry[];
  /** The handle of each folder, to read it again later; null or none where the browser gives none. */
  readonly handles: readonly Promise<FileSystemHandle | null>[];
}

/** Entries and handles must be requested while the drop event is handled; null: it has no folder. */
export function droppedFolders(items: DataTransferItemList | undefined): DroppedFolders | null {
  const found = [...(items ?? [])].map((item) => ({ item, entry: item.webkitGetAsEntry?.() ?? null }));
  const folders = found.filter(({ entry }) => entry?.isDirectory);
  if (folders.length === 0) return null;
  return {
    entries: found.flatMap(({ entry }) => entry ?? []),
    handles: folders.flatMap(({ item }) => (item as HandedItem).getAsFileSystemHandle?.().catch(() => null) ?? []),
  };
}

/** With the member that TypeScript's own type lacks. */
interface HandedItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}
