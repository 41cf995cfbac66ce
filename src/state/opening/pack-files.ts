/** Several files → one tar archive. Its parts are the files themselves, so that none is copied or read. */
import { tarHeader, tarPadding } from '#engine/compression/archives/tar.ts';
import type { NamedFile } from './dropped-folder.ts';

/** The name of the archive: the folder that the files share, or the number of files. */
export function packFiles(files: readonly NamedFile[]): { readonly name: string; readonly data: Blob } {
  const [folder = ''] = files[0]?.path.split('/') ?? [];
  const isOneFolder = files.every(({ path }) => path.startsWith(`${folder}/`));
  const parts = files.flatMap(({ path, file }) => [
    tarHeader(path, file.size),
    file,
    new Uint8Array(tarPadding(file.size)),
  ]);
  const name = isOneFolder ? `${folder}.tar` : `${files.length} files.tar`;
  return { name, data: new Blob([...parts, new Uint8Array(1024)]) };
}
