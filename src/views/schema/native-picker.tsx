/** The choice of the native profile, the rules of the native side; each has a line of explanation. */

import { type MouseEvent, type ReactNode, useId, useRef } from 'react';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { useActions, useApp } from '#state/context.tsx';
import { overridesInUse, shownProfile } from '#state/shown-profile.ts';
import { changedWriters } from '#wording/schema-notes.ts';
import { Chevron } from './type-picker.tsx';

export function NativePicker(): ReactNode {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const chosen = useApp((state) => state.view.nativeProfile ?? shownProfile(state)?.pair[1] ?? null);
  const changed = useApp((state) => Object.keys(overridesInUse(state)).length);
  const { chooseNativeProfile, resetWriters, showPanel } = useActions();
  const profile = NATIVE_PROFILES.find((candidate) => candidate.id === chosen);
  const other = useApp((state) => shownProfile(state)?.other);
  // A click chooses and closes; arrow keys try one profile after the other and keep the list open.
  const onClick = (event: MouseEvent): void => {
    if (event.detail > 0) popover.current?.hidePopover();
  };
  return (
    <>
      <button
        type="button"
        data-term="native-profile"
        className="control max-w-[26rem] min-w-0"
        popoverTarget={`${id}-popover`}
        title={profile?.description}
        style={{ anchorName: '--native-picker' } as object}
      >
        <span className="text-ink-muted @max-[880px]:sr-only">{other === undefined ? 'Native' : 'Encoding'}</span>
        <span className="truncate font-semibold">{other?.label ?? (profile ?? NATIVE_PROFILES[0])?.label}</span>
        {changed > 0 && (
          <span className="text-accent">{changed === 1 ? '1 writer changed' : `${changed} writers changed`}</span>
        )}
        <Chevron />
      </button>
      <div
        ref={popover}
        id={`${id}-popover`}
        popover="auto"
        className="picker w-[30rem] max-w-[calc(100vw-1rem)] border border-rule-strong bg-paper text-ink shadow-lg"
        style={{ positionAnchor: '--native-picker' } as object}
        onToggle={(event) => {
          if (event.newState === 'open') popover.current?.querySelector<HTMLElement>(':checked')?.focus();
        }}
      >
        <fieldset className="max-h-[70vh] overflow-auto py-1">
          <legend className="sr-only">Native profile</legend>
          {NATIVE_PROFILES.map(({ id: profileId, label, description }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the radio in it takes the keys
            <label
              key={profileId}
              className="flex cursor-pointer items-baseline gap-3 px-3 py-1 hover:bg-hover has-checked:bg-selected"
              onClick={onClick}
            >
              <input
                type="radio"
                name={id}
                className="accent-accent"
                checked={profileId === chosen}
                onChange={() => chooseNativeProfile(profileId)}
              />
              <span className="min-w-0">
                <span className="block font-semibold">{label}</span>
                <span className="block text-ink-muted">{description}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p className="border-t border-rule px-3 py-1.5">
          <button
            type="button"
            data-term="native-profile"
            className="control control-framed"
            onClick={() => {
              popover.current?.hidePopover();
              showPanel('matrix');
            }}
          >
            Other encodings, ranked
          </button>
        </p>
        {changed > 0 && (
          <p className="flex items-center gap-2 border-t border-rule px-3 py-1.5">
            <span className="text-ink-muted">{changedWriters(changed)}</span>
            <button type="button" className="control control-framed ml-auto" onClick={resetWriters}>
              Reset
            </button>
          </p>
        )}
      </div>
    </>
  );
}
