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

/** An address made of one byte, over and over. */
export function fakeAddress(byte: number): string {
  return bs58.encode(new Uint8Array(32).fill(byte));
}

/** The signature of what this fake signs or gives as its `nth`, from 1. */
export function fakeSignature(nth: number): string {
  return bs58.encode(new Uint8Array(64).fill(nth));
}

/** The key that this fake takes for the one of `fakeAddress(byte)`. */
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

/** A chain in memory: what it is asked is written down, and what it answers is up to the test. */
export interface FakeChain {
  client: ChainClient;
  library: ChainLibrary;
  /** What was asked, in order: `balance`, `build`, `latestBlock`, `sign`, `send`, … */
  calls: string[];
  /** Lamports by address; what is not here does not exist. */
  balances: Map<string, bigint>;
  kinds: Map<string, AccountKind>;
  /** Status by signature; `unseen` while it is not here. */
  statuses: Map<string, SignatureStatus>;
  /** Height of the newest block. Blockhashes are valid for 150 more. */
  height: number;
  /** Whether what is sent is confirmed at once, and moves the lamports; and whether what the faucet gives is. */
  confirms: boolean;
  /** Subscriptions that are on. */
  watching(): number;
  /** The node was away so long that no subscription is told anything any more. */
  forgetWatchers(): void;
  /** The next `times` calls of a method are rejected. */
  fail(method: Method, reason: Error, times?: number): void;
  /** The next call of a method waits; answers how to let it go on. */
  hold(method: Method): () => void;
  /** Changes a balance, and tells who watches. */
  setBalance(address: string, lamports: bigint): void;
  /** Decides about a signature, and tells who watches. */
  settle(signature: string, status: SignatureStatus): void;
  count(call: string): number;
}

export function fakeChain(balances: Record<string, bigint> = {}): FakeChain {
  const failures = new Map<Method, Error[]>();
  const holds = new Map<Method, Promise<void>>();
  const accountWatchers = new Set<{ address: string; tell: (lamports: bigint) => void }>();
  const signatureWatchers = new Set<{ signature: string; tell: (status: SignatureStatus) => void }>();
  let made = 0;

  async function asked(method: Method): Promise<void> {
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
      await asked('balance');
      return chain.balances.get(address) ?? 0n;
    },
    async account(address) {
      await asked('account');
      const lamports = chain.balances.get(address);
      return { lamports: lamports ?? 0n, kind: chain.kinds.get(address) ?? (lamports ? 'wallet' : 'none') };
    },
    watchBalance(address, tell) {
      const watcher = { address, tell };
      accountWatchers.add(watcher);
      return () => void accountWatchers.delete(watcher);
    },
    async rentMinimum() {
      await asked('rentMinimum');
      return USUAL_RENT_MINIMUM;
    },
    transfer({ from, to, lamports }) {
      chain.calls.push('build');
      return {
        async fee() {
          await asked('fee');
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
      await asked('latestBlock');
      return { blockhash: fakeAddress(1), lastValidBlockHeight: chain.height + 150 };
    },
    async send(bytes) {
      await asked('send');
      if (!chain.confirms) return;
      const { from, to, lamports, made: number } = JSON.parse(bytes);
      const signature = fakeSignature(number);
      if (chain.statuses.has(signature)) return;
      move(from, to, BigInt(lamports));
      chain.settle(signature, { is: 'confirmed' });
    },
    async status(signature) {
      await asked('status');
      return chain.statuses.get(signature) ?? { is: 'unseen' };
    },
    watchSignature(signature, tell) {
      const watcher = { signature, tell };
      signatureWatchers.add(watcher);
      return () => void signatureWatchers.delete(watcher);
    },
    async blockHeight() {
      await asked('blockHeight');
      return chain.height;
    },
    async airdrop(address, lamports) {
      await asked('airdrop');
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
      for (const watcher of accountWatchers) if (watcher.address === address) watcher.tell(lamports);
    },
    settle(signature, status) {
      chain.statuses.set(signature, status);
      for (const watcher of signatureWatchers) if (watcher.signature === signature) watcher.tell(status);
    },
    count: (call) => chain.calls.filter((one) => one === call).length,
  };
  return chain;
}
