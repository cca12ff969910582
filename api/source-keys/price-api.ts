import { z } from 'zod';
import type { ApiTest } from '../../common/sources/model.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import type { Actor } from '../audit/service.ts';
import type { Keyring } from '../market/sources/keyring.ts';
import { createServiceClient, type ServiceDeps } from '../market/sources/polled/client.ts';
import { RequestError, type RequestErrorCode } from '../market/sources/polled/request-error.ts';
import { createSolanaTracker } from '../market/sources/services/solana-tracker.ts';
import type { SourceKeys } from './store.ts';

/** Timeout of a test, ms: an administrator waits for it. */
const TEST_TIMEOUT = 8_000;

/** Test and key of the price data API (specification, section 7.3). */
export type PriceApi = ReturnType<typeof createPriceApi>;

/** Its plan does not matter: a test is not metered. */
const solanaTracker = createSolanaTracker('free');
const creditsSchema = z.object({ credits: z.number() });

export function createPriceApi(
  deps: ServiceDeps & {
    keyring: Keyring;
    sourceKeys: SourceKeys;
    adminActions: AdminActions;
    /** Replaces the service's address in tests. */
    baseUrl?: string | undefined;
  },
) {
  const { keyring, sourceKeys, adminActions, clock } = deps;
  const apiUrl = deps.baseUrl ?? solanaTracker.baseUrl;

  /** Fetches the remaining credits, the cheapest request; null when missing. Throws a RequestError. */
  async function fetchCredits(): Promise<number | null> {
    // A new client each time, so that earlier failures do not block a test.
    const client = createServiceClient(
      {
        ...solanaTracker,
        allowance: undefined,
        baseUrl: apiUrl,
        currentKey: () => keyring.current('solana-tracker'),
        timeoutMs: TEST_TIMEOUT,
        retries: 0,
      },
      deps,
    );
    const response = creditsSchema.safeParse(await client.request({ method: 'GET', path: '/credits' }));
    return response.success ? Math.round(response.data.credits) : null;
  }

  async function runTest(): Promise<ApiTest> {
    const timestamp = new Date(clock.now()).toISOString();
    try {
      const left = await fetchCredits();
      const message =
        left === null
          ? 'The API works, but did not report the remaining credits.'
          : `The API works. ${left.toLocaleString('en-US')} credits are left.`;
      return { success: true, message, apiUrl, timestamp, creditsUsed: left, troubleshooting: [] };
    } catch (error) {
      const failure = error instanceof RequestError ? error : new RequestError('network');
      return {
        success: false,
        message: failure.message,
        apiUrl,
        timestamp,
        creditsUsed: null,
        troubleshooting: adviceFor(failure.code),
      };
    }
  }

  return {
    async test(by: Actor): Promise<ApiTest> {
      await adminActions.record('source-tested', by, null, solanaTracker.name);
      return runTest();
    },
    async updateKey(key: string, by: Actor): Promise<{ success: boolean; message: string; apiStatus: string }> {
      await adminActions.record('source-key-updated', by, null, solanaTracker.name);
      await sourceKeys.save('solana-tracker', key);
      const { success, message } = await runTest();
      return {
        success: true,
        message: success
          ? 'The key is stored, and the API accepts it.'
          : 'The key is stored and in use. It could not be tested yet.',
        apiStatus: message,
      };
    },
  };
}

function adviceFor(code: RequestErrorCode): string[] {
  switch (code) {
    case 'no-key':
      return ['Enter an API key below, or set SOLANA_TRACKER_API_KEY and restart.'];
    case 'forbidden':
      return [
        'Check that the key was copied completely.',
        'Check at solanatracker.io that the key is active and its plan includes this API.',
      ];
    case 'rate-limited':
    case 'budget-spent':
    case 'allowance-paced':
    case 'allowance-spent':
      return ['Wait a minute and try again.', 'Check at solanatracker.io how many requests the plan has left.'];
    case 'timeout':
    case 'network':
      return [
        'Check that this server can reach data.solanatracker.io (network, DNS, firewall).',
        'Try again in a minute.',
      ];
    case 'server':
    case 'not-json':
    case 'too-large':
    case 'refused':
    case 'not-found':
      return [
        'The service may have a problem. Try again later.',
        'Check that no proxy responds instead of the service.',
      ];
    case 'circuit-open':
    case 'stopped':
      return ['Try again in a minute.'];
  }
}
