import { adminCalls } from '../../common/admin/http.ts';
import { counted } from '../../common/counted.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { RunAction } from '../../common/maintenance/model.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { request } from '../http/client.ts';
import { liveOf } from '../live/live.ts';
import { queryClientAtom, type Store } from '../store.ts';

/** Maintenance of tokens that administrators start on these pages. */
export type TokenAction = Exclude<RunAction, 'analyze-runner-tokens' | 'broadcast'>;

/** Titles of the toasts that report the outcome (specification, section 8.7). */
export const toastTitles: Record<TokenAction, { done: string; failed: string }> = {
  'cleanup-mock-tokens': { done: 'Cleanup completed', failed: 'Cleanup failed' },
  'cleanup-all-invalid-tokens': { done: 'Cleanup completed', failed: 'Cleanup failed' },
  'cleanup-recent-tokens': { done: 'Cleanup completed', failed: 'Cleanup failed' },
  'remove-all-tokens': { done: 'Database Reset', failed: 'Reset Failed' },
  'force-aggregator-scan': { done: 'Aggregator Scan Started', failed: 'Scan Failed' },
  'run-multi-source-aggregator': { done: 'Aggregator Scan Started', failed: 'Multi-Source Aggregator Failed' },
};

export interface ActionResult {
  text: string;
  /** False when there was nothing to start; `text` has the reason. */
  started: boolean;
}

/** Requests an action. `hoursAgo` applies to recent tokens only; `headers` may carry an admin key. */
export async function requestAction(
  action: TokenAction,
  hoursAgo: number,
  headers: Record<string, string> = {},
): Promise<ActionResult> {
  switch (action) {
    case 'cleanup-mock-tokens':
      return removalResult((await request(maintenanceCalls.cleanupMockTokens, { headers })).data);
    case 'cleanup-all-invalid-tokens':
      return removalResult((await request(maintenanceCalls.cleanupInvalidTokens, { headers })).data);
    case 'cleanup-recent-tokens':
      return removalResult((await request(maintenanceCalls.cleanupRecentTokens, { body: { hoursAgo } })).data);
    case 'remove-all-tokens':
      return removalResult((await request(maintenanceCalls.removeAllTokens)).data);
    case 'force-aggregator-scan':
      return scanResult((await request(maintenanceCalls.forceAggregatorScan)).data);
    case 'run-multi-source-aggregator':
      return scanResult((await request(maintenanceCalls.runMultiSourceAggregator, { headers, body: {} })).data);
  }
}

function removalResult({ message, count: tokens }: { message: string; count: number }): ActionResult {
  return { text: message || `Removed ${counted(tokens, 'token')}.`, started: true };
}

function scanResult({ message, started }: { message: string; started: boolean }): ActionResult {
  return { text: message, started };
}

/** Refetches lists and totals after a removal. The rows themselves leave by the feed. */
export function refreshTokens(store: Store): void {
  const client = store.get(queryClientAtom);
  for (const call of [tokenCalls.list, tokenCalls.new, tokenCalls.earlyLiquidity, adminCalls.stats]) {
    void client.invalidateQueries({ queryKey: [call.path] });
  }
  const { loader } = liveOf(store);
  void loader.load('all');
  void loader.load('new');
  void loader.loadStats();
}
