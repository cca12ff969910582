import { z } from 'zod';
import type { ApiTest } from '../../common/sources/model.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import type { Actor } from '../audit/service.ts';
import type { Keyring } from '../market/sources/keyring.ts';
import { createServiceClient, type ServiceDeps } from '../market/sources/polled/client.ts';
import { RequestError, type RequestErrorCode } from '../market/sources/polled/request-error.ts';
import { solanaTracker } from '../market/sources/services/solana-tracker.ts';
import type { SourceKeys } from './store.ts';

/** An administrator waits for the answer, so it is not asked for long, ms. */
const TEST_TIMEOUT = 8_000;

/** The price data API: whether it answers, and its key (specification, section 7.3). */
export interface PriceApi {
  test(by: Actor): Promise<ApiTest>;
  updateKey(key: string, by: Actor): Promise<{ success: boolean; message: string; apiStatus: string }>;
}

export interface PriceApiDeps extends ServiceDeps {
  keyring: Keyring;
  sourceKeys: SourceKeys;
  adminActions: AdminActions;
  /** Stands in for the service's own address in tests. */
  baseUrl?: string | undefined;
}

const creditsSchema = z.object({ credits: z.number() });

export function createPriceApi(deps: PriceApiDeps): PriceApi {
  const { keyring, sourceKeys, adminActions, clock } = deps;
  const apiUrl = deps.baseUrl ?? solanaTracker.baseUrl;

  /** Asks for the credits: the cheapest question there is. Throws an RequestError. */
  async function credits(): Promise<number | null> {
    // A client of its own each time: what failed before must not keep an administrator from trying.
    const client = createServiceClient(
      {
        ...solanaTracker,
        baseUrl: apiUrl,
        currentKey: () => keyring.current('solana-tracker'),
        timeoutMs: TEST_TIMEOUT,
        retries: 0,
      },
      deps,
    );
    const answer = creditsSchema.safeParse(await client.request({ method: 'GET', path: '/credits' }));
    return answer.success ? Math.round(answer.data.credits) : null;
  }

  async function ask(): Promise<ApiTest> {
    const timestamp = new Date(clock.now()).toISOString();
    try {
      const left = await credits();
      const message =
        left === null
          ? 'The API answers, but does not say how many credits are left.'
          : `The API answers. ${left.toLocaleString('en-US')} credits are left.`;
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
    async test(by) {
      await adminActions.record('source-tested', by, null, solanaTracker.name);
      return ask();
    },
    async updateKey(key, by) {
      await adminActions.record('source-key-updated', by, null, solanaTracker.name);
      await sourceKeys.save('solana-tracker', key);
      const { success, message } = await ask();
      return {
        success: true,
        message: success
          ? 'The key is stored, and the API accepts it.'
          : 'The key is stored and in use. The API could not be asked with it yet.',
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
        'The service may be in trouble. Try again later.',
        'Check that nothing between here and the service answers in its place.',
      ];
    case 'circuit-open':
    case 'stopped':
      return ['Try again in a minute.'];
  }
}
