/**
 * Faults on demand, for tests; a normal start has none. Each address (the path of the URL) has its own faults, so tests
 * that share a chain do not affect each other.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Slots } from '../ledger/slots.ts';
import { invalidParams, RpcError } from './errors.ts';
import type { View } from './method.ts';

/** Hooks around a call. */
export interface Interference {
  view: (path: string) => View;
  /** Runs before a call. May throw an `RpcError` or a `Disconnect`. */
  before: (path: string, method: string) => Promise<void>;
  /** Methods that change the faults of a path. */
  methods: Record<string, (params: readonly unknown[], path: string) => unknown>;
}

/** Thrown to break the connection without a response. */
export class Disconnect extends Error {}

const PLAIN_VIEW: View = { heights: 0, expired: 0, dropsTransaction: () => false };

export const noInterference: Interference = { view: () => PLAIN_VIEW, before: async () => {}, methods: {} };

const scope = { method: z.string().optional(), times: z.number().default(1) };
const faultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status: z.number(), retryAfterSeconds: z.number().optional(), ...scope }),
  z.object({ kind: z.literal('error'), code: z.number(), message: z.string(), ...scope }),
  z.object({ kind: z.literal('delay'), ms: z.number(), ...scope }),
  z.object({ kind: z.literal('disconnect'), ...scope }),
  z.object({ kind: z.literal('drop'), ...scope }),
]);
type Fault = z.infer<typeof faultSchema>;

interface PathFaults {
  faults: Fault[];
  heights: number;
  expired: number;
}

export function createFaults(slots: Slots): Interference {
  const byPath = new Map<string, PathFaults>();
  const of = (path: string): PathFaults => {
    const found = byPath.get(path) ?? { faults: [], heights: 0, expired: 0 };
    byPath.set(path, found);
    return found;
  };

  /** Removes one occurrence of the first fault that applies. */
  const take = (path: string, method: string, isDrop: boolean): Fault | null => {
    const { faults } = of(path);
    const fault = faults.find((one) => (one.kind === 'drop') === isDrop && (one.method ?? method) === method);
    if (!fault) return null;
    fault.times -= 1;
    if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
    return fault;
  };

  return {
    view(path) {
      if (!byPath.has(path)) return PLAIN_VIEW;
      const { heights, expired } = of(path);
      return { heights, expired, dropsTransaction: () => take(path, 'sendTransaction', true) !== null };
    },
    async before(path, method) {
      const fault = byPath.has(path) ? take(path, method, false) : null;
      if (fault) await apply(fault);
    },
    methods: {
      test_inject([fault], path) {
        const { data } = faultSchema.safeParse(fault);
        if (!data) throw invalidParams('invalid fault');
        of(path).faults.push(data);
        return true;
      },
      test_clearFaults(_, path) {
        of(path).faults = [];
        return true;
      },
      /** Resolves in the next slot, which brings a valid blockhash. */
      async test_expireBlockhashes(_, path) {
        const found = of(path);
        found.expired = slots.height();
        found.heights += slots.window + 1;
        while (slots.height() <= found.expired) await delay(1);
        return true;
      },
    },
  };
}

async function apply(fault: Fault): Promise<void> {
  switch (fault.kind) {
    case 'status': {
      const { status, retryAfterSeconds } = fault;
      const message = status === 429 ? 'Too many requests for a specific RPC call' : 'injected';
      throw new RpcError(status, message, {
        status,
        ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
      });
    }
    case 'error':
      throw new RpcError(fault.code, fault.message);
    case 'disconnect':
      throw new Disconnect();
    case 'delay':
      await delay(fault.ms);
      return;
    case 'drop':
      return;
  }
}
