import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What a child process can be asked to do. */
type Calls<Child> = { [Name in keyof Child]: (input: never) => unknown };

interface Question {
  id: number;
  name: string;
  input: unknown;
}
interface Answer {
  id: number;
  result?: unknown;
  error?: string;
}

/** Another process, asked by name. */
export interface Remote<Child extends Calls<Child>> {
  ask<Name extends keyof Child & string>(
    name: Name,
    ...input: Parameters<Child[Name]>
  ): Promise<Awaited<ReturnType<Child[Name]>>>;
  stop(): Promise<void>;
}

/** True when processes can be bound to a CPU each, so that server and load never share one. */
export const canPin = pinningWorks();

function pinningWorks(): boolean {
  try {
    execFileSync('taskset', ['-c', '0,1', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    // No taskset, or only one CPU: the benchmark runs unpinned and says so.
    return false;
  }
}

/** Starts `file` as a Node process, bound to `cpu` where that is possible. */
export function startChild<Child extends Calls<Child>>(file: string, cpu: number): Remote<Child> {
  const node = [process.execPath, '--expose-gc', '--import', 'tsx', file];
  const [command = '', ...args] = canPin ? ['taskset', '-c', String(cpu), ...node] : node;
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let id = 0;
  child.on('message', (message: unknown) => {
    // Both ends are compiled from the same types.
    const answer = message as Answer;
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) asker?.resolve(answer.result);
    else asker?.reject(new Error(answer.error));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended`));
  });
  return {
    ask: (name, ...[input]) =>
      new Promise((resolve, reject) => {
        id += 1;
        // The child answers with what its function of this name returns.
        waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
        child.send({ id, name, input } satisfies Question);
      }),
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** The other end: answers the questions of the process that started this one, and ends with it. */
export function answer<Child extends Calls<Child>>(calls: Child): void {
  process.on('message', (message: unknown) => {
    // Both ends are compiled from the same types.
    const { id, name, input } = message as Question;
    const call = calls[name as keyof Child] as unknown as (input: unknown) => unknown;
    Promise.resolve()
      .then(() => call(input))
      .then(
        (result) => process.send?.({ id, result } satisfies Answer),
        (error: unknown) => process.send?.({ id, error: String(error) } satisfies Answer),
      );
  });
  process.on('disconnect', () => process.exit());
}
