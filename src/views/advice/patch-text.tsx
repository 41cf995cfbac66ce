/** A unified diff, its lines in colour. */
import type { ReactNode } from 'react';

export function PatchText({ label, patch }: { readonly label: string; readonly patch: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="advice-patch" aria-label={label} tabIndex={0}>
      {patch.split('\n').map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a patch have no identity but their place
        <div key={at} className={lineClass(line)}>
          {line || ' '}
        </div>
      ))}
    </section>
  );
}

function lineClass(line: string): string | undefined {
  if (line.startsWith('+')) return 'is-added';
  return line.startsWith('-') ? 'is-removed' : undefined;
}
