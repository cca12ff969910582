/**
 * Trouble on demand, for tests: a normal start makes none of this. Each address (the path of the URL) has its own
 * trouble, so that tests which share a chain do not meet one another's.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { invalidParams, RpcError } from './errors.mjs';
import { plainView } from './methods.mjs';

const KINDS = ['status', 'error', 'delay', 'disconnect', 'drop'];

/**
 * What is done with a call before it is answered.
 * @typedef {object} Interference
 * @property {(path: string) => import('./methods.mjs').View} view
 * @property {(path: string, method: string) => Promise<void>} before may throw: an RpcError, or a Disconnect
 * @property {import('./methods.mjs').Methods | null} methods that change it, by the path as the third argument
 */

/** The connection breaks without an answer. */
export class Disconnect extends Error {}

/** @type {Interference} */
export const noInterference = { view: () => plainView, before: async () => {}, methods: null };

/**
 * @param {{ slots: ReturnType<typeof import('./slots.mjs').createSlots> }} parts
 * @returns {Interference & { methods: Record<string, (params: unknown[], path: string) => unknown> }}
 */
export function createFaults({ slots }) {
  /** @type {Map<string, { rules: object[], heights: number, expired: number }>} */
  const byPath = new Map();
  const of = (path) => {
    const known = byPath.get(path) ?? { rules: [], heights: 0, expired: 0 };
    byPath.set(path, known);
    return known;
  };

  const take = (path, method, isDrop) => {
    const { rules } = of(path);
    const index = rules.findIndex((rule) => (rule.kind === 'drop') === isDrop && (rule.method ?? method) === method);
    if (index < 0) return null;
    const rule = rules[index];
    rule.times -= 1;
    if (rule.times <= 0) rules.splice(index, 1);
    return rule;
  };

  return {
    view(path) {
      if (!byPath.has(path)) return plainView;
      const { heights, expired } = of(path);
      return { heights, expired, dropsTransaction: () => take(path, 'sendTransaction', true) !== null };
    },
    async before(path, method) {
      const rule = byPath.has(path) ? take(path, method, false) : null;
      switch (rule?.kind) {
        case 'status':
          throw new RpcError(
            rule.status,
            rule.status === 429 ? 'Too many requests for a specific RPC call' : 'injected',
            {
              status: rule.status,
              retryAfter: rule.retryAfterSeconds,
            },
          );
        case 'error':
          throw new RpcError(rule.code, rule.message);
        case 'disconnect':
          throw new Disconnect();
        case 'delay':
          await delay(rule.ms);
          return;
        default:
          return;
      }
    },
    methods: {
      test_inject([fault = {}], path) {
        if (!KINDS.includes(fault.kind)) throw invalidParams(`a fault is one of ${KINDS.join(', ')}`);
        of(path).rules.push({ times: 1, ...fault });
        return true;
      },
      test_clearFaults(_, path) {
        of(path).rules = [];
        return true;
      },
      /** From the next slot on, there is a blockhash that counts. */
      async test_expireBlockhashes(_, path) {
        const own = of(path);
        own.expired = slots.height();
        own.heights += slots.window + 1;
        while (slots.height() <= own.expired) await delay(1);
        return true;
      },
    },
  };
}
