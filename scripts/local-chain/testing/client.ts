import { setTimeout as pause } from 'node:timers/promises';
import { Connection, Keypair, type PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import type { PrivateChain } from '../../testing/local-chain.ts';

export const SOL = 1_000_000_000;
/** The fee of one signature, lamports. */
export const FEE = 5000;
/** Longest wait for an expected state. */
export const WAIT = { timeout: 15_000, interval: 20 };

export const pay = (from: Keypair, to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

export interface Client {
  connection: Connection;
  /** Creates a wallet with SOL in it, in lamports; default 10 SOL. */
  funded(lamports?: number): Promise<Keypair>;
  /** Returns a signed transaction; the first signer pays. */
  signed(instructions: Transaction['instructions'], signers: Keypair[], blockhash?: string): Promise<Buffer>;
  /** Sends a transaction and waits until it is confirmed. Throws when it failed. */
  confirmed(raw: Uint8Array): Promise<string>;
}

/** Returns an unmodified web3.js with the common actions of the tests. */
export function clientOf(chain: Pick<PrivateChain, 'rpcUrl' | 'wsUrl'>): Client {
  const connection = new Connection(chain.rpcUrl, { commitment: 'confirmed', wsEndpoint: chain.wsUrl });

  async function confirm(send: () => Promise<string>): Promise<string> {
    const signature = await send();
    const until = Date.now() + WAIT.timeout;
    // By polling: `confirmTransaction` may leave a status request in flight, whose failure after a kill is unhandled.
    while (Date.now() < until) {
      // Without a response while the chain restarts.
      const value = await connection.getSignatureStatus(signature).then(
        (status) => status.value,
        () => null,
      );
      if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized') {
        if (value.err !== null) throw new Error(JSON.stringify(value.err));
        return signature;
      }
      await pause(WAIT.interval);
    }
    throw new Error('the transaction is not confirmed');
  }

  return {
    connection,
    async funded(lamports = 10 * SOL) {
      const keypair = Keypair.generate();
      await confirm(() => connection.requestAirdrop(keypair.publicKey, lamports));
      return keypair;
    },
    async signed(instructions, signers, blockhash) {
      const [payer] = signers;
      if (!payer) throw new Error('there is no signer');
      const recentBlockhash = blockhash ?? (await connection.getLatestBlockhash()).blockhash;
      const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash });
      transaction.add(...instructions).sign(...signers);
      return transaction.serialize();
    },
    confirmed: (raw) => confirm(() => connection.sendRawTransaction(raw)),
  };
}

/** Returns a JSON-RPC call. */
export const request = (method: string, params: unknown[] = [], id = 1) => ({ jsonrpc: '2.0', id, method, params });

/** Posts a text, or a value as JSON. */
export const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
