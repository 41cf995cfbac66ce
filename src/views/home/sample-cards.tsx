/** The samples, each as a card that opens it. */
import './home.css';
import type { ReactNode } from 'react';
import { useActions } from '#state/context.tsx';
import type { CaptureSample, Sample } from '#state/opening/shipped.ts';
import { HOME_NOTES } from '#wording/home-notes.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';

export interface Samples {
  readonly captures: readonly CaptureSample[];
  readonly samples: readonly Sample[];
}

export function SampleCards({ captures, samples }: Samples): ReactNode {
  const { openCaptureSample, openSample, openSamplePair } = useActions();
  const [before, after] = ['prometheus-remote-write-1', 'prometheus-remote-write-2'].map((id) =>
    samples.find((sample) => sample.id === id),
  );
  return (
    <ul className="home-cards">
      {samples.slice(0, 1).map((sample) => (
        <Card key={sample.id} {...sample} note={formatBytes(sample.bytes)} open={() => void openSample(sample)} />
      ))}
      {captures.map((capture) => (
        <Card
          key={capture.id}
          {...capture}
          note={formatBytes(capture.bytes)}
          open={() => void openCaptureSample(capture)}
        />
      ))}
      {before && after && (
        <Card
          title={HOME_NOTES.samplePair}
          description={after.description}
          note={`${formatCount(before.bytes)} → ${formatBytes(after.bytes)}`}
          open={() => void openSamplePair(before, after)}
        />
      )}
      {samples.slice(1).map((sample) => (
        <Card key={sample.id} {...sample} note={formatBytes(sample.bytes)} open={() => void openSample(sample)} />
      ))}
    </ul>
  );
}

/** `System: question`, and what the capture is. */
function Card({
  title,
  description,
  note,
  open,
}: {
  readonly title: string;
  readonly description: string;
  readonly note: string;
  readonly open: () => void;
}): ReactNode {
  const [system, question] = [title.slice(0, title.indexOf(':')), title.slice(title.indexOf(':') + 1).trim()];
  return (
    <li>
      <button type="button" className="home-card" title={description} onClick={open}>
        <span>{system}</span> <span>{question}</span> <span>{note}</span>
      </button>
    </li>
  );
}
