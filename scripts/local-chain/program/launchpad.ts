import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { Keypair, PublicKey } from '@solana/web3.js';
import { CURVE_START, TOTAL_SUPPLY } from '../../../api/market/sources/simulator/coin/curve.ts';
import { programAddress, pumpProgram } from '../../../api/market/sources/solana/programs.ts';
import { tipAccounts } from '../../../api/trading/pump/transaction.ts';
import { CURVE_FEES_BPS } from '../../../common/tokens/curve-trades.ts';
import { LocalChainError } from '../errors.ts';
import type { AccountState, Engine } from '../ledger/engine.ts';
import { SYSTEM_PROGRAM } from '../rpc/account-json.ts';
import { LAUNCHPAD_DEFLATED, LAUNCHPAD_SHA256 } from './launchpad-binary.ts';

/** Recipients of fees and of buybacks, as on mainnet; the local chain has one of each. */
export const FEE_RECIPIENT = '62qc2CNXwrYqQScmEdiZFFAnJR262PxWEuNQtxfafNgV';
export const BUYBACK_RECIPIENT = '5YxQFdt3Tr9zJLvkFccqXVUwhdTWJQc1fFg2YPbxvxeD';

/** Play money of the launchpad's key for curves and the purchases of simulated traders: five million SOL. */
const LAUNCHPAD_LAMPORTS = 5_000_000n * 1_000_000_000n;
/** Lamports that keep an account without data. */
const EMPTY_ACCOUNT_RENT = 890_880n;
const GLOBAL_RENT = 8_164_080n;
const GLOBAL_BYTES = 1_045;
const GLOBAL_DISCRIMINATOR = 'a7e8e8b1c86c727f';

/** Returns the program. Throws when its bytes differ from the built ones. */
export function launchpadProgram(deflated = LAUNCHPAD_DEFLATED): Buffer {
  const program = inflated(Buffer.from(deflated, 'base64'));
  if (program && createHash('sha256').update(program).digest('hex') === LAUNCHPAD_SHA256) return program;
  throw new LocalChainError('the launchpad program differs from the one that was built; check out its file again');
}

function inflated(bytes: Buffer): Buffer | null {
  try {
    return inflateRawSync(bytes);
  } catch {
    // Damaged bytes are no program, like wrong ones.
    return null;
  }
}

/** Returns the key that may list coins. It follows from the chain's seed, so every start has the same one. */
export function launchpadKey(chainSeed: Buffer): Keypair {
  return Keypair.fromSeed(createHash('sha256').update('launchpad').update(chainSeed).digest());
}

/** Loads the program under pump.fun's id and creates the accounts that it reads. Runs before stored accounts are restored. */
export function installLaunchpad(engine: Engine, chainSeed: Buffer): void {
  engine.addProgram(pumpProgram, launchpadProgram());
  const global = programAddress(['global'], new PublicKey(pumpProgram));
  const key = launchpadKey(chainSeed).publicKey;
  engine.setAccount(global.toBase58(), globalAccount(key));
  engine.setAccount(key.toBase58(), emptyAccount(LAUNCHPAD_LAMPORTS));
  // The network refuses a payment that leaves an account with less than its rent, so those for tips exist as on mainnet.
  for (const recipient of [FEE_RECIPIENT, BUYBACK_RECIPIENT, ...tipAccounts]) {
    engine.setAccount(recipient, emptyAccount(EMPTY_ACCOUNT_RENT));
  }
}

const emptyAccount = (lamports: bigint): AccountState => ({
  lamports,
  data: Buffer.alloc(0),
  owner: SYSTEM_PROGRAM,
  executable: false,
});

/** Returns the account `Global` in pump.fun's layout, with the fields that the program reads. */
function globalAccount(authority: PublicKey): AccountState {
  const data = Buffer.alloc(GLOBAL_BYTES);
  const fee = new PublicKey(FEE_RECIPIENT).toBuffer();
  const buyback = new PublicKey(BUYBACK_RECIPIENT).toBuffer();
  data.write(GLOBAL_DISCRIMINATOR, 'hex');
  data.writeUInt8(1, 8);
  authority.toBuffer().copy(data, 9);
  fee.copy(data, 41);
  const { virtualToken, virtualQuote, realToken } = CURVE_START;
  const numbers = [virtualToken, virtualQuote, realToken, TOTAL_SUPPLY, CURVE_FEES_BPS.protocol];
  numbers.forEach((value, index) => {
    data.writeBigUInt64LE(BigInt(value), 73 + 8 * index);
  });
  data.writeBigUInt64LE(BigInt(CURVE_FEES_BPS.creatorOrCashback), 154);
  for (let index = 0; index < 7; index += 1) fee.copy(data, 162 + 32 * index);
  for (let index = 0; index < 8; index += 1) buyback.copy(data, 741 + 32 * index);
  return { lamports: GLOBAL_RENT, data, owner: pumpProgram, executable: false };
}
