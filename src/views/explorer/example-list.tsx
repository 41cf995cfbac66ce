/** Examples of a type from the message that is open, each with a way to its bytes. */
import { type ReactNode, useMemo } from 'react';
import { goTo } from '#state/addresses/place.ts';
import { useActions, useApp } from '#state/context.tsx';
import { inputName, shownProfile } from '#state/shown-profile.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';
import { PageSection } from './symbol-head.tsx';
import { typeExamples } from './type-examples.ts';

export function ExampleList({ fullName }: { readonly fullName: string }): ReactNode {
  const inspection = useApp(({ session }) => session.inspection);
  const name = useApp(inputName);
  const profile = useApp(shownProfile);
  const { selectRow } = useActions();
  const examples = useMemo(
    () => (inspection && profile ? typeExamples(inspection, profile, fullName) : []),
    [inspection, profile, fullName],
  );
  if (inspection === null || examples.length === 0) return null;
  const look = (row: number): void => {
    goTo(null);
    selectRow('protobuf', row);
  };
  return (
    <PageSection title="Examples" count={`message ${formatCount(inspection.ordinal)} of ${name}`}>
      <ul className="type-examples">
        {examples.map(({ row, start, end, fields, more }) => (
          <li key={row}>
            <button type="button" className="control control-framed" onClick={() => look(row)}>
              Bytes {formatCount(start)}–{formatCount(Math.max(start, end - 1))}
            </button>
            <dl>
              {fields.map((field) => (
                <div key={field.row}>
                  <dt>{field.name}</dt>
                  <dd>
                    {field.value === '' ? <span className="text-ink-muted">a message</span> : field.value}{' '}
                    <span className="text-ink-muted">{formatBytes(field.bytes)}</span>
                  </dd>
                </div>
              ))}
            </dl>
            {more > 0 && <p className="text-ink-muted">and {formatCount(more)} more</p>}
          </li>
        ))}
      </ul>
    </PageSection>
  );
}
