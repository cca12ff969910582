/** What a check found: in order, worth a look, or something that keeps Mintwatch from working. */
export interface Finding {
  state: 'ok' | 'warn' | 'fail';
  subject: string;
  /** One sentence; for `warn` and `fail` with the way out. Never contains a key or an address with one. */
  text: string;
}

/** Returns a finding: in order, or with the way out. */
export const ok = (subject: string, text: string): Finding => ({ state: 'ok', subject, text });
export const warn = (subject: string, text: string): Finding => ({ state: 'warn', subject, text });
export const fail = (subject: string, text: string): Finding => ({ state: 'fail', subject, text });
