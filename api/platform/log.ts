import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { plainLine } from './log-format.ts';
import { loggable } from './loggable.ts';

/** Fields that are never written, at the top of a line or one below. */
const SECRETS = ['password', 'cookie', 'authorization', 'privateKey', 'secretKey', 'sealedKey', 'seed'];

/**
 * Lines on the standard output: JSON for programs, short plain ones on a terminal. Errors are written by name, message
 * and stack alone; named secrets never.
 */
export function createLog(level: Config['logLevel'], out: LogStream = process.stdout): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: loggable, error: loggable },
    redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
  };
  return pino(options, out.isTTY ? { write: (json) => out.write(plainLine(json)) } : out);
}

type LogStream = DestinationStream & { isTTY?: boolean };
