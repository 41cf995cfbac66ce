/** Files and folders of systems and tools, in folders and in archives: they are never read. A path, below what was opened. */
export const SYSTEM_PATHS = /(^|\/)(__MACOSX|node_modules|\.[^/]*)(\/|$)/;
