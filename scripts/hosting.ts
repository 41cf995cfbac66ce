/**
 * `npm run hosting -- HOST [FOLDER]`: the headers for a host, with the sources of WIRECOST_SOURCES.
 * `npm run hosting -- try`: dist/ on each host that is installed here, with those headers; what it sends is compared.
 */
import { POLICIES } from '../src/server/csp.ts';
import { tryHosts } from './hosting-trial.ts';
import { HOSTS, type HostName } from './hosts.ts';

const [name = '', folder = '/'] = process.argv.slice(2);
if (name === 'try') {
  process.exitCode = (await tryHosts(POLICIES)) ? 0 : 1;
} else if (Object.hasOwn(HOSTS, name) && /^\/(?:[\w.-]+\/)*$/.test(folder)) {
  process.stdout.write(HOSTS[name as HostName].print(POLICIES, folder));
} else {
  console.error(`usage: npm run hosting -- ${Object.keys(HOSTS).join('|')} [/FOLDER/]\n       npm run hosting -- try`);
  process.exitCode = 1;
}
