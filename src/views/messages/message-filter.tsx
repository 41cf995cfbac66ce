/** Conditions on messages. Messages that pass all of them are listed and added up. */

import { type ReactNode, useId } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { isNarrowed } from '#state/view-state.ts';
import { flowOfNone, MESSAGE_NOTES, moreFlows } from '#wording/message-notes.ts';
import { formatCount } from '#wording/number-text.ts';

export function MessageFilterBar(): ReactNode {
  const id = useId();
  const summary = useApp(({ session }) => session.inputSummary);
  const scope = useApp(({ view }) => view.scope);
  const { filterMessages, chooseAllMessages } = useActions();
  const isCapture = summary?.kind === 'capture';
  const isFiltered = isNarrowed(scope);
  const size = (value: number | null, bound: 'minBytes' | 'maxBytes', label: string): ReactNode => (
    <input
      type="text"
      inputMode="numeric"
      className="field"
      aria-label={label}
      placeholder={bound === 'minBytes' ? '≥ B' : '≤ B'}
      value={value ?? ''}
      onChange={({ target }) => {
        const digits = target.value.replace(/\D/g, '');
        filterMessages({ [bound]: digits === '' ? null : Number(digits) });
      }}
    />
  );
  return (
    <search className="message-filter">
      <input
        type="text"
        className="field"
        aria-label={MESSAGE_NOTES.holdsText}
        placeholder="Text in it"
        value={scope.text}
        onChange={({ target }) => filterMessages({ text: target.value })}
      />
      {isCapture && (
        <>
          <input
            type="text"
            className="field"
            aria-label={MESSAGE_NOTES.filter}
            placeholder="Method, type…"
            value={scope.name}
            onChange={({ target }) => filterMessages({ name: target.value })}
          />
          <label htmlFor={`${id}-flow`} data-term="column-flow" className="sr-only">
            Flow
          </label>
          <select
            id={`${id}-flow`}
            className="field"
            value={scope.flow ?? ''}
            onChange={({ target }) => filterMessages({ flow: target.value || null })}
          >
            <option value="">All flows</option>
            {summary.flows.map(({ name, messages }) => (
              <option key={name} value={name}>
                {name} · {formatCount(messages)}
              </option>
            ))}
            {scope.flow !== null && !summary.flows.some(({ name }) => name === scope.flow) && (
              <option value={scope.flow}>
                {summary.flowCount > summary.flows.length ? scope.flow : flowOfNone(scope.flow)}
              </option>
            )}
            {summary.flowCount > summary.flows.length && (
              <option disabled>{moreFlows(summary.flowCount - summary.flows.length)}</option>
            )}
          </select>
        </>
      )}
      {size(scope.minBytes, 'minBytes', MESSAGE_NOTES.atLeast)}
      {size(scope.maxBytes, 'maxBytes', MESSAGE_NOTES.atMost)}
      {isFiltered && (
        <button type="button" className="control control-framed" onClick={() => void chooseAllMessages()}>
          Clear
        </button>
      )}
    </search>
  );
}
