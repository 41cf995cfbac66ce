/** The worker's entry. */
import { serve } from './serve.ts';
import { createSession } from './session.ts';

serve(self as DedicatedWorkerGlobalScope, createSession());
