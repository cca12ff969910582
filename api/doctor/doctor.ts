import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { createLog } from '../platform/log.ts';
import type { Finding } from './finding.ts';
import { checkDisk, checkGlibc, checkMachine, checkPorts } from './machine.ts';
import { checkChain, checkData, checkMongo } from './services.ts';

const SIGNS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

/** What the doctor finds out from the command that started it. */
export interface Surroundings {
  /** Throws when the embedded MongoDB cannot run here. */
  requireEmbeddedMongo(): void;
  glibc: string | undefined;
}

/** Checks what a start needs, and prints a line for each finding. Resolves with whether nothing failed. Changes no data. */
export async function examine(
  config: Config,
  { requireEmbeddedMongo, glibc }: Surroundings,
  print: (line: string) => void,
): Promise<boolean> {
  const log = createLog('silent');
  const checks: Promise<Finding | Finding[]>[] = [
    Promise.resolve(checkMachine()),
    Promise.resolve(checkGlibc(config.mongoUri, requireEmbeddedMongo, glibc)),
    checkDisk(config.dataDir),
    checkPorts(config),
    checkData(config, existsSync(config.dataDir)),
    ...(config.mongoUri === null ? [] : [checkMongo(config.mongoUri, log)]),
    checkChain(config),
  ];
  const findings = (await Promise.all(checks)).flat();
  for (const { state, subject, text } of findings) print(`${SIGNS[state]}  ${subject.padEnd(8)} ${text}`);
  return findings.every(({ state }) => state !== 'fail');
}
