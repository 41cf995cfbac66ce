/** The native profile: the rules by which the native side is written. */
import { type ReactNode, useId } from 'react';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { useActions, useApp } from '#state/context.tsx';

export function NativePicker(): ReactNode {
  const id = useId();
  const chosen = useApp(({ view }) => view.nativeProfile);
  const { chooseNativeProfile } = useActions();
  const profile = NATIVE_PROFILES.find((candidate) => candidate.id === chosen);
  return (
    <span className="control min-w-0">
      <label htmlFor={id} className="text-ink-muted">
        Native
      </label>
      <select
        id={id}
        className="min-w-0 truncate bg-transparent font-semibold text-ink"
        value={chosen}
        title={profile?.description}
        onChange={(event) => chooseNativeProfile(event.target.value)}
      >
        {NATIVE_PROFILES.map(({ id: profileId, label }) => (
          <option key={profileId} value={profileId} className="bg-paper">
            {label}
          </option>
        ))}
      </select>
    </span>
  );
}
