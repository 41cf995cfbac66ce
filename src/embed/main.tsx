/** The embedded figure: what stands behind `#` → one figure, alone on its page. It asks no server and stores nothing. */
import './embed.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Embed } from './embed.tsx';

createRoot(document.getElementById('embed')!).render(
  <StrictMode>
    <Embed />
  </StrictMode>,
);
