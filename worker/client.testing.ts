/** A client of a session with the real engine, over a real channel. The channel closes after its test. */
import { onTestFinished } from 'vitest';
import { type Client, connect } from './connect.ts';
import type { Api } from './protocol.ts';
import { serve } from './serve.ts';
import { createSession } from './session.ts';

export function startClient(): Client {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => {
    port1.close();
    port2.close();
  });
  serve(port2, createSession());
  return connect(port1);
}

/** Throws where the call fails. */
export async function ask<M extends keyof Api>(client: Client, method: M, params: Parameters<Api[M]>[0]) {
  const outcome = await client.call(method, params);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value;
}
