import { beforeEach, describe, expect, test } from 'vitest';
import { refusalTexts } from '../../../common/transactions/failure.ts';
import { confirmTimeout } from '../../chain/chain.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { type FakeChain, fakeAddress, fakeChain, fakeKey, localConfig } from '../../chain/testing/fake-chain.ts';
import { createPendingTransfer } from './pending-transfer.ts';
import type { TransferPlan } from './transfer-check.ts';
import { createTransferFlow, type TransferFlow } from './transfer-flow.ts';

const SOL = 1_000_000_000n;
const from = fakeAddress(1);
const to = fakeAddress(2);
const plan: TransferPlan = { from, to, lamports: SOL, fee: 5000n, left: 4n * SOL - 5000n, warnings: [] };
const key = async () => fakeKey(1).privateKey;

/** Opens a flow whose clock only advances while it sleeps. Each sleep calls `meanwhile`. */
function open(chain: FakeChain, meanwhile: (slept: number) => void = () => {}) {
  const calls: string[] = [];
  let now = 0;
  let slept = 0;
  const pending = createPendingTransfer('user-1', localConfig);
  const flow = createTransferFlow({
    client: chain.client,
    pending,
    record: async (_, refusal) => void calls.push(refusal === undefined ? 'record' : `record ${refusal}`),
    reloadBalance: async () => void calls.push('reload'),
    onDone: () => calls.push('done'),
    onFailed: (message) => calls.push(message),
    now: () => now,
    async sleep(ms) {
      now += ms;
      slept += 1;
      if (slept > 200) throw new Error('the flow never ends');
      meanwhile(slept);
    },
  });
  return { flow, calls, pending, stop: flow.start() };
}

async function send(flow: TransferFlow): Promise<void> {
  flow.review(plan);
  await flow.confirm(key);
}

let chain: FakeChain;
beforeEach(() => {
  chain = fakeChain({ [from]: 5n * SOL });
});

describe('a transfer that works', () => {
  test('builds, fetches the latest block hash, signs, sends, waits, fetches the balance and is done [S4-21, S4-22]', async () => {
    const { flow, calls, pending } = open(chain);
    await send(flow);
    expect(chain.calls.slice(0, 4)).toEqual(['build', 'latestBlock', 'sign', 'send']);
    expect(calls).toEqual(['record', 'reload', 'done']);
    expect(flow.state().phase).toBe('done');
    expect(chain.balances.get(to)).toBe(SOL);
    expect(pending.read()).toBeNull();
    expect(chain.watching()).toBe(0);
  });

  test('is signed and sent once, however often it is confirmed', async () => {
    const { flow } = open(chain);
    flow.review(plan);
    await Promise.all([flow.confirm(key), flow.confirm(key), flow.confirm(key)]);
    await flow.confirm(key);
    expect(chain.count('sign')).toBe(1);
    expect(chain.balances.get(to)).toBe(SOL);
  });

  test('a wrong password returns to the confirmation without a signature', async () => {
    const { flow } = open(chain);
    flow.review(plan);
    await flow.confirm(() => Promise.reject(new Error('This is not your password.')));
    expect(flow.state()).toMatchObject({ phase: 'confirming', problem: 'This is not your password.' });
    expect(chain.count('sign')).toBe(0);
    await flow.confirm(key);
    expect(flow.state().phase).toBe('done');
  });
});

describe('two tabs', () => {
  const otherTabsTransfer = {
    from,
    to,
    lamports: '1',
    signature: 'later',
    bytes: '',
    lastValidBlockHeight: 1e9,
    accepted: true,
  };

  test('that confirm at the same time send one transfer; the slower one reports and shows it', async () => {
    const { flow, calls, pending, stop } = open(chain, () => stop());
    flow.review(plan);
    await flow.confirm(() => {
      pending.write(otherTabsTransfer);
      return key();
    });
    expect(flow.state()).toEqual({ phase: 'following', sent: otherTabsTransfer });
    expect(calls[0]).toMatch(/Another tab has a transfer under way, which is shown here. Yours was not sent/);
    expect(chain.count('send')).toBe(0);
    expect(pending.read()).toEqual(otherTabsTransfer);
  });

  test('a settled transfer does not clear one that another tab sent since', () => {
    const pending = createPendingTransfer('user-1', localConfig);
    pending.write(otherTabsTransfer);
    pending.clear('earlier');
    expect(pending.read()).toEqual(otherTabsTransfer);
    pending.clear('later');
    expect(pending.read()).toBeNull();
  });
});

describe('a transfer that certainly failed', () => {
  test.each([
    ['unreachable', /^Error creating transaction: The Solana node cannot be reached/],
    ['rate-limited', /^Error creating transaction: The Solana node gets too many requests/],
  ] as const)('before it was sent (%s) reports it and leaves nothing behind', async (kind, text) => {
    chain.fail('latestBlock', new ChainError(kind));
    const { flow, calls, pending } = open(chain);
    await send(flow);
    expect(calls).toEqual([expect.stringMatching(text)]);
    expect(pending.read()).toBeNull();
    expect(chain.count('send')).toBe(0);
  });

  test.each([
    ['expired', /its blockhash has expired/],
    ['fee', /not hold enough SOL for the network fee/],
    ['funds', /not hold enough SOL for this amount/],
    ['rent', /less SOL than the network requires/],
    ['simulation', /refused it when it tried it out/],
  ] as const)('because the node refused it (%s) reports the reason [S8.6-10]', async (kind, text) => {
    chain.fail('send', new ChainError(kind));
    const { flow, calls, pending } = open(chain);
    await send(flow);
    expect(flow.state()).toMatchObject({ phase: 'failed', message: expect.stringMatching(text) });
    // The toast and the row, whose text follows from the recorded refusal, give one reason.
    expect(calls).toEqual(['record', `Transaction failed: ${refusalTexts[kind]}`, `record ${kind}`]);
    expect(pending.read()).toBeNull();
    expect(chain.count('send')).toBe(1);
  });

  test('on the chain reports the reason', async () => {
    chain.confirms = false;
    const { flow, calls } = open(chain, () => {
      const state = flow.state();
      if (state.phase === 'following') chain.settle(state.sent.signature, { is: 'failed', why: 'no rent' });
    });
    await send(flow);
    expect(calls.at(-1)).toBe('Transaction failed: no rent');
  });
});

describe('a transfer whose outcome is unknown', () => {
  test('because the node was unreachable during sending is followed, never signed again', async () => {
    chain.confirms = false;
    chain.fail('send', new ChainError('unreachable'));
    const seen: string[] = [];
    const { flow, calls, pending } = open(chain, (slept) => {
      seen.push(flow.state().phase);
      expect(pending.read()).not.toBeNull();
      const state = flow.state();
      if (slept === 5 && 'sent' in state) chain.settle(state.sent.signature, { is: 'confirmed' });
    });
    await send(flow);
    expect(new Set(seen)).toEqual(new Set(['unknown']));
    expect(calls).toEqual(['record', 'reload', 'done']);
    expect(chain.count('sign')).toBe(1);
    // The same bytes are resent while they can still be accepted.
    expect(chain.count('send')).toBeGreaterThan(1);
  });

  test('because of repeated 429 responses is confirmed when the chain has it', async () => {
    chain.fail('send', new ChainError('rate-limited'));
    const { flow } = open(chain);
    await send(flow);
    expect(flow.state().phase).toBe('done');
    expect(chain.balances.get(to)).toBe(SOL);
  });

  test('because it was not confirmed within 30 seconds is still followed [S9-22]', async () => {
    chain.confirms = false;
    const phases: string[] = [];
    const { flow } = open(chain, (slept) => {
      phases.push(flow.state().phase);
      const state = flow.state();
      if (slept === 20 && 'sent' in state) chain.settle(state.sent.signature, { is: 'confirmed' });
    });
    await send(flow);
    expect(confirmTimeout('confirmed')).toBe(30_000);
    expect(phases.slice(0, 15)).toEqual(new Array<string>(15).fill('following'));
    expect(phases.slice(16, 20)).toEqual(new Array<string>(4).fill('unknown'));
    expect(flow.state().phase).toBe('done');
  });

  test('fails once its last block has passed, and is no longer resent', async () => {
    chain.confirms = false;
    chain.fail('send', new ChainError('unreachable'));
    let sends = 0;
    const { flow, calls, pending } = open(chain, (slept) => {
      if (slept === 3) {
        chain.height += 151;
        sends = chain.count('send');
      }
    });
    await send(flow);
    expect(calls.at(-1)).toMatch(/^Transaction failed: The network did not take it in time/);
    expect(chain.count('send')).toBe(sends);
    expect(pending.read()).toBeNull();
  });

  test('is still followed while the node is unreachable', async () => {
    chain.confirms = false;
    chain.fail('send', new ChainError('unreachable'));
    chain.fail('status', new ChainError('unreachable'), 30);
    const { flow } = open(chain, () => {
      const state = flow.state();
      if (chain.count('status') === 30 && 'sent' in state) chain.settle(state.sent.signature, { is: 'confirmed' });
    });
    await send(flow);
    expect(flow.state().phase).toBe('done');
  });

  test('is followed when the node already has it', async () => {
    chain.confirms = false;
    chain.fail('send', new ChainError('processed'));
    const { flow } = open(chain, () => {
      const state = flow.state();
      expect(state.phase).toBe('following');
      if ('sent' in state) chain.settle(state.sent.signature, { is: 'confirmed' });
    });
    await send(flow);
    expect(flow.state().phase).toBe('done');
  });
});

describe('a closed page', () => {
  test('stores the signature without a key, and the next visit resumes the transfer', async () => {
    chain.confirms = false;
    const first = open(chain, () => first.stop());
    await send(first.flow);
    expect(first.calls).not.toContain('done');
    expect(JSON.stringify(localStorage)).not.toContain(fakeKey(1).privateKey);

    const second = open(chain, () => {
      const state = second.flow.state();
      if ('sent' in state) chain.settle(state.sent.signature, { is: 'confirmed' });
    });
    expect(second.flow.state()).toMatchObject({ phase: 'following', sent: { to, lamports: String(SOL) } });
    second.flow.review(plan);
    await second.flow.confirm(key);
    await expect.poll(() => second.flow.state().phase).toBe('done');
    expect(second.calls).toEqual(['reload', 'done']);
    expect(chain.count('sign')).toBe(1);
  });

  test('is shown in another tab that confirms at the same time', async () => {
    chain.confirms = false;
    const other = open(chain, () => other.stop());
    const first = open(chain, () => first.stop());
    first.flow.review(plan);
    other.flow.review(plan);
    await first.flow.confirm(key);
    await other.flow.confirm(key);
    expect(chain.count('sign')).toBe(1);
    expect(other.flow.state()).toMatchObject({ phase: 'following', sent: { to } });
  });

  test('is not visible to another user or on another cluster', async () => {
    chain.confirms = false;
    const first = open(chain, () => first.stop());
    await send(first.flow);
    expect(first.pending.read()).not.toBeNull();
    expect(createPendingTransfer('user-2', localConfig).read()).toBeNull();
    expect(createPendingTransfer('user-1', { ...localConfig, cluster: 'devnet' }).read()).toBeNull();
  });

  test('the user may stop following an unknown outcome', async () => {
    chain.confirms = false;
    chain.fail('send', new ChainError('unreachable'));
    const { flow, pending } = open(chain, () => flow.forget());
    await send(flow);
    expect(flow.state()).toEqual({ phase: 'idle' });
    expect(pending.read()).toBeNull();
  });
});
