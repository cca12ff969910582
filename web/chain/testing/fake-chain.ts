import bs58 from 'bs58';
import type { ChainConfig } from '../../../common/client-config/model.ts';
import {
  type AccountKind,
  type ChainClient,
  type ChainLibrary,
  SIGNATURE_FEE,
  type SignatureStatus,
  USUAL_RENT_MINIMUM,
  type WalletKey,
} from '../chain.ts';

/** Returns an address of one repeated byte. */
export function fakeAddress(byte: number): string {
  return bs58.encode(new Uint8Array(32).fill(byte));
}

/** Returns the signature of the `nth` transaction that this fake signs or grants, from 1. */
export function fakeSignature(nth: number): string {
  return bs58.encode(new Uint8Array(64).fill(nth));
}

/** Returns the key that this fake accepts for `fakeAddress(byte)`. */
export function fakeKey(byte: number): WalletKey {
  return { walletAddress: fakeAddress(byte), privateKey: byte.toString(16).padStart(2, '0').repeat(64) };
}

export const localConfig: ChainConfig = {
  cluster: 'local',
  rpcUrl: 'http://127.0.0.1:8899',
  wsUrl: 'ws://127.0.0.1:8900',
  faucet: true,
};

type Method = Exclude<keyof ChainClient, 'transfer' | 'watchBalance' | 'watchSignature'> | 'fee';

/** An in-memory chain: it records its calls, and the test decides its responses. */
export interface FakeChain {
  client: ChainClient;
  library: ChainLibrary;
  /** Recorded calls in order: `balance`, `build`, `latestBlock`, `sign`, `send`, … */
  calls: string[];
  /** Lamports by address; addresses that are missing do not exist. */
  balances: Map<string, bigint>;
  kinds: Map<string, AccountKind>;
  /** Status by signature; `unseen` for missing ones. */
  statuses: Map<string, SignatureStatus>;
  /** Height of the newest block. Blockhashes are valid for 150 more. */
  height: number;
  /** Whether sent transactions and faucet grants are confirmed at once and move lamports. */
  confirms: boolean;
  /** Returns the number of open subscriptions. */
  watching(): number;
  /** Drops all subscriptions without notice, as after a long outage of the node. */
  forgetWatchers(): void;
  /** Rejects the next `times` calls of a method. */
  fail(method: Method, reason: Error, times?: number): void;
  /** Holds the next call of a method; returns the function that releases it. */
  hold(method: Method): () => void;
  /** Changes a balance and notifies subscribers. */
  setBalance(address: string, lamports: bigint): void;
  /** Sets the status of a signature and notifies subscribers. */
  settle(signature: string, status: SignatureStatus): void;
  count(call: string): number;
}

export function fakeChain(balances: Record<string, bigint> = {}): FakeChain {
  const failures = new Map<Method, Error[]>();
  const holds = new Map<Method, Promise<void>>();
  const accountWatchers = new Set<{ address: string; notify: (lamports: bigint) => void }>();
  const signatureWatchers = new Set<{ signature: string; notify: (status: SignatureStatus) => void }>();
  let made = 0;

  async function record(method: Method): Promise<void> {
    chain.calls.push(method);
    await holds.get(method);
    const failure = failures.get(method)?.shift();
    if (failure) throw failure;
  }

  function move(from: string, to: string, lamports: bigint): void {
    chain.setBalance(from, (chain.balances.get(from) ?? 0n) - lamports - SIGNATURE_FEE);
    chain.setBalance(to, (chain.balances.get(to) ?? 0n) + lamports);
  }

  const client: ChainClient = {
    async balance(address) {
      await record('balance');
      return chain.balances.get(address) ?? 0n;
    },
    async account(address) {
      await record('account');
      const lamports = chain.balances.get(address);
      return { lamports: lamports ?? 0n, kind: chain.kinds.get(address) ?? (lamports ? 'wallet' : 'none') };
    },
    watchBalance(address, notify) {
      const watcher = { address, notify };
      accountWatchers.add(watcher);
      return () => void accountWatchers.delete(watcher);
    },
    async rentMinimum() {
      await record('rentMinimum');
      return USUAL_RENT_MINIMUM;
    },
    transfer({ from, to, lamports }) {
      chain.calls.push('build');
      return {
        async fee() {
          await record('fee');
          return SIGNATURE_FEE;
        },
        sign({ lastValidBlockHeight }, privateKey) {
          chain.calls.push('sign');
          made += 1;
          const bytes = JSON.stringify({ from, to, lamports: String(lamports), made, key: privateKey.slice(0, 2) });
          return { signature: fakeSignature(made), bytes, lastValidBlockHeight };
        },
      };
    },
    async latestBlock() {
      await record('latestBlock');
      return { blockhash: fakeAddress(1), lastValidBlockHeight: chain.height + 150 };
    },
    async send(bytes) {
      await record('send');
      if (!chain.confirms) return;
      const { from, to, lamports, made: number } = JSON.parse(bytes);
      const signature = fakeSignature(number);
      if (chain.statuses.has(signature)) return;
      move(from, to, BigInt(lamports));
      chain.settle(signature, { is: 'confirmed' });
    },
    async status(signature) {
      await record('status');
      return chain.statuses.get(signature) ?? { is: 'unseen' };
    },
    watchSignature(signature, notify) {
      const watcher = { signature, notify };
      signatureWatchers.add(watcher);
      return () => void signatureWatchers.delete(watcher);
    },
    async blockHeight() {
      await record('blockHeight');
      return chain.height;
    },
    async airdrop(address, lamports) {
      await record('airdrop');
      made += 1;
      const signature = fakeSignature(made);
      chain.setBalance(address, (chain.balances.get(address) ?? 0n) + lamports);
      if (chain.confirms) chain.statuses.set(signature, { is: 'confirmed' });
      return signature;
    },
  };

  const chain: FakeChain = {
    client,
    library: {
      generateWallet: () => fakeKey(100),
      walletOfKey: (hex) => (/^([0-9a-f]{2})\1{63}$/.test(hex) ? fakeKey(Number.parseInt(hex.slice(0, 2), 16)) : null),
      openChain: () => client,
    },
    calls: [],
    balances: new Map(Object.entries(balances)),
    kinds: new Map(),
    statuses: new Map(),
    height: 1000,
    confirms: true,
    forgetWatchers() {
      accountWatchers.clear();
      signatureWatchers.clear();
    },
    watching: () => accountWatchers.size + signatureWatchers.size,
    fail: (method, reason, times = 1) => {
      failures.set(method, [...(failures.get(method) ?? []), ...new Array<Error>(times).fill(reason)]);
    },
    hold(method) {
      let release = () => {};
      holds.set(method, new Promise((resolve) => (release = resolve)));
      return () => {
        holds.delete(method);
        release();
      };
    },
    setBalance(address, lamports) {
      chain.balances.set(address, lamports);
      for (const watcher of accountWatchers) if (watcher.address === address) watcher.notify(lamports);
    },
    settle(signature, status) {
      chain.statuses.set(signature, status);
      for (const watcher of signatureWatchers) if (watcher.signature === signature) watcher.notify(status);
    },
    count: (call) => chain.calls.filter((one) => one === call).length,
  };
  return chain;
}
