/** TLS key logs. A capture is read again when a key log is added. Key logs are never stored. */
import { KeyLog } from '#engine/frame/tls/key-log.ts';
import { NO_HOVER, type SessionState } from './session-state.ts';

interface Needs {
  readonly session: () => SessionState;
  readonly setSession: (change: Partial<SessionState>) => void;
  /** Keys answer the findings that ask for them: the messages take their place. */
  readonly leaveFindings: () => void;
  /** Reads the open input again from its beginning. */
  readonly readAgain: () => Promise<void>;
}

export function keyActions({ session, setSession, leaveFindings, readAgain }: Needs) {
  async function setKeys(keyLog: SessionState['keyLog']): Promise<void> {
    setSession({ keyLog });
    const { input, inputSummary } = session();
    if (!input?.data || inputSummary?.kind === 'payloads') return;
    setSession({ inputSummary: null, groupReadings: {}, analysis: null, inspection: null, hover: NO_HOVER });
    await readAgain();
  }

  const joined = (texts: readonly string[]): NonNullable<SessionState['keyLog']> => {
    const { keyLog } = session();
    const lines = [...(keyLog === null ? [] : [keyLog.lines]), ...texts].join('\n');
    const log = new KeyLog();
    log.add(lines);
    return { lines, connections: log.size };
  };

  return {
    /** For an input that is about to be opened. */
    holdKeys: (texts: readonly string[]): void => setSession({ keyLog: joined(texts) }),
    /** Adds to the current key logs. */
    addKeys(texts: readonly string[]): Promise<void> {
      leaveFindings();
      return setKeys(joined(texts));
    },
    forgetKeys: (): Promise<void> => setKeys(null),
  };
}
