import type { GroupReading, MessageScope } from '#state/session-state.ts';
import type { ViewState } from '#state/view-state.ts';

/** Equal for equal lists of the same messages. @param isByType they are in the order of their types */
export const scopeKey = (
  scope: MessageScope,
  types: ViewState['types'],
  readings: Readonly<Record<string, GroupReading>>,
  isByType = false,
): string => JSON.stringify([scope, types, isByType || scope.name !== '' ? readings : null]);
