import { adminCalls } from './admin/http.ts';
import { alertCalls } from './alerts/http.ts';
import { alertRuleCalls } from './alerts/rules/http.ts';
import { apiKeyCalls } from './api-keys/http.ts';
import { auditCalls } from './audit/http.ts';
import { authCalls } from './auth/http.ts';
import { calibrationCalls } from './calibration/http.ts';
import { configCalls } from './client-config/http.ts';
import { decisionCalls } from './decisions/http.ts';
import { diagnosticsCalls } from './diagnostics/http.ts';
import { healthCalls } from './health/http.ts';
import type { Call } from './http.ts';
import { launchCalls } from './launches/http.ts';
import { maintenanceCalls } from './maintenance/http.ts';
import { presetCalls } from './presets/http.ts';
import { replayCalls } from './replay/http.ts';
import { ruleCalls } from './rules/http.ts';
import { settingsCalls } from './settings/http.ts';
import { sourceCalls } from './sources/http.ts';
import { strategyCalls } from './strategies/http.ts';
import { telegramCalls } from './telegram/http.ts';
import { templateCalls } from './templates/http.ts';
import { tokenCalls } from './tokens/http.ts';
import { adminTradingCalls, tradingCalls } from './trading/http.ts';
import { transactionCalls } from './transactions/http.ts';
import { userCalls } from './users/http.ts';
import { walletCalls } from './wallet/http.ts';
import { watchlistCalls } from './watchlists/http.ts';
import { webhookCalls } from './webhook/http.ts';

/** Every REST call of the product, by subject. The attack tests walk this list; a call must be listed here to exist. */
export const calls = {
  admin: adminCalls,
  adminTrading: adminTradingCalls,
  alertRules: alertRuleCalls,
  alerts: alertCalls,
  apiKeys: apiKeyCalls,
  audit: auditCalls,
  auth: authCalls,
  calibration: calibrationCalls,
  config: configCalls,
  decisions: decisionCalls,
  diagnostics: diagnosticsCalls,
  health: healthCalls,
  launches: launchCalls,
  maintenance: maintenanceCalls,
  presets: presetCalls,
  replay: replayCalls,
  rules: ruleCalls,
  settings: settingsCalls,
  sources: sourceCalls,
  strategies: strategyCalls,
  telegram: telegramCalls,
  templates: templateCalls,
  tokens: tokenCalls,
  trading: tradingCalls,
  transactions: transactionCalls,
  users: userCalls,
  wallet: walletCalls,
  watchlists: watchlistCalls,
  webhook: webhookCalls,
};

/** Returns all calls as one flat list with names such as `tokens.list`. */
export function everyCall(): { name: string; call: Call }[] {
  return Object.entries(calls).flatMap(([subject, group]) =>
    Object.entries(group).map(([name, call]) => ({ name: `${subject}.${name}`, call })),
  );
}
