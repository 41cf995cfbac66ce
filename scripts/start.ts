/** `npm start`: builds the app and serves it until stopped. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { PortRefused, serve } from '../src/server/serve.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { PORT = '4173' } = process.env;
if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65535) {
  console.error(`PORT must be a number from 0 to 65535, not ${JSON.stringify(PORT)}`);
  process.exit(1);
}

await build({ root, logLevel: 'warn' });
const server = await serve(`${root}dist`, Number(PORT)).catch((error: unknown) => {
  if (!(error instanceof PortRefused)) throw error;
  console.error(`${error.message}. Set PORT to another one.`);
  process.exit(1);
});
console.log(`\nWirecost is at ${server.address}\nStop with Ctrl-C.`);

const stop = () => server.close().then(() => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);

// npm hands a signal to its shell only, which ends without passing it on. The server then ends, too.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && stop(), 500).unref();
