/** The messages that a message holds compressed, unpacked, in both encodings: one at a time. */
import { type ReactNode, useState } from 'react';
import type { Inspection } from '#state/session-state.ts';
import { contentTitle } from '#wording/content-words.ts';
import { PartBytes } from './part-bytes.tsx';

export function ContentBytes({
  contents,
  ordinal,
}: {
  readonly contents: Inspection['contents'];
  readonly ordinal: number;
}): ReactNode {
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, contents.length - 1);
  const content = contents[at]!;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap items-center gap-2 px-2 py-0.5">
        {contents.length > 1 && (
          <select
            className="control"
            aria-label="Compressed contents"
            value={at}
            onChange={({ target }) => setChosen(Number(target.value))}
          >
            {contents.map(({ field }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: contents have no other name than their place
              <option key={index} value={index}>
                {index + 1}: {field}
              </option>
            ))}
          </select>
        )}
        <span className="text-ink-muted">{contentTitle(content)}</span>
      </div>
      <div className="min-h-0 flex-1">
        <PartBytes key={`${ordinal} ${at}`} part={content} of="unpacked contents" file={`contents-${ordinal}-${at}`} />
      </div>
    </div>
  );
}
