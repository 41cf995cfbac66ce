/** The page's entry. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <main>
      <h1>Wirecost</h1>
    </main>
  </StrictMode>,
);
