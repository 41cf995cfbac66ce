/** Addresses outside the app that a link may name: the origins that the user allowed, and how to fetch from them. */

export interface Outside {
  /** The origin as shown to the user: `https://captures.example.org`. */
  readonly originOf: (address: string) => string;
  /** Whether the policy of this site lets the page read from there at all. */
  readonly isReadable: (origin: string) => boolean;
  /** Whether the user has allowed the origin, or has opened the address. */
  readonly isAllowed: (origin: string, address: string) => boolean;
  /** Remembered in this browser. */
  readonly allow: (origin: string) => void;
  /** Rejects with a message for the user. */
  readonly fetch: (address: string, signal: AbortSignal) => Promise<Blob>;
}

/**
 * Whether one of a policy's sources names the origin, exactly or as a wildcard of its hosts. null: there is no policy.
 */
export function isReadableBy(sources: readonly string[] | null, origin: string): boolean {
  if (sources === null) return true;
  return sources.some((source) => {
    const [scheme, below] = source.split('//*');
    return source === origin || (below !== undefined && origin.startsWith(`${scheme}//`) && origin.endsWith(below));
  });
}

/** Whether a link may name it: http, https, or a path relative to the app. */
export function isFetchable(address: string): boolean {
  try {
    return address !== '' && /^https?:$/.test(new URL(address, 'https://beside.invalid/').protocol);
  } catch {
    return false;
  }
}
