import type { RunAction } from '../../common/maintenance/model.ts';

/** The works about tokens that administrators have done from here. */
export type TokenAction = Exclude<RunAction, 'analyze-runner-tokens' | 'broadcast'>;

/** While one of these is under way, the server begins no other work about tokens. */
const removing: ReadonlySet<RunAction> = new Set<RunAction>([
  'cleanup-mock-tokens',
  'cleanup-all-invalid-tokens',
  'cleanup-recent-tokens',
  'remove-all-tokens',
]);

export function isRemoving(action: RunAction): boolean {
  return removing.has(action);
}

/** The titles of the toasts that tell how it went (specification, section 8.7). */
export const toastTitles: Record<TokenAction, { done: string; failed: string }> = {
  'cleanup-mock-tokens': { done: 'Cleanup completed', failed: 'Cleanup failed' },
  'cleanup-all-invalid-tokens': { done: 'Cleanup completed', failed: 'Cleanup failed' },
  'cleanup-recent-tokens': { done: 'Cleanup completed', failed: 'Cleanup failed' },
  'remove-all-tokens': { done: 'Database Reset', failed: 'Reset Failed' },
  'force-aggregator-scan': { done: 'Aggregator Scan Started', failed: 'Scan Failed' },
  'run-multi-source-aggregator': { done: 'Aggregator Scan Started', failed: 'Multi-Source Aggregator Failed' },
};
