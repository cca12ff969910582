import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';

/** Instructions of the SPL token program, by their bytes. */
const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const MINT_TO = 7;
const TRANSFER_CHECKED = 12;
const INITIALIZE_ACCOUNT_3 = 18;
const INITIALIZE_MINT_2 = 20;

const writable = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
const readonly = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
const signer = (pubkey: PublicKey) => ({ pubkey, isSigner: true, isWritable: false });

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

const instruction = (keys: TransactionInstruction['keys'], data: Buffer) =>
  new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data });

function create(payer: PublicKey, account: PublicKey, space: number, lamports: number): TransactionInstruction {
  return SystemProgram.createAccount({
    fromPubkey: payer,
    newAccountPubkey: account,
    space,
    lamports,
    programId: TOKEN_PROGRAM,
  });
}

export function createMint(
  payer: PublicKey,
  mint: PublicKey,
  decimals: number,
  lamports: number,
): TransactionInstruction[] {
  const data = Buffer.concat([Buffer.from([INITIALIZE_MINT_2, decimals]), payer.toBuffer(), Buffer.from([0])]);
  return [create(payer, mint, 82, lamports), instruction([writable(mint)], data)];
}

export function createTokenAccount(
  payer: PublicKey,
  account: PublicKey,
  mint: PublicKey,
  owner: PublicKey,
  lamports: number,
): TransactionInstruction[] {
  const data = Buffer.concat([Buffer.from([INITIALIZE_ACCOUNT_3]), owner.toBuffer()]);
  return [create(payer, account, 165, lamports), instruction([writable(account), readonly(mint)], data)];
}

export function mintTo(
  mint: PublicKey,
  account: PublicKey,
  authority: PublicKey,
  amount: bigint,
): TransactionInstruction {
  return instruction(
    [writable(mint), writable(account), signer(authority)],
    Buffer.concat([Buffer.from([MINT_TO]), u64(amount)]),
  );
}

export function transferChecked(
  source: PublicKey,
  mint: PublicKey,
  destination: PublicKey,
  owner: PublicKey,
  amount: bigint,
  decimals: number,
): TransactionInstruction {
  return instruction(
    [writable(source), readonly(mint), writable(destination), signer(owner)],
    Buffer.concat([Buffer.from([TRANSFER_CHECKED]), u64(amount), Buffer.from([decimals])]),
  );
}
