/** The difference after compression, measured on request on the bytes of both encodings. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { shownProfile } from '#state/shown-profile.ts';
import { compressedWords } from '#wording/compressed-words.ts';

export function CompressedLine(): ReactNode {
  const profile = useApp(shownProfile);
  const { compress } = useActions();
  const [sentences, setSentences] = useState<readonly string[] | null>(null);
  const [isMeasuring, setMeasuring] = useState(false);
  const running = useRef<AbortController | null>(null);

  // Figures of another profile are not shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs because the profile changed
  useEffect(() => {
    setSentences(null);
    setMeasuring(false);
    return () => running.current?.abort();
  }, [profile]);

  const measure = async (): Promise<void> => {
    const mine = new AbortController();
    running.current = mine;
    setMeasuring(true);
    const sizes = await compress(mine.signal);
    if (mine.signal.aborted) return;
    setMeasuring(false);
    setSentences(sizes && profile ? compressedWords(sizes, profile) : null);
  };
  return (
    <div>
      {sentences === null && (
        <button
          type="button"
          className="control -ml-2 text-accent aria-disabled:text-ink-muted"
          aria-label="Measure after compression"
          aria-disabled={isMeasuring}
          onClick={() => isMeasuring || void measure()}
        >
          {isMeasuring ? 'Compressing…' : 'After compression'}
        </button>
      )}
      <div role="status">
        {sentences?.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  );
}
