import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
// Declares the type of the provided 'mongoUri'.
import type {} from '../../api/testing/database.ts';
import { startBuiltMongo } from './embedded-mongo.ts';

/** Longer than a run: a sweep looks through the indexes of all databases, and its tests have a server of their own. */
const SWEEP_MS = 3_600_000;

/** Starts one embedded MongoDB for all integration tests of a run; each file creates its own database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-test-'));
  const mongo = await startBuiltMongo(directory, { log: console.warn, sweepMs: SWEEP_MS });
  project.provide('mongoUri', mongo.uri);
  return async () => {
    await mongo.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
