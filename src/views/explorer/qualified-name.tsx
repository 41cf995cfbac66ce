/** A full name: its last part stands out, and a line breaks after a dot, or after an underscore of the last part. */
import { Fragment, type ReactNode } from 'react';

export function QualifiedName({ name }: { readonly name: string }): ReactNode {
  const parts = name.split('.');
  return (
    <>
      <span className="text-2xs font-normal text-ink-muted">
        {parts.slice(0, -1).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
          <Fragment key={at}>
            {part}.<wbr />
          </Fragment>
        ))}
      </span>
      {parts
        .at(-1)!
        .split(/(?<=_)/)
        .map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
          <Fragment key={at}>
            {word}
            <wbr />
          </Fragment>
        ))}
    </>
  );
}
