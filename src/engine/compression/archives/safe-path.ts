/** A name in an archive → a relative path with slashes. undefined: a folder, or a path outside the archive. */
export function safePath(name: string): string | undefined {
  if (name.endsWith('/') || name.includes('\0')) return undefined;
  const steps = name.replaceAll('\\', '/').split('/');
  if (steps[0] === '' || /^[A-Za-z]:$/.test(steps[0]!) || steps.includes('..')) return undefined;
  return steps.filter((step) => step !== '.' && step !== '').join('/');
}
