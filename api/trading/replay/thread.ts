import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { type ReplayJob, runJob } from './run-job.ts';
import type { ReplayMessage } from './start-thread.ts';

/** The thread of a run: its job comes as text, its progress and result go as messages. */
const post = (message: ReplayMessage): void => parentPort?.postMessage(message);

const job: ReplayJob = JSON.parse(z.string().parse(workerData));
const result = await runJob(job, (progress) => post({ type: 'progress', progress }));
if (result === null) throw new Error('nothing of the hour can be read');
post({ type: 'result', result });
