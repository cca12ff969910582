import { authCalls } from './auth/http.ts';
import { healthCalls } from './health/http.ts';
import type { Call } from './http.ts';
import { tokenCalls } from './tokens/http.ts';

/** Every REST call of the product, by subject. The attack tests walk this list, so a call that is not here does not exist. */
export const calls = {
  auth: authCalls,
  health: healthCalls,
  tokens: tokenCalls,
};

/** The same, as one flat list with names such as `tokens.list`. */
export function everyCall(): { name: string; call: Call }[] {
  return Object.entries(calls).flatMap(([subject, group]) =>
    Object.entries(group).map(([name, call]) => ({ name: `${subject}.${name}`, call })),
  );
}
