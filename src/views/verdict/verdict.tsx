/** The answer first: the verdict as a sentence, its causes in a line, and the waterfall from native to protobuf. */
import { memo, type ReactNode, useMemo } from 'react';
import { causeSteps } from '#charts/cause-steps.ts';
import { FitWidth } from '#charts/fit-width.tsx';
import { Waterfall } from '#charts/waterfall.tsx';
import { CAUSES, type Cause, compareProfile, type ProfileCause } from '#engine/cost/compare.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { fieldsBehind, otherTypes } from '#wording/cause-words.ts';
import { headerWords } from '#wording/header-words.ts';
import { formatSigned } from '#wording/number-text.ts';
import { lowerFirst } from '#wording/sentence-case.ts';
import { type Phrase, verdictOf } from '#wording/verdict-words.ts';

const TONES: Readonly<Record<NonNullable<Phrase['tone']>, string>> = {
  subject: 'font-semibold',
  bad: 'font-semibold text-bad',
  good: 'font-semibold text-good',
  even: 'font-semibold',
  quiet: 'text-ink-muted',
};

export const Verdict = memo(function Verdict({
  profile,
  cause,
  onSelectCause,
  compressed = null,
}: {
  readonly profile: Profile;
  readonly cause: Cause | null;
  readonly onSelectCause: (cause: Cause | null) => void;
  /** What compression leaves of the difference. */
  readonly compressed?: ReactNode;
}): ReactNode {
  const causes = useMemo(() => compareProfile(profile), [profile]);
  const steps = useMemo(() => causeSteps(causes), [causes]);
  const remedy = useMemo(() => otherTypes(profile), [profile]);
  const header = headerWords(profile);
  const largest = [...causes].sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes));
  return (
    <section aria-labelledby="verdict" className="px-4 pt-3 pb-3">
      <h1 id="verdict" className="text-lg leading-7 font-normal text-balance">
        {verdictOf(profile).map(({ text, tone }) => (
          <span key={text} className={tone && TONES[tone]}>
            {text}
          </span>
        ))}
      </h1>
      {profile.nativeProfile !== null && causes.length > 0 && (
        <>
          <p className="mt-0.5 text-ink-muted">
            {largest.map((caused, index) => (
              <Caused key={caused.cause} caused={caused} first={index === 0} />
            ))}
          </p>
          {header !== null && <p className="mt-0.5">{header}</p>}
          {remedy !== null && <p className="mt-0.5">{remedy}</p>}
          {compressed}
          <div className="mt-2">
            <FitWidth max={1040}>
              {(width, id) => (
                <Waterfall
                  id={id}
                  native={profile.bytes.native}
                  protobuf={profile.bytes.protobuf}
                  steps={steps}
                  width={width}
                  selected={cause}
                  onSelect={onSelectCause}
                />
              )}
            </FitWidth>
          </div>
        </>
      )}
    </section>
  );
});

function Caused({ caused, first }: { readonly caused: ProfileCause; readonly first: boolean }): ReactNode {
  const label = CAUSES[caused.cause];
  const behind = fieldsBehind(caused);
  return (
    <>
      {!first && ' · '}
      {first ? label : lowerFirst(label)} <span className="text-ink">{formatSigned(caused.bytes)}</span>
      {behind !== '' && ` (${behind})`}
    </>
  );
}
