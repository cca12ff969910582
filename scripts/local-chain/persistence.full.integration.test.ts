import { once } from 'node:events';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { Connection, Keypair } from '@solana/web3.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { builtFile } from '../../api/testing/built.ts';
import { killedApp } from '../testing/killed-app.ts';
import { type PrivateChain, startBuiltChain, startLocalChainForTest } from '../testing/local-chain.ts';
import { withChecksum } from './storage/journal.ts';
import { clientOf, FEE, pay, SOL } from './testing/client.ts';

const WAIT = { timeout: 20_000, interval: 20 };
const SLOW = 120_000;

async function privateChain(options?: Parameters<typeof startLocalChainForTest>[0]): Promise<PrivateChain> {
  const chain = await startLocalChainForTest(options);
  onTestFinished(() => chain.remove());
  return chain;
}

const connect = ({ rpcUrl }: { rpcUrl: string }) => new Connection(rpcUrl, 'confirmed');

/** Retries a call: kept-alive connections to a killed process fail once. */
const retry = async <T>(call: () => Promise<T>): Promise<T> => vi.waitFor(call, WAIT);

test('rounds of kill -9 lose no acknowledged transaction and repeat none, and neither slot nor blockhash steps back', {
  timeout: SLOW,
}, async () => {
  const lines: string[] = [];
  const chain = await privateChain({ linesPerFile: 40, log: (line) => lines.push(line) });
  const { connection, signed } = clientOf(chain);
  const alice = Keypair.generate();
  await connection.requestAirdrop(alice.publicKey, 100 * SOL);
  const bob = Keypair.generate();
  const transfer = (lamports: number, blockhash: string) =>
    signed([pay(alice, bob.publicKey, lamports)], [alice], blockhash);
  await connection.requestAirdrop(bob.publicKey, SOL);
  const acknowledged = new Map<string, number>();
  const rounds = [30, 60];
  let lamports = 0;
  for (const wanted of rounds) {
    const { blockhash } = await retry(() => connection.getLatestBlockhash());
    const slotBefore = await connection.getSlot();
    const goal = acknowledged.size + wanted;
    const senders = [0, 1, 2, 3].map(async () => {
      for (;;) {
        lamports += 1;
        const amount = lamports;
        try {
          const raw = await transfer(amount, blockhash);
          acknowledged.set(await connection.sendRawTransaction(raw, { skipPreflight: true, maxRetries: 0 }), amount);
        } catch {
          return; // the kill
        }
      }
    });
    await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(goal), WAIT);
    await chain.kill();
    await Promise.all(senders);
    expect(await retry(() => connection.getSlot())).toBeGreaterThanOrEqual(slotBefore);
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true);
  }

  const signatures = [...acknowledged.keys()];
  for (let from = 0; from < signatures.length; from += 200) {
    const { value } = await connection.getSignatureStatuses(signatures.slice(from, from + 200));
    expect(value.filter((status) => status?.err !== null)).toEqual([]);
  }
  // Some may be on disk without a response; the chain's records of them must add up to the lamport.
  const listed = await connection.getSignaturesForAddress(bob.publicKey, { limit: 1000 });
  const found = await Promise.all(listed.map(({ signature }) => connection.getTransaction(signature)));
  const received = found.reduce((sum, one) => {
    const index = one?.transaction.message.accountKeys.findIndex((key) => key.equals(bob.publicKey)) ?? -1;
    return sum + (one?.meta?.postBalances[index] ?? 0) - (one?.meta?.preBalances[index] ?? 0);
  }, 0);
  expect(await connection.getBalance(bob.publicKey)).toBe(received);
  expect(received - SOL).toBeGreaterThanOrEqual([...acknowledged.values()].reduce((sum, amount) => sum + amount, 0));
  expect(await connection.getBalance(alice.publicKey)).toBe(100 * SOL - (received - SOL) - FEE * (listed.length - 1));
  expect(lines.filter((line) => line.includes('ended unexpectedly'))).toHaveLength(rounds.length);

  // A transaction from before the kill does not run again, though its blockhash is still valid.
  const { blockhash } = await connection.getLatestBlockhash();
  const raw = await transfer(SOL, blockhash);
  await connection.sendRawTransaction(raw);
  const balance = await connection.getBalance(bob.publicKey);
  await chain.kill();
  await retry(() => connection.sendRawTransaction(raw, { skipPreflight: true }));
  expect(await connection.getBalance(bob.publicKey)).toBe(balance);
});

test('a stop and a start keep balances, history, faucet and genesis', async () => {
  const chain = await privateChain();
  const alice = Keypair.generate();
  const before = connect(chain);
  const signature = await before.requestAirdrop(alice.publicKey, 3 * SOL);
  const [genesis, slot] = [await before.getGenesisHash(), await before.getSlot()];
  await chain.stop();
  expect(chain.pid()).toBeNull();
  await expect(before.getSlot()).rejects.toThrow();

  await chain.start();
  const after = connect(chain);
  expect(await after.getGenesisHash()).toBe(genesis);
  expect(await after.getSlot()).toBeGreaterThan(slot);
  expect(await after.getBalance(alice.publicKey)).toBe(3 * SOL);
  await vi.waitFor(async () => expect(await after.getTransaction(signature)).not.toBeNull(), WAIT);
  await after.requestAirdrop(alice.publicKey, SOL);
  expect(await after.getBalance(alice.publicKey)).toBe(4 * SOL);
});

const journalsOf = async (chain: PrivateChain): Promise<string[]> => {
  const names = (await readdir(chain.directory)).filter((name) => /^journal-\d+\.jsonl$/.test(name)).sort();
  return names.map((name) => path.join(chain.directory, name));
};

test('drops a cut-off last line and continues after the last whole one', async () => {
  const chain = await privateChain();
  const { publicKey } = Keypair.generate();
  await connect(chain).requestAirdrop(publicKey, SOL);
  await connect(chain).requestAirdrop(publicKey, 2 * SOL);
  await chain.stop();
  const [journal = ''] = await journalsOf(chain);
  const lines = (await readFile(journal, 'utf8')).split('\n');
  // As after a kill during the second write, with a state from before the first.
  await writeFile(journal, `${lines[0]}\n${lines[1]?.slice(0, 300)}`);
  const stateFile = path.join(chain.directory, 'state.json');
  const text = await readFile(stateFile, 'utf8');
  const state: { sequence: number; accounts: [string, unknown][] } = JSON.parse(text.slice(text.indexOf('{')));
  const accounts = state.accounts.filter(([address]) => address !== publicKey.toBase58());
  await writeFile(stateFile, withChecksum({ ...state, sequence: 0, accounts }));

  await chain.start();
  expect(await connect(chain).getBalance(publicKey)).toBe(SOL);
  await connect(chain).requestAirdrop(publicKey, 5 * SOL);
  await chain.kill();
  expect(await retry(() => connect(chain).getBalance(publicKey))).toBe(6 * SOL);
});

test('refuses damage elsewhere with one line and keeps the data', async () => {
  const chain = await privateChain({ linesPerFile: 2 });
  const { publicKey } = Keypair.generate();
  for (let n = 1; n <= 6; n++) await connect(chain).requestAirdrop(publicKey, n * SOL);
  await chain.stop();
  const [first = ''] = await journalsOf(chain);
  const whole = await readFile(first, 'utf8');
  await writeFile(first, whole.replace('"slot":4', '"slot":5'));
  await expect(chain.start()).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/^The local chain finds \S+ damaged; move \S+ away [^\n]*$/),
  });
  await writeFile(first, whole);
  await chain.start();
  expect(await connect(chain).getBalance(publicKey)).toBe(21 * SOL);
  await chain.stop();
  await appendFile(path.join(chain.directory, 'state.json'), 'x');
  await expect(chain.start()).rejects.toMatchObject({ message: expect.stringMatching(/state\.json damaged/) });
});

test('limits the history and keeps the balances', async () => {
  const chain = await privateChain({ historyLimit: 10, linesPerFile: 5 });
  const { publicKey } = Keypair.generate();
  for (let n = 0; n < 30; n++) await connect(chain).requestAirdrop(publicKey, SOL + n);
  await vi.waitFor(async () => expect(await connect(chain).getSignaturesForAddress(publicKey)).toHaveLength(10), WAIT);
  await chain.kill();
  await vi.waitFor(async () => expect(await connect(chain).getSignaturesForAddress(publicKey)).toHaveLength(10), WAIT);
  expect(await connect(chain).getBalance(publicKey)).toBe(30 * SOL + (29 * 30) / 2);
});

test('allows one process per directory, and makes files private', async () => {
  const chain = await privateChain();
  await expect(startBuiltChain(chain.directory)).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/^The local chain of \S+ is run by another process; [^\n]*$/),
  });
  expect(await connect(chain).getSlot()).toBeGreaterThan(0);
  for (const name of await readdir(chain.directory)) {
    expect([name, (await stat(path.join(chain.directory, name))).mode & 0o077]).toEqual([name, 0]);
  }
  await expect(startBuiltChain('/dev/null/chain')).rejects.toMatchObject({ name: 'StartError' });
});

test('uses another port when one is taken, and keeps it across a restart', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const chain = await privateChain({ port });
  const { rpcUrl } = chain;
  expect(rpcUrl).not.toContain(String(port));
  await chain.kill();
  expect(chain.rpcUrl).toBe(rpcUrl);
  expect(await retry(() => connect(chain).getSlot())).toBeGreaterThan(0);
});

/** Starts the chain from another process and kills that process. Returns the chain's pid. */
const killedLauncher = (directory: string) =>
  killedApp(`
    import { startLocalChain } from ${JSON.stringify(builtFile('scripts/local-chain/launcher.ts'))};
    console.log((await startLocalChain(${JSON.stringify(directory)})).pid());`);

test('the chain ends after kill -9 of the app, and the next start has the directory', async () => {
  const chain = await privateChain();
  await chain.stop();
  const pid = await killedLauncher(chain.directory);
  expect(pid).toBeGreaterThan(0);
  await chain.start();
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), WAIT);
  expect(await connect(chain).getSlot()).toBeGreaterThan(0);
});

test('a subscription of web3.js resumes after kill -9', async () => {
  const chain = await privateChain();
  const connection = new Connection(chain.rpcUrl, { commitment: 'confirmed', wsEndpoint: chain.wsUrl });
  const { publicKey } = Keypair.generate();
  const balances: number[] = [];
  const subscription = connection.onAccountChange(publicKey, ({ lamports }) => balances.push(lamports));
  await connection.requestAirdrop(publicKey, SOL);
  await chain.kill();
  await vi.waitFor(async () => {
    await connection.requestAirdrop(publicKey, SOL); // until it has reconnected
    expect(balances.at(-1)).toBeGreaterThan(SOL);
  }, WAIT);
  await connection.removeAccountChangeListener(subscription);
});
