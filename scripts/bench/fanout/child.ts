import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** The functions of a child process, by name. */
type Calls<Child> = { [Name in keyof Child]: (input: never) => unknown };

interface Request {
  id: number;
  name: string;
  input: unknown;
}
interface Response {
  id: number;
  result?: unknown;
  error?: string;
}

/** Another process, whose functions are called by name. */
export interface Remote<Child extends Calls<Child>> {
  call<Name extends keyof Child & string>(
    name: Name,
    ...input: Parameters<Child[Name]>
  ): Promise<Awaited<ReturnType<Child[Name]>>>;
  stop(): Promise<void>;
}

/** Whether each process can be bound to a CPU, so that server and load never share one. */
export const canPin = pinningWorks();

function pinningWorks(): boolean {
  try {
    execFileSync('taskset', ['-c', '0,1', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    // No taskset, or only one CPU: the benchmark runs unpinned and reports that.
    return false;
  }
}

/** Starts `file` as a Node process, bound to `cpu` where that is possible; null: on any. */
export function startChild<Child extends Calls<Child>>(file: string, cpu: number | null): Remote<Child> {
  const node = [process.execPath, '--expose-gc', '--import', 'tsx', file];
  const [command = '', ...args] = canPin && cpu !== null ? ['taskset', '-c', String(cpu), ...node] : node;
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let id = 0;
  child.on('message', (message: unknown) => {
    // Both ends are compiled from the same types.
    const response = message as Response;
    const call = pending.get(response.id);
    pending.delete(response.id);
    if (response.error === undefined) call?.resolve(response.result);
    else call?.reject(new Error(response.error));
  });
  child.on('exit', () => {
    for (const { reject } of pending.values()) reject(new Error(`${file} ended`));
  });
  return {
    call: (name, ...[input]) =>
      new Promise((resolve, reject) => {
        id += 1;
        // The result has the type that the child's function of this name returns.
        pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
        child.send({ id, name, input } satisfies Request);
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

/** Calls for the figures of a measured process. */
export const processFigures = {
  /** Returns the user and system CPU time of this process, µs. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },

  /** Resolves with the memory after garbage collection, bytes. `heap` includes buffers outside the JavaScript heap. */
  async memory() {
    // Twice, with a pause: finalizers of the first round release memory that only the second can collect.
    for (let round = 0; round < 2; round += 1) {
      globalThis.gc?.();
      await wait(50);
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heap: heapUsed + external };
  },
};

/** Serves the calls of the parent process, and ends with it. */
export function serveCalls<Child extends Calls<Child>>(calls: Child): void {
  process.on('message', (message: unknown) => {
    // Both ends are compiled from the same types.
    const { id, name, input } = message as Request;
    const call = calls[name as keyof Child] as unknown as (input: unknown) => unknown;
    Promise.resolve()
      .then(() => call(input))
      .then(
        (result) => process.send?.({ id, result } satisfies Response),
        (error: unknown) => process.send?.({ id, error: String(error) } satisfies Response),
      );
  });
  process.on('disconnect', () => process.exit());
}
