/** The page's entry: starts the worker, creates the state, draws the page. */
import { APP_NOTES } from '#wording/app-notes.ts';
import './theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createActions } from '#state/actions.ts';
import { withHistory } from '#state/addresses/walk-history.ts';
import { AppContext } from '#state/context.tsx';
import { awaitFirstFrame } from '#state/first-frame.ts';
import { keepInput } from '#state/kept/keep-input.ts';
import { createKeptInputs } from '#state/kept/kept-inputs.ts';
import { createSchemaStorage } from '#state/kept/schema-storage.ts';
import { loadPart } from '#state/load-part.ts';
import { createAppStore } from '#state/store.ts';
import { connect } from '#worker/connect.ts';
import { addressBar } from './address-bar.ts';
import { App } from './app.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { outside } from './remote-sources.ts';
import { shipped } from './shipped.ts';
import { startWorker } from './start-worker.ts';
import { applyTheme, readTheme } from './theme-choice.ts';

applyTheme(readTheme());
// If they fail, the system's typeface stays, and a sheet is printed as the screen is.
for (const load of [async () => (await import('./typeface.ts')).addTypeface(), () => import('./print.css')])
  void loadPart<unknown>(load).catch(() => undefined);

function start(): Worker {
  const worker = startWorker(restart);
  worker.addEventListener('error', (event) => client.fail(event.message || APP_NOTES.noWorker));
  return worker;
}

/** After a worker has ended, another one replaces it and reads the open input again. */
function restart(): void {
  client.moveTo(start(), APP_NOTES.workerEnded);
  void actions.readAgainAfterEnd();
}

const client = connect(start());

const store = createAppStore();
const keptInputs = createKeptInputs(window.indexedDB, navigator.locks);
keepInput(store, keptInputs);
const { walk, ...actions } = withHistory(
  store,
  createActions(store, client, shipped, outside, createSchemaStorage(window.indexedDB), keptInputs),
  addressBar,
);
void actions.recallSchema();
void walk();
window.addEventListener('popstate', () => void walk());

// Drawing is a task of its own: together with what comes before it, it would be a long one on a slow machine.
setTimeout(() => {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <ErrorBoundary>
        <AppContext store={store} actions={actions}>
          <App />
        </AppContext>
      </ErrorBoundary>
    </StrictMode>,
  );
  awaitFirstFrame();
});
