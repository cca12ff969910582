import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { loggable } from './loggable.ts';

/** JSON lines on the standard output. Errors are written by name, message and stack alone; named secrets never. */
export function createLog(level: Config['logLevel']): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: loggable, error: loggable },
    redact: ['*.password', '*.cookie', '*.authorization', 'password', 'cookie', 'authorization'],
  });
}
