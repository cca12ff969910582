import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TransactionMeta } from './records.ts';
import { openStorage } from './storage.ts';

let directory: string;
let nowMs: number;
const storages: { close(lastSlotSeen: number): Promise<void> }[] = [];
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-storage-'));
  nowMs = 1_000_000;
});
afterEach(async () => {
  for (const storage of storages.splice(0)) await storage.close(0);
  rmSync(directory, { recursive: true });
});

const REMEMBER_MS = 1000;
const base = { slot: 100, atMs: 0, slotMs: 400 };

async function opened(options: { historyLimit?: number; linesPerFile?: number } = {}) {
  const storage = openStorage(directory, {
    genesis: () => ({
      identity: { genesis: 'genesis', seed: 'seed', faucet: 'faucet' },
      base,
      accounts: [['faucet', ['9', '', 'system', false]]],
    }),
    historyLimit: 5,
    rememberMs: REMEMBER_MS,
    linesPerFile: 4,
    now: () => nowMs,
    log: () => {},
    onFailure(error) {
      throw error;
    },
    ...options,
  });
  await storage.begin(storage.base);
  storages.push(storage);
  return storage;
}

const META: TransactionMeta = {
  err: null,
  status: { Ok: null },
  fee: 0,
  preBalances: [],
  postBalances: [],
  innerInstructions: [],
  logMessages: [],
  preTokenBalances: [],
  postTokenBalances: [],
  rewards: [],
  loadedAddresses: { writable: [], readonly: [] },
  computeUnitsConsumed: 0,
};
const entry = (n: number, accounts: [string, [string, string, string, boolean] | null][] = []) => ({
  record: { signature: `s${n}`, slot: n, blockTime: 0, wire: '', keys: [], meta: META },
  accounts,
});
const balanceOf = (storage: Awaited<ReturnType<typeof opened>>, address: string) => storage.accounts.get(address)?.[0];
const journals = () => readdirSync(directory).filter((name) => name.endsWith('.jsonl'));

test('restores appended entries at the next start, without a clean end', async () => {
  const first = await opened();
  await Promise.all([
    first.append(entry(1, [['alice', ['5', '', 'system', false]]])),
    first.append(
      entry(2, [
        ['alice', ['6', '', 'system', false]],
        ['faucet', null],
      ]),
    ),
  ]);
  const second = await opened();
  expect(balanceOf(second, 'alice')).toBe('6');
  expect(second.accounts.has('faucet')).toBe(false);
  expect(second.takeRecords().map(({ signature }) => signature)).toEqual(['s1', 's2']);
  expect([second.sequence(), second.lastSlot]).toEqual([2, 2]);
});

test('resolves an append when its line is in the file', async () => {
  const storage = await opened();
  await storage.append(entry(1));
  expect(readFileSync(path.join(directory, journals()[0] ?? ''), 'utf8')).toContain('"s1"');
});

test('drops a line that is cut off at any byte, and continues its number', async () => {
  const storage = await opened({ linesPerFile: 100 });
  for (let n = 1; n <= 3; n++) await storage.append(entry(n, [['alice', [String(n), '', 'system', false]]]));
  const file = path.join(directory, journals()[0] ?? '');
  const whole = readFileSync(file);
  const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1;
  for (let cut = lastLine; cut < whole.length; cut += 7) {
    writeFileSync(file, whole.subarray(0, cut));
    const reopened = openStorage(directory, { ...reading, now: () => nowMs });
    expect([cut, balanceOf(reopened, 'alice'), reopened.sequence()]).toEqual([cut, '2', 2]);
    expect(readFileSync(file).length).toBe(lastLine);
  }
  const after = await opened();
  await after.append(entry(3, [['alice', ['7', '', 'system', false]]]));
  expect(balanceOf(await opened(), 'alice')).toBe('7');
});

const reading = {
  genesis: () => {
    throw new Error('it is not new');
  },
  historyLimit: 5,
  rememberMs: REMEMBER_MS,
  linesPerFile: 100,
  log: () => {},
  onFailure: () => {},
};

test('drops garbage after the last line, and keeps it in a second file', async () => {
  const storage = await opened();
  await storage.append(entry(1));
  appendFileSync(path.join(directory, journals()[0] ?? ''), 'garbage\nand more\n');
  const second = await opened();
  expect(second.sequence()).toBe(1);
  expect(readdirSync(directory).some((name) => name.endsWith('.torn'))).toBe(true);
});

test('removes files of the journal when the history is in later files and none of their transactions could run again', async () => {
  const storage = await opened();
  for (let n = 1; n <= 20; n++) await storage.append(entry(n, [['alice', [String(n), '', 'system', false]]]));
  expect(journals().length).toBeGreaterThan(4);
  nowMs += REMEMBER_MS + 1;
  for (let n = 21; n <= 24; n++) await storage.append(entry(n));
  await storage.close(30);
  expect(journals().length).toBeLessThanOrEqual(3);
  const next = await opened();
  expect(balanceOf(next, 'alice')).toBe('20');
  const remembered = next.takeRecords().map(({ signature }) => signature);
  expect(remembered.slice(-5)).toEqual(['s20', 's21', 's22', 's23', 's24']);
  expect(next.lastSlot).toBe(30);
});

/** Bytes of `state.json` that are changed: all of them would take long. */
const EVERY = 7;

test('refuses a state with a changed byte in one sentence, and one without its checksum', async () => {
  const storage = await opened();
  await storage.append(entry(1, [['alice', ['5', '', 'system', false]]]));
  await storage.close(1);
  storages.splice(0);
  const file = path.join(directory, 'state.json');
  const whole = readFileSync(file);
  for (let at = 0; at < whole.length; at += EVERY) {
    const changed = Buffer.from(whole);
    changed.writeUInt8((whole[at] ?? 0) ^ 1, at);
    writeFileSync(file, changed);
    expect(() => openStorage(directory, { ...reading, now: () => nowMs })).toThrow(
      `The local chain finds ${file} damaged; move ${directory} away to begin a new chain`,
    );
  }
  writeFileSync(file, whole.subarray(whole.indexOf('{')));
  expect(() => openStorage(directory, { ...reading, now: () => nowMs })).toThrow('damaged');
  writeFileSync(file, whole);
  expect(balanceOf(await opened(), 'alice')).toBe('5');
});
