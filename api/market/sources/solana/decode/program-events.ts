/** What the log lines of a transaction tell about one program. */
export interface ProgramData {
  /** base64 texts of the `Program data:` lines that the program itself printed, in order. */
  data: string[];
  /** True when the node cut the lines: `data` is then a beginning, and the transaction has the rest. */
  truncated: boolean;
}

const invoke = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,3})\]$/;
const finished = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} (?:success$|failed)/;
const dataPrefix = 'Program data: ';
const truncatedLine = 'Log truncated';

/**
 * Finds what `program` printed by following who calls whom: any program may print any bytes, but only the runtime
 * writes `Program … invoke [depth]` (a program's own text is always prefixed with `Program log: `).
 *
 * Nothing behind `Log truncated` is read: the node then drops long lines and goes on with short ones, so neither the
 * caller nor the place of a later event is certain.
 */
export function programData(lines: readonly string[], program: string): ProgramData {
  const callers: string[] = [];
  const data: string[] = [];
  for (const line of lines) {
    if (line === truncatedLine) return { data, truncated: true };
    const call = invoke.exec(line);
    if (call?.[1] !== undefined) {
      callers.length = Math.min(callers.length, Number(call[2]) - 1);
      callers.push(call[1]);
    } else if (finished.test(line)) callers.pop();
    else if (line.startsWith(dataPrefix) && callers.at(-1) === program) data.push(line.slice(dataPrefix.length));
  }
  return { data, truncated: false };
}
