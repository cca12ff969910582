import { describe, expect, test } from 'vitest';
import { eventually, testContext } from '../testing/source-context.ts';
import { storedToken } from '../testing/stored-token.ts';
import { chain, frame, onChain, transactionOf } from './testing/chain.ts';
import { someMint } from './testing/events.ts';
import { now, solanaOnFakeNode } from './testing/started-source.ts';

const solana = solanaOnFakeNode();
const { live, start, subscribedTimes } = solana;

describe('after a lost connection', () => {
  test('observes missed events before live ones, without loss or repetition', async () => {
    const context = await start();
    await live();
    solana.node.send(frame('a', 1));
    solana.node.send(frame('b', 2));
    await eventually(() => context.ids()).toEqual(['a:0', 'b:0']);
    chain(solana.node, [
      onChain('a', 1),
      onChain('b', 2),
      { ...onChain('failed', 3), err: { InstructionError: [0, 'Custom'] } },
      onChain('c', 3),
      onChain('d', 4),
      onChain('e', 5),
    ]);
    // The node delays the first missed transaction and refuses once, while live frames arrive.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    solana.node.on('getTransaction', async ([signature], nth) => {
      if (nth === 0) return { status: 429, headers: { 'retry-after': '0' } };
      await released;
      return { result: transactionOf(onChain(String(signature), 3)) };
    });
    solana.node.drop();
    await subscribedTimes(2);
    await live();
    solana.node.send(frame('e', 5));
    solana.node.send(frame('f', 6));
    await eventually(() => solana.node.callsOf('getTransaction').length).toBeGreaterThanOrEqual(3);
    expect(context.ids()).toEqual(['a:0', 'b:0']);
    release();
    await eventually(() => context.ids()).toEqual(['a:0', 'b:0', 'c:0', 'd:0', 'e:0', 'f:0']);
    // Failed and known transactions are not fetched.
    const fetched = solana.node.callsOf('getTransaction').map(({ params }) => params[0]);
    for (const signature of ['a', 'b', 'failed']) expect(fetched).not.toContain(signature);
    solana.node.send(frame('c', 3));
    solana.node.send(frame('g', 7));
    await eventually(() => context.ids().at(-1)).toBe('g:0');
    expect(context.ids()).toHaveLength(7);
  });

  test('requests the transactions since the slot before the newest', async () => {
    const context = await start();
    await live();
    for (const [signature, slot] of [
      ['a', 1],
      ['b', 2],
      ['c', 2],
      ['d', 3],
    ] as const)
      solana.node.send(frame(signature, slot));
    await eventually(() => context.ids()).toHaveLength(4);
    solana.node.drop();
    await eventually(() => solana.node.callsOf('getSignaturesForAddress').length).toBe(1);
    expect(solana.node.callsOf('getSignaturesForAddress')[0]?.params[1]).toMatchObject({ until: 'b', limit: 1_000 });
  });

  test('pages through a long gap up to the limit and logs that it was longer', async () => {
    const context = await start({ gapLimits: { pages: 2, transactions: 5 } });
    await live();
    solana.node.send(frame('a', 1));
    await eventually(() => context.ids()).toEqual(['a:0']);
    chain(solana.node, [
      onChain('a', 1),
      ...Array.from({ length: 2_500 }, (_, index) => onChain(`m${index}`, index + 2)),
    ]);
    // A page ends after a thousand signatures, unlike in `chain`.
    const whole = Array.from({ length: 2_500 }, (_, index) => ({
      signature: `m${2_499 - index}`,
      slot: 2_501 - index,
      err: null,
      memo: null,
    }));
    solana.node.on('getSignaturesForAddress', (_params, nth) => ({
      result: whole.slice(nth * 1_000, (nth + 1) * 1_000),
    }));
    solana.node.drop();
    await eventually(() => context.ids()).toHaveLength(6);
    expect(context.ids()).toEqual(['a:0', 'm2495:0', 'm2496:0', 'm2497:0', 'm2498:0', 'm2499:0']);
    const pages = solana.node.callsOf('getSignaturesForAddress').map(({ params }) => params[1]);
    expect(pages).toMatchObject([{ until: 'a' }, { until: 'a', before: 'm1500' }]);
    await eventually(() => context.logged.join()).toContain('"complete":false');
  });

  test('goes on live when the node cannot list the gap', async () => {
    solana.node.on('getSignaturesForAddress', () => ({ error: { code: -32_602, message: 'no' } }));
    const context = await start();
    await live();
    solana.node.send(frame('a', 1));
    await eventually(() => context.ids()).toEqual(['a:0']);
    solana.node.drop();
    await subscribedTimes(2);
    await live();
    solana.node.send(frame('b', 2));
    await eventually(() => context.ids()).toEqual(['a:0', 'b:0']);
  });

  test('resumes from storage after a restart, without repeating stored events', async () => {
    const known = storedToken(now, { address: someMint, lastSignature: 'b' });
    chain(solana.node, [onChain('a', 1), onChain('b', 2), onChain('c', 3)]);
    const context = await start({}, testContext([known]));
    await eventually(() => context.ids()).toEqual(['c:0']);
    expect(solana.node.callsOf('getSignaturesForAddress')[0]?.params[1]).toMatchObject({ until: 'b' });
  });
});

test('reads missed trades of a coin between two observed ones', async () => {
  chain(solana.node, [onChain('old', 1), onChain('a', 2), onChain('b', 3), onChain('c', 4)]);
  const context = await start({ gapLimits: { settleMs: 0, callsPerMinute: 10 } });
  await live();
  solana.node.send(frame('a', 2));
  solana.node.send(frame('c', 4));
  await eventually(() => context.ids()).toEqual(['a:0', 'c:0']);
  const missed = { address: someMint, account: null, after: { signature: 'a', slot: 2 }, before: 'c' };
  const listed = solana.node.callsOf('getSignaturesForAddress').length;
  // A doubtful gap takes half of the budget at most, which is less than one call here.
  solana.source?.fetchMissed?.({ ...missed, isDoubtful: true });
  solana.source?.fetchMissed?.(missed);
  await eventually(() => context.ids()).toEqual(['a:0', 'c:0', 'b:0']);
  expect(solana.node.callsOf('getSignaturesForAddress')).toHaveLength(listed + 1);
  expect(solana.node.callsOf('getSignaturesForAddress').at(-1)?.params[1]).toMatchObject({ until: 'a', before: 'c' });
  // The budget of the minute is used up.
  const calls = solana.node.callsOf('getSignaturesForAddress').length;
  solana.source?.fetchMissed?.({ ...missed, before: 'b' });
  solana.node.send(frame('d', 5));
  await eventually(() => context.ids()).toHaveLength(4);
  expect(solana.node.callsOf('getSignaturesForAddress')).toHaveLength(calls);
});
