/** The files of an opened folder that are read. */

/** Paths of files of systems and tools, below an opened folder or in an archive: they are never read. */
export const SYSTEM_PATHS = /(^|\/)(__MACOSX|node_modules|\.[^/]*)(\/|$)/;

/** @param path with the name of the opened file or folder, which may be any */
export const isOfSystem = (path: string): boolean => SYSTEM_PATHS.test(path.split('/').slice(1).join('/'));

/** A dropped folder with more files is probably a whole disk, and is not read to its end. */
export const MOST_FILES = 50_000;
