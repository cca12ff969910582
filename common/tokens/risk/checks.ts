import type { RiskCheck } from './check.ts';
import { controlChecks } from './checks/controls.ts';
import { developerChecks } from './checks/developer.ts';
import { insiderChecks } from './checks/insiders.ts';
import { marketChecks } from './checks/market.ts';
import { checkIds } from './reason.ts';

const byId = new Map<string, RiskCheck>(
  [...controlChecks, ...developerChecks, ...insiderChecks, ...marketChecks].map((check) => [check.id, check]),
);

/**
 * Every risk check, in the order of `checkIds`. The points come from measurements on coins of known fate (`npm run bench:verdict`)
 * and from published rules; the three controls carry 15 points besides being hard flags.
 */
export const riskChecks: readonly RiskCheck[] = checkIds.flatMap((id) => byId.get(id) ?? []);
