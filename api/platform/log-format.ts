import { pino } from 'pino';
import { z } from 'zod';

const LEVEL_WIDTH = 5;
/** Something is wrong with the program, and where it happened is worth the space. */
const WITH_STACK: ReadonlySet<string> = new Set(['error', 'fatal']);

const errorSchema = z.object({ message: z.string(), stack: z.string().optional() });
const recordSchema = z.looseObject({
  level: z.number(),
  time: z.iso.datetime(),
  msg: z.string().default(''),
  error: errorSchema.optional(),
});

/** One JSON line of the log as a person reads it on a terminal: time of day, level, text, and what else is known. */
export function plainLine(json: string): string {
  const { level, time, msg, error, ...others } = recordSchema.parse(JSON.parse(json));
  const [clock] = new Date(time).toTimeString().split(' ');
  const label = pino.levels.labels[level] ?? String(level);
  const facts = Object.entries(others).map(([name, value]) => `${name}=${factText(value)}`);
  const text = [clock, label.padEnd(LEVEL_WIDTH), msg, ...facts].join(' ');
  if (!error) return `${text}\n`;
  const why = WITH_STACK.has(label) && error.stack ? `\n${error.stack}` : `: ${error.message}`;
  return `${text}${why}\n`;
}

function factText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
