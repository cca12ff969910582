import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { jobOf, type ReplayMessage } from './job.ts';
import { runJob } from './run-job.ts';

/** The thread of a run: its job comes as text, its progress and result go as messages. */
const post = (message: ReplayMessage): void => parentPort?.postMessage(message);

const result = await runJob(jobOf(z.string().parse(workerData)), (progress) => post({ type: 'progress', progress }));
if (result === null) throw new Error('nothing of the hour can be read');
post({ type: 'result', result });
