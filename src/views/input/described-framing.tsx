/** A framing of the user's own, described by the fields around each message. */
import { type ReactNode, useId, useState } from 'react';
import { readDescription } from '#engine/frame/framing/described-fields.ts';
import { useActions } from '#state/context.tsx';
import { FRAMING_WORDS } from '#wording/framing-words.ts';

/** @param chosen the id of the framing in use */
export function DescribedFraming({ chosen }: { readonly chosen: string }): ReactNode {
  const { overruleReading } = useActions();
  const id = useId();
  const described = typeof readDescription(chosen) === 'string' ? '' : chosen;
  const [text, setText] = useState(described);
  const [fault, setFault] = useState<string | null>(null);
  const read = (): void => {
    if (text.trim() === '') {
      void overruleReading({ framing: undefined });
      return;
    }
    const description = readDescription(text);
    if (typeof description === 'string') setFault(description);
    else {
      setFault(null);
      void overruleReading({ framing: description.id });
    }
  };
  return (
    <details className="mt-1 mb-3">
      <summary className="text-2xs" data-term="label-messages-are">
        {FRAMING_WORDS.describe}
      </summary>
      <form
        className="mt-1 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          read();
        }}
      >
        <input
          className="field min-w-0 flex-1 font-mono text-2xs"
          aria-label={FRAMING_WORDS.describe}
          aria-describedby={id}
          aria-invalid={fault !== null}
          spellCheck={false}
          placeholder="le32 [1 message]"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="control control-framed" disabled={text.trim() === described}>
          Read
        </button>
      </form>
      <p id={id} role="status" className="mt-0.5 text-2xs text-ink-muted">
        {fault ?? FRAMING_WORDS.fields}
      </p>
    </details>
  );
}
