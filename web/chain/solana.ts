/** The Solana library and everything that needs it. Import it with `import()` only: it is a chunk of its own. */
import {
  type AccountInfo,
  Connection,
  Keypair,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import type { ChainConfig } from '../../common/client-config/model.ts';
import { failureText } from '../../common/transactions/failure.ts';
import { privateKeySchema } from '../../common/wallet/model.ts';
import {
  type AccountKind,
  BLOCKHASH_CACHE_MS,
  type BuiltTransfer,
  type ChainClient,
  type RecentBlock,
  type SignatureStatus,
  TRANSACTION_BYTES_MAX,
  type TransferOrder,
  USUAL_RENT_MINIMUM,
  type WalletKey,
} from './chain.ts';
import { ChainError, chainErrorOfText } from './chain-error.ts';
import { delayFailures, retryingFetch } from './failed-calls.ts';

export function generateWallet(): WalletKey {
  return walletKey(Keypair.generate());
}

export function walletOfKey(hex: string): WalletKey | null {
  const pair = pairOf(hex);
  return pair && walletKey(pair);
}

function walletKey(pair: Keypair): WalletKey {
  return { walletAddress: pair.publicKey.toBase58(), privateKey: hexOf(pair.secretKey) };
}

function pairOf(hex: string): Keypair | null {
  if (!privateKeySchema.safeParse(hex).success) return null;
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  try {
    return Keypair.fromSecretKey(bytes);
  } catch {
    // The halves do not match: such a key could never sign.
    return null;
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Opens a connection to the configured node. Its WebSocket opens with the first subscription, resubscribes after a lost
 * connection, and closes with the last subscription.
 */
export function openChain(config: ChainConfig, sleep: (ms: number) => Promise<void> = wait): ChainClient {
  const connection = new Connection(config.rpcUrl, {
    commitment: 'confirmed',
    wsEndpoint: config.wsUrl,
    fetch: retryingFetch(sleep),
    disableRetryOnRateLimit: true,
  });
  delayFailures(connection, wait);
  const latestBlock = async (): Promise<RecentBlock> => {
    const { value } = await withChainErrors(connection.getLatestBlockhashAndContext());
    return value;
  };
  const cachedBlock = cached(latestBlock, BLOCKHASH_CACHE_MS);

  return {
    async balance(address) {
      const { value } = await withChainErrors(connection.getBalanceAndContext(new PublicKey(address)));
      return BigInt(value);
    },
    async account(address) {
      const key = new PublicKey(address);
      const { value } = await withChainErrors(connection.getAccountInfoAndContext(key));
      return { lamports: BigInt(value?.lamports ?? 0), kind: kindOf(key, value) };
    },
    watchBalance(address, onBalance) {
      const id = connection.onAccountChange(new PublicKey(address), ({ lamports }) => onBalance(BigInt(lamports)));
      return () => void connection.removeAccountChangeListener(id);
    },
    async rentMinimum() {
      // The library returns 0 when the node rejects the request.
      const minimum = await withChainErrors(connection.getMinimumBalanceForRentExemption(0));
      return minimum > 0 ? BigInt(minimum) : USUAL_RENT_MINIMUM;
    },
    transfer: (order) => buildTransfer(connection, order, cachedBlock),
    latestBlock,
    async send(bytes, again = false) {
      await withChainErrors(
        connection.sendEncodedTransaction(
          bytes,
          again ? { skipPreflight: true, maxRetries: 0 } : { preflightCommitment: 'confirmed' },
        ),
      );
    },
    async status(signature) {
      const options = { searchTransactionHistory: true };
      const { value } = await withChainErrors(connection.getSignatureStatuses([signature], options));
      return statusOf(value[0] ?? null);
    },
    watchSignature(signature, onStatus) {
      let over = false;
      const onSignatureResult = ({ err }: { err: unknown }) => {
        over = true;
        onStatus(err === null ? { is: 'confirmed' } : { is: 'failed', why: failureText(err) });
      };
      const id = connection.onSignature(signature, onSignatureResult, 'confirmed');
      // The single notification ends the subscription by itself.
      return () => void (over || connection.removeSignatureListener(id));
    },
    blockHeight: () => withChainErrors(connection.getBlockHeight('confirmed')),
    airdrop: (address, lamports) =>
      withChainErrors(connection.requestAirdrop(new PublicKey(address), Number(lamports))),
  };
}

function buildTransfer(
  connection: Connection,
  { from, to, lamports }: TransferOrder,
  recentBlock: () => Promise<RecentBlock>,
): BuiltTransfer {
  const feePayer = new PublicKey(from);
  const instruction = SystemProgram.transfer({ fromPubkey: feePayer, toPubkey: new PublicKey(to), lamports });
  const transactionAt = (block: RecentBlock) => new Transaction({ feePayer, ...block }).add(instruction);
  return {
    async fee() {
      const message = transactionAt(await recentBlock()).compileMessage();
      const { value } = await withChainErrors(connection.getFeeForMessage(message));
      // The node may have dropped the cached block; the fee does not depend on it.
      if (value === null) throw new ChainError('expired');
      return BigInt(value);
    },
    sign(block, privateKey) {
      const pair = pairOf(privateKey);
      if (pair === null) throw new ChainError('refused', { detail: 'the private key is not valid' });
      const transaction = transactionAt(block);
      transaction.sign(pair);
      pair.secretKey.fill(0);
      const bytes = transaction.serialize();
      if (bytes.length > TRANSACTION_BYTES_MAX) throw new ChainError('refused', { detail: 'it is too large' });
      const { signature } = transaction;
      if (signature === null) throw new ChainError('refused', { detail: 'it could not be signed' });
      const { lastValidBlockHeight } = block;
      return { signature: bs58.encode(signature), bytes: bytes.toString('base64'), lastValidBlockHeight };
    },
  };
}

/** An address off the curve has no private key: only a program can own it. */
function kindOf(key: PublicKey, account: AccountInfo<Uint8Array> | null): AccountKind {
  if (!PublicKey.isOnCurve(key.toBytes())) return 'program';
  if (account === null) return 'none';
  return !account.executable && account.owner.equals(SystemProgram.programId) ? 'wallet' : 'program';
}

function statusOf(value: { err: unknown; confirmationStatus?: string } | null): SignatureStatus {
  if (value === null) return { is: 'unseen' };
  const settled = value.confirmationStatus === 'confirmed' || value.confirmationStatus === 'finalized';
  if (!settled) return { is: 'seen' };
  return value.err === null ? { is: 'confirmed' } : { is: 'failed', why: failureText(value.err) };
}

/** Resolves with the node's response; rejects with a `ChainError`. */
async function withChainErrors<Result>(response: Promise<Result>): Promise<Result> {
  try {
    return await response;
  } catch (reason) {
    if (reason instanceof ChainError) throw reason;
    if (reason instanceof SendTransactionError) throw chainErrorOfText(reason.transactionError.message, reason);
    throw chainErrorOfText(reason instanceof Error ? reason.message : JSON.stringify(reason), reason);
  }
}

function cached<Value>(read: () => Promise<Value>, forMs: number): () => Promise<Value> {
  let held: { value: Value; at: number } | null = null;
  return async () => {
    const now = performance.now();
    if (held !== null && now - held.at < forMs) return held.value;
    const value = await read();
    held = { value, at: now };
    return value;
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
