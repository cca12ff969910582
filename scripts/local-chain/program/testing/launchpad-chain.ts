import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { createTokenAccount, type ListedCoin, listingOf } from '../../../../api/launchpad/instructions.ts';
import { simulatedMintBase } from '../../../../api/launchpad/launchpad-account.ts';
import { migrateInstructions, poolOf, readPool } from '../../../../api/launchpad/pool.ts';
import type { Reserves } from '../../../../api/market/sources/observation.ts';
import { CURVE_START } from '../../../../api/market/sources/simulator/coin/curve.ts';
import { mintAddress, mintSeed } from '../../../../api/market/sources/simulator/coin/mint-address.ts';
import { createDecoder } from '../../../../api/market/sources/solana/decode/decode-event.ts';
import { loggedEvents } from '../../../../api/market/sources/solana/decode/program-events.ts';
import { pumpEvents } from '../../../../api/market/sources/solana/decode/pump-events.ts';
import { pumpSwapEvents } from '../../../../api/market/sources/solana/decode/pump-swap-events.ts';
import { bondingCurveOf, pumpProgram } from '../../../../api/market/sources/solana/programs.ts';
import { buyExactQuoteIn, type CurveTrade, tokenAccountOf } from '../../../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../../../api/trading/pump/interface.ts';
import { createEngine } from '../../ledger/engine.ts';
import { BUYBACK_RECIPIENT, FEE_RECIPIENT, installLaunchpad, launchpadKey } from '../launchpad.ts';

const SYSTEM = pumpAddresses.systemProgram;
const SOL = 1_000_000_000n;
/** Lamports that keep the 151 bytes of a curve, and the 88 bytes of a pool. */
const CURVE_RENT = 1_941_840n;
const POOL_RENT = 1_503_360n;
/** First bytes of an Ed25519 private key in PKCS #8; its seed follows. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const decodeCurveEvent = createDecoder(pumpEvents);
const decodePoolEvent = createDecoder(pumpSwapEvents);

const keyObjects = new WeakMap<Keypair, KeyObject>();

/** Signs by Node.js, which takes a thirtieth of the time of web3.js. */
function signature(message: Uint8Array, keypair: Keypair): Buffer {
  const pkcs8 = () => Buffer.concat([PKCS8, keypair.secretKey.subarray(0, 32)]);
  const key = keyObjects.get(keypair) ?? createPrivateKey({ key: pkcs8(), format: 'der', type: 'pkcs8' });
  keyObjects.set(keypair, key);
  return sign(null, message, key);
}

/** Returns the mint of a new coin, and its seed under the public base. */
export function newMint(): Pick<ListedCoin, 'mint' | 'seed'> {
  const origin = { creator: Keypair.generate().publicKey.toBase58(), createdAt: Date.UTC(2026, 8, 1) };
  return { mint: new PublicKey(mintAddress(origin)), seed: mintSeed(origin) };
}

/** Returns the launchpad's events in a log, as the decoders of mainnet read them. */
function eventsOf(logs: readonly string[]) {
  return loggedEvents(logs, new Set([pumpProgram])).events.map(({ bytes }) => {
    const ofCurve = decodeCurveEvent(bytes);
    if (ofCurve.ok) return ofCurve.event;
    const ofPool = decodePoolEvent(bytes);
    if (ofPool.ok) return ofPool.event;
    throw new Error(`event: ${ofCurve.fault}, ${ofPool.fault}`);
  });
}

/** A virtual machine with the launchpad, its key, and funded wallets. */
export function createLaunchpadChain() {
  const engine = createEngine();
  const seed = Buffer.alloc(32, 7);
  installLaunchpad(engine, seed);
  const key = launchpadKey(seed);
  const base = simulatedMintBase();
  let nonce = 0;

  function fund(address: PublicKey, lamports: bigint): void {
    engine.setAccount(address.toBase58(), { lamports, data: Buffer.alloc(0), owner: SYSTEM, executable: false });
  }

  /** Executes instructions in one transaction, paid by the first signer. */
  function send(signers: readonly [Keypair, ...Keypair[]], instructions: readonly TransactionInstruction[]) {
    nonce += 1;
    // The price makes every transaction a different one.
    const budget = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: nonce }),
    ];
    const message = new TransactionMessage({
      payerKey: signers[0].publicKey,
      recentBlockhash: SYSTEM,
      instructions: [...budget, ...instructions],
    }).compileToV0Message();
    const transaction = new VersionedTransaction(message);
    const bytes = message.serialize();
    for (const keypair of signers) transaction.addSignature(keypair.publicKey, signature(bytes, keypair));
    const sent = transaction.serialize();
    const { err, logs, unitsConsumed } = engine.execute(sent);
    return { err, logs, unitsConsumed, size: sent.length, events: eventsOf(logs) };
  }

  return {
    engine,
    key,
    base,
    send,
    fund,
    /** Returns a new wallet with SOL and an account for the coin. */
    trader(mint: PublicKey, sol = 500n): Keypair {
      const wallet = Keypair.generate();
      fund(wallet.publicKey, sol * SOL);
      send([wallet], [createTokenAccount(wallet.publicKey, wallet.publicKey, mint)]);
      return wallet;
    },
    /** Lists a coin that has just started, or has the given reserves. */
    list(reserves: Reserves = CURVE_START) {
      const coin: ListedCoin = { ...newMint(), creator: Keypair.generate().publicKey, reserves };
      return { ...send([key, base], listingOf(coin, key.publicKey)), coin };
    },
    /** Returns the accounts of a trade of the coin. */
    tradeOf: ({ mint, creator }: ListedCoin, user: PublicKey): CurveTrade => ({
      mint: mint.toBase58(),
      tokenProgram: pumpAddresses.quoteTokenProgram,
      creator: creator.toBase58(),
      user: user.toBase58(),
      feeRecipient: FEE_RECIPIENT,
      buybackRecipient: BUYBACK_RECIPIENT,
    }),
    balance: (address: PublicKey): bigint => engine.balance(address.toBase58()),
    /** Returns the base units of an owner. */
    tokens(owner: PublicKey, mint: PublicKey): bigint {
      const account = tokenAccountOf(owner, new PublicKey(pumpAddresses.quoteTokenProgram), mint);
      return engine.account(account.toBase58())?.data.readBigUInt64LE(64) ?? 0n;
    },
    /** Returns the curve's reserves, its lamports beyond rent, and whether it is complete. */
    curve(mint: PublicKey) {
      const address = new PublicKey(bondingCurveOf(mint.toBase58()));
      const state = engine.account(address.toBase58());
      if (!state) throw new Error('no curve');
      const number = (at: number): number => Number(state.data.readBigUInt64LE(at));
      return {
        address,
        reserves: { virtualToken: number(8), virtualQuote: number(16), realToken: number(24), realQuote: number(32) },
        lamports: Number(state.lamports - CURVE_RENT),
        isComplete: state.data.readUInt8(48) === 1,
      };
    },
    /** Returns the pool's state, its lamports beyond rent, and the tokens in its vault. */
    pool(mint: PublicKey) {
      const address = poolOf(mint);
      const account = engine.account(address.toBase58());
      if (!account) throw new Error('no pool');
      const { data, lamports, owner } = account;
      const state = readPool({ data: Buffer.from(data), lamports: Number(lamports), owner: new PublicKey(owner) });
      if (state === null) throw new Error('not a pool');
      return { ...state, address, lamports: Number(lamports - POOL_RENT), tokens: this.tokens(address, mint) };
    },
  };
}

type LaunchpadChain = ReturnType<typeof createLaunchpadChain>;

/** Lists a coin, and returns it with a wallet that may trade it. */
export function listedWithTrader(chain: LaunchpadChain, { reserves, sol }: { reserves?: Reserves; sol?: bigint }) {
  const { err, coin } = chain.list(reserves);
  if (err !== null) throw new Error(`not listed: ${JSON.stringify(err)}`);
  const user = chain.trader(coin.mint, sol);
  return { coin, user, trade: chain.tradeOf(coin, user.publicKey) };
}

/** Lists a coin, buys its curve out, and moves it into its pool. */
export function graduated(chain: LaunchpadChain, sol = 5_000n) {
  const made = listedWithTrader(chain, { sol });
  const bought = chain.send([made.user], [buyExactQuoteIn(made.trade, 100n * SOL, 1n)]);
  const migrated = chain.send([chain.key], migrateInstructions(made.coin.mint, chain.key.publicKey));
  const err = bought.err ?? migrated.err;
  if (err !== null) throw new Error(`not migrated: ${JSON.stringify(err)}`);
  return { ...made, migrated };
}

/** Returns the error code of a program as text, or the error itself. */
export function codeOf(err: unknown): unknown {
  return /"Custom":(\d+)/.exec(JSON.stringify(err))?.[1] ?? err;
}
