import type { AdviseApi } from './advise-api.ts';
import { AdviceSession } from './advise-session.ts';
import type { HandlersOf } from './protocol.ts';
import type { Session } from './session-state.ts';

export function adviseHandlers(session: Session): HandlersOf<AdviseApi> {
  const advice = new AdviceSession(session);
  return {
    advise: (params, context) => advice.advise(params, context),
    applyChanges: (params, context) => advice.apply(params, context),
    editableFiles: (params, context) => advice.editableFiles(params, context),
    appliedMessage: (params, context) => advice.message(params, context),
    belowLimit: (params, context) => advice.belowLimit(params, context),
  };
}
