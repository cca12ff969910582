import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { z } from 'zod';
import { PublicError } from '../../common/errors.ts';
import type { Config } from '../config/config.ts';

/** Fields that are never logged, at the top of a line or one level below. */
const SECRETS = ['password', 'cookie', 'authorization', 'privateKey', 'secretKey', 'sealedKey', 'seed'];

type LogStream = DestinationStream & { isTTY?: boolean };

/**
 * Creates the log: JSON lines for programs, short plain lines on a terminal. Errors are logged by name, message and stack
 * alone; named secrets never.
 */
export function createLog(level: Config['logLevel'], out: LogStream = process.stdout): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: loggable, error: loggable },
    redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
  };
  return pino(options, out.isTTY ? prettyStream(out) : out);
}

/** Formats lines for a terminal: time of day, level, text, fields. Synchronous, so that a crash loses no line. */
function prettyStream(out: LogStream): DestinationStream {
  const format = pretty.prettyFactory({
    colorize: false,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    ignore: 'err,error',
    messageFormat: textOf,
  });
  return { write: (json) => out.write(format(json)) };
}

/** pino's number of the level `error`. */
const ERROR_LEVEL = 50;

const prettyRecord = z.object({
  level: z.number(),
  msg: z.string().default(''),
  error: z.object({ message: z.string(), stack: z.string().optional() }).optional(),
});

/** Appends the error: with its stack where something is wrong with the program, else its message alone. */
function textOf(record: Record<string, unknown>): string {
  const { level, msg, error } = prettyRecord.parse({ ...record, error: record.error ?? record.err });
  if (!error) return msg;
  return level >= ERROR_LEVEL && error.stack ? `${msg}\n${error.stack}\n` : `${msg}: ${error.message}`;
}

/**
 * Returns the loggable part of an error: name, message and stack, without the fields that libraries attach (bodies,
 * commands, URIs). A PublicError is no fault of the program, so its stack is left out.
 */
function loggable(error: unknown): { name: string; message: string; stack?: string | undefined } {
  if (!(error instanceof Error)) return { name: 'unknown', message: typeof error };
  const { name, message, stack } = error;
  if (error instanceof PublicError) return { name, message };
  return { name, message: withoutCredentials(message), stack: stack && withoutCredentials(stack) };
}

/** A run of characters this long in a request path may be a private key that was pasted into the wrong place. */
const LONG_RUN = /[A-Za-z0-9+_=-]{64,}/g;

/** Returns the path of a request for the log, without anything that may be a key. */
export function loggablePath(path: string): string {
  return path.replace(LONG_RUN, '***');
}

/** Removes `user:password@` from every address in the text. */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]+@/g, '//***@');
}
