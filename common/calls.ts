import { authCalls } from './auth/http.ts';
import { configCalls } from './config/http.ts';
import { healthCalls } from './health/http.ts';
import type { Call } from './http.ts';
import { maintenanceCalls } from './maintenance/http.ts';
import { ruleCalls } from './rules/http.ts';
import { settingsCalls } from './settings/http.ts';
import { strategyCalls } from './strategies/http.ts';
import { tokenCalls } from './tokens/http.ts';
import { transactionCalls } from './transactions/http.ts';
import { userCalls } from './users/http.ts';
import { walletCalls } from './wallet/http.ts';
import { watchlistCalls } from './watchlists/http.ts';

/** Every REST call of the product, by subject. The attack tests walk this list, so a call that is not here does not exist. */
export const calls = {
  auth: authCalls,
  config: configCalls,
  health: healthCalls,
  maintenance: maintenanceCalls,
  rules: ruleCalls,
  settings: settingsCalls,
  strategies: strategyCalls,
  tokens: tokenCalls,
  transactions: transactionCalls,
  users: userCalls,
  wallet: walletCalls,
  watchlists: watchlistCalls,
};

/** The same, as one flat list with names such as `tokens.list`. */
export function everyCall(): { name: string; call: Call }[] {
  return Object.entries(calls).flatMap(([subject, group]) =>
    Object.entries(group).map(([name, call]) => ({ name: `${subject}.${name}`, call })),
  );
}
