/** protoc on many small schemas, one after the other in one process: `judge.py` does it, this is the way there. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SchemaSource } from '#engine/schema/compile.ts';
import { fetchPackage } from './packages.ts';
import { PROTOC } from './protoc.ts';

export interface Verdict {
  /** protoc's set of the file and its imports; undefined: protoc refused it. */
  readonly set: Uint8Array | undefined;
  /** Its findings except warnings, one per line: `path:line:column: words`. Empty if protoc itself crashed. */
  readonly words: readonly string[];
}

/** @param files among them `test.proto`, which is compiled. */
export type Judge = (files: readonly SchemaSource[]) => Promise<Verdict>;

const SCRIPT = fileURLToPath(new URL('judge.py', import.meta.url));

/** @param beside files that all others may import. */
export async function withJudge<T>(
  cache: string,
  beside: readonly SchemaSource[],
  use: (judge: Judge) => Promise<T>,
): Promise<T> {
  const tools = await fetchPackage(PROTOC, cache);
  const start = () => {
    const child = spawn('python3', [SCRIPT], {
      env: { ...process.env, PYTHONPATH: tools },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const answers = linesOf(child.stdout);
    const ask = async (files: readonly SchemaSource[]): Promise<string | undefined> => {
      child.stdin.write(`${JSON.stringify(Object.fromEntries(files.map(({ path, content }) => [path, content])))}\n`);
      return (await answers.next()).value;
    };
    return { ask, end: () => child.stdin.end(), ready: ask(beside) };
  };
  let judge = start();
  try {
    return await use(async (files) => {
      await judge.ready;
      const answer = await judge.ask(files);
      if (answer === undefined) {
        // Some options crash protoc itself.
        judge = start();
        return { set: undefined, words: [] };
      }
      const { set, words } = JSON.parse(answer) as { readonly set: string | null; readonly words: string };
      return {
        set: set === null ? undefined : new Uint8Array(Buffer.from(set, 'base64')),
        words: words.split('\n').filter((line) => /\.proto:/.test(line) && !line.includes(': warning: ')),
      };
    });
  } finally {
    judge.end();
  }
}

async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const chunk of stream) {
    const pieces = (rest + String(chunk)).split('\n');
    rest = pieces.pop()!;
    yield* pieces;
  }
  return undefined;
}
