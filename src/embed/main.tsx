/**
 * The embedded figure: the fragment of the address → one figure, alone on its page. It sends no request and stores
 * nothing.
 */
import './embed.css';
import { createRoot } from 'react-dom/client';
import { Embed } from './embed.tsx';

createRoot(document.getElementById('embed')!).render(<Embed />);
