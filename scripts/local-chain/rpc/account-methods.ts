/** JSON-RPC methods about accounts and tokens. */
import bs58 from 'bs58';
import type { AccountState, Engine } from '../ledger/engine.ts';
import { mintOf, TOKEN_PROGRAMS, type TokenAccount, tokenAccountOf, tokenAmount } from '../ledger/token-accounts.ts';
import { type AccountFormat, presentAccount } from './account-json.ts';
import { invalidParams } from './errors.ts';
import type { InContext, Methods } from './method.ts';
import { accountFormat, addressParam, countParam, listParam, optionsParam } from './params.ts';

const MAX_ACCOUNTS = 100;
const MAX_FILTERS = 4;
/** A validator's limit of the bytes that a filter compares. */
const LONGEST_COMPARED = 128;
/** Base58 of that. */
const LONGEST_COMPARED_TEXT = 175;
const MAX_LARGEST = 20;
const LARGEST_ACCOUNT_BYTES = 10 * 1024 * 1024;

interface Holding {
  address: string;
  state: AccountState;
  token: TokenAccount;
}

export function accountMethods(engine: Engine, inContext: InContext): Methods {
  const present = (state: AccountState | null, format: AccountFormat) =>
    state && presentAccount(state, format, engine.account);
  const presentAll = (list: readonly { address: string; state: AccountState }[], format: AccountFormat) =>
    list.map(({ address, state }) => ({ pubkey: address, account: present(state, format) }));
  return {
    getBalance: ([address]) => inContext(Number(engine.balance(addressParam(address)))),
    getAccountInfo: ([address, options]) =>
      inContext(present(engine.account(addressParam(address)), accountFormat(options, 'base58'))),
    getMultipleAccounts([addresses, options]) {
      const format = accountFormat(options, 'base64');
      const list = listParam(addresses, MAX_ACCOUNTS).map(addressParam);
      return inContext(list.map((address) => present(engine.account(address), format)));
    },
    getProgramAccounts([program, options]) {
      const { filters, withContext } = optionsParam(options);
      const tests = listParam(filters ?? [], MAX_FILTERS).map(filterOf);
      const found = engine
        .programAccounts(addressParam(program))
        .filter(({ state }) => tests.every((test) => test(state.data)));
      const list = presentAll(found, accountFormat(options, 'base58'));
      return withContext ? inContext(list) : list;
    },
    getMinimumBalanceForRentExemption: ([bytes]) => engine.rentMinimum(countParam(bytes, LARGEST_ACCOUNT_BYTES)),
    ...tokenMethods(engine, inContext, presentAll),
  };
}

function tokenMethods(
  engine: Engine,
  inContext: InContext,
  presentAll: (list: readonly Holding[], format: AccountFormat) => unknown,
): Methods {
  const mintAt = (value: unknown) => {
    const mint = mintOf(engine.account(addressParam(value)));
    if (!mint) throw invalidParams('Invalid param: not a Token mint');
    return mint;
  };

  const tokenAccounts = (program: string, isWanted: (token: TokenAccount) => boolean): Holding[] =>
    engine.programAccounts(program).flatMap(({ address, state }) => {
      const token = tokenAccountOf(state);
      return token && isWanted(token) ? [{ address, state, token }] : [];
    });

  /** Returns the accounts of an owner or a delegate, of one mint or one program. */
  const tokenAccountsBy = (isWanted: (token: TokenAccount) => boolean, filter: unknown, options: unknown) => {
    const { programId, mint } = optionsParam(filter);
    const program =
      programId === undefined ? mintAt(mint).program : [...TOKEN_PROGRAMS.keys()].find((one) => one === programId);
    if (!program) throw invalidParams('Invalid param: unrecognized Token program id');
    const found = tokenAccounts(program, (token) => isWanted(token) && (mint === undefined || token.mint === mint));
    return inContext(presentAll(found, accountFormat(options, 'base58')));
  };

  return {
    getTokenAccountsByOwner([owner, filter, options]) {
      const wanted = addressParam(owner);
      return tokenAccountsBy((token) => token.owner === wanted, filter, options);
    },
    getTokenAccountsByDelegate([delegate, filter, options]) {
      const wanted = addressParam(delegate);
      return tokenAccountsBy((token) => token.delegate === wanted, filter, options);
    },
    getTokenAccountBalance([address]) {
      const token = tokenAccountOf(engine.account(addressParam(address)));
      if (!token) throw invalidParams('Invalid param: could not find account');
      return inContext(tokenAmount(token.amount, mintAt(token.mint).decimals));
    },
    getTokenSupply([address]) {
      const mint = mintAt(address);
      return inContext(tokenAmount(mint.supply, mint.decimals));
    },
    getTokenLargestAccounts([address]) {
      const mint = mintAt(address);
      const wanted = addressParam(address);
      const holdings = tokenAccounts(mint.program, (token) => token.mint === wanted);
      const byAmount = (a: Holding, b: Holding): number =>
        a.token.amount < b.token.amount ? 1 : a.token.amount > b.token.amount ? -1 : 0;
      const largest = holdings.sort(byAmount).slice(0, MAX_LARGEST);
      return inContext(
        largest.map(({ address: holder, token }) => ({ address: holder, ...tokenAmount(token.amount, mint.decimals) })),
      );
    },
  };
}

/** Returns the test of a `getProgramAccounts` filter. */
function filterOf(filter: unknown): (data: Buffer) => boolean {
  const { dataSize, memcmp } = optionsParam(filter);
  if (dataSize !== undefined) return (data) => data.length === dataSize;
  const { offset, bytes, encoding = 'base58' } = optionsParam(memcmp);
  const start = countParam(offset, Number.MAX_SAFE_INTEGER);
  if (typeof bytes !== 'string' || bytes.length > LONGEST_COMPARED_TEXT) throw invalidParams('Invalid param: filter');
  const wanted = decodeCompared(bytes, encoding);
  if (wanted.length > LONGEST_COMPARED) throw invalidParams('Invalid param: filter');
  return (data) => data.subarray(start, start + wanted.length).equals(wanted);
}

function decodeCompared(bytes: string, encoding: unknown): Buffer {
  try {
    return encoding === 'base64' ? Buffer.from(bytes, 'base64') : Buffer.from(bs58.decode(bytes));
  } catch {
    throw invalidParams('Invalid param: filter');
  }
}
