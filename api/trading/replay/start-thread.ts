import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { z } from 'zod';
import { replayResultSchema } from '../../../common/replay/model.ts';
import { productRoot } from '../../platform/product.ts';
import type { ReplayJob, RunResult } from './run-job.ts';

/** A run in a thread of its own. */
export interface ReplayThread {
  /** Resolves with the result. Rejects when the run fails or was ended. */
  readonly result: Promise<RunResult>;
  /** Ends the thread, also in the middle of its work. */
  end(): void;
}

/** Memory of a run, MB: the tokens of a busy hour need a fraction of it. */
const MEMORY_MB = 512;
/** Below the product's folder: the build merges this module into another file. */
const BUILT_THREAD = '.build/server/api/trading/replay/thread.js';

/** A message of a run's thread. `progress`: 0–1. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), progress: z.number() }),
  z.object({ type: z.literal('result'), result: replayResultSchema.omit({ live: true }) }),
]);

export type ReplayMessage = z.infer<typeof messageSchema>;

/** Starts a run. `onProgress` receives 0–1. */
export function startThread(job: ReplayJob, onProgress: (progress: number) => void): ReplayThread {
  const worker = createWorker({
    workerData: JSON.stringify(job),
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const result = new Promise<RunResult>((resolve, reject) => {
    worker.on('message', (value) => {
      const message = messageSchema.safeParse(value);
      if (!message.success) reject(message.error);
      else if (message.data.type === 'progress') onProgress(message.data.progress);
      else resolve(message.data.result);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('a run ended without a result')));
  });
  return { result, end: () => void worker.terminate() };
}

/** `npm start` runs the build of the server; tests and `npm run dev` its TypeScript sources, which need their loader first. */
function createWorker(options: WorkerOptions): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(path.join(productRoot(), BUILT_THREAD), options);
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx'));
  const urls = [new URL('esm/api/index.mjs', tsx), new URL('thread.ts', import.meta.url)];
  const [loader, entry] = urls.map(({ href }) => JSON.stringify(href));
  const start = `import(${loader}).then(({ register }) => { register(); return import(${entry}); })`;
  return new Worker(start, { ...options, eval: true });
}
