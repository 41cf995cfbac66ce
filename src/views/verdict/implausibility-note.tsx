/** Replaces the verdict if the bytes are probably not protobuf; shows the evidence. Loaded on demand. */
import type { ReactNode } from 'react';
import { implausibilityOf } from '#engine/analysis/evidence/implausibility.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { useApp } from '#state/context.tsx';
import { shownOrigin } from '#state/shown-profile.ts';

export function ImplausibilityNote({ profile }: { readonly profile: Profile }): ReactNode {
  const findings = useApp(shownOrigin)?.findings;
  const implausibility = implausibilityOf(profile, findings);
  const [figures, ...facts] = implausibility?.facts ?? [];
  return (
    <section aria-labelledby="verdict" className="px-4 pt-3 pb-3">
      <h1 id="verdict" className="text-lg leading-7 font-normal text-balance">
        <span className="font-semibold">{implausibility?.verdict}</span> {figures}
      </h1>
      <p className="mt-0.5 text-ink-muted">{facts.join(' ')}</p>
    </section>
  );
}
