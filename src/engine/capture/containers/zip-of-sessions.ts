/**
 * Files of Fiddler's archive (SAZ) → the archive without compression: its sessions in their order, the facts of each
 * before its request and response. The reader in `saz.ts` needs no directory then.
 *
 *   50 4b 03 04 │ version×2 flags×2 method×2 time×2 date×2 │ crc×4, left out │ size×4 size×4 │ name×2 extra×2 │ name │ bytes
 */

export const ZIP_HEADER = 30;
/** Number of a session, and the file's kind. */
export const SESSION_FILE = /^raw\/(\d{1,9})_([a-z])\.(?:txt|xml)$/;
/** All others, then facts, request, response. */
const KINDS = 'mcs';

interface ArchivedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Whether these are the files of a SAZ: a request is among them. */
export const areSessions = (files: readonly { readonly path: string }[]): boolean =>
  files.some(({ path }) => SESSION_FILE.exec(path)?.[2] === 'c');

export function zipOfSessions(files: readonly ArchivedFile[]): Uint8Array {
  const ordered = files.map((file) => {
    const [, id, kind] = SESSION_FILE.exec(file.path) ?? [];
    return { ...file, id: id === undefined ? Number.POSITIVE_INFINITY : Number(id), order: KINDS.indexOf(kind ?? '') };
  });
  ordered.sort((a, b) => (a.id === b.id ? a.order - b.order : a.id - b.id));
  const names = ordered.map(({ path }) => new TextEncoder().encode(path));
  const size = ordered.reduce((sum, { bytes }, n) => sum + ZIP_HEADER + names[n]!.length + bytes.length, 0);
  const archive = new Uint8Array(size);
  const view = new DataView(archive.buffer);
  let at = 0;
  for (const [n, { bytes }] of ordered.entries()) {
    const name = names[n]!;
    view.setUint32(at, 0x504b0304);
    view.setUint16(at + 4, 10, true);
    view.setUint32(at + 18, bytes.length, true);
    view.setUint32(at + 22, bytes.length, true);
    view.setUint16(at + 26, name.length, true);
    archive.set(name, at + ZIP_HEADER);
    at += ZIP_HEADER + name.length;
    archive.set(bytes, at);
    at += bytes.length;
  }
  return archive;
}
