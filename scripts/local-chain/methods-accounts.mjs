/** JSON-RPC methods about accounts and tokens. */
import bs58 from 'bs58';
import { presentAccount } from './accounts.mjs';
import { invalidParams } from './errors.mjs';
import { accountOptions, addressParam, countParam, listParam, optionsParam } from './params.mjs';
import { mintOf, TOKEN_PROGRAMS, tokenAccountOf, tokenAmount } from './token-accounts.mjs';

const MOST_ACCOUNTS = 100;
const MOST_FILTERS = 4;
/** A validator's limit of what a filter compares. */
const LONGEST_COMPARED = 128;
/** Base58 of that. */
const LONGEST_COMPARED_TEXT = 175;
const MOST_LARGEST = 20;
/** What one answer may list: a busy node refuses more as well. */
const MOST_LISTED = 10_000;
/** What the accounts of one answer may hold: the largest possible one, and some more. */
const MOST_LISTED_BYTES = 16 * 1024 * 1024;

/** @param {unknown} filter @returns {(data: Buffer) => boolean} */
function filterOf(filter) {
  const { dataSize, memcmp } = optionsParam(filter);
  if (dataSize !== undefined) return (data) => data.length === dataSize;
  const { offset, bytes, encoding = 'base58' } = optionsParam(memcmp);
  const start = countParam(offset, Number.MAX_SAFE_INTEGER);
  if (typeof bytes !== 'string' || bytes.length > LONGEST_COMPARED_TEXT) throw invalidParams('Invalid param: filter');
  let wanted;
  try {
    wanted = Buffer.from(encoding === 'base64' ? Buffer.from(bytes, 'base64') : bs58.decode(bytes));
  } catch {
    throw invalidParams('Invalid param: filter');
  }
  if (wanted.length > LONGEST_COMPARED) throw invalidParams('Invalid param: filter');
  return (data) => data.subarray(start, start + wanted.length).equals(wanted);
}

/** @param {import('./methods.mjs').Parts} parts @returns {import('./methods.mjs').Methods} */
export function accountMethods({ engine, inContext }) {
  const accountAt = (address) => engine.account(address);
  const shown = (state, options) => (state === null ? null : presentAccount(state, options, accountAt));

  const limited = (list) => {
    if (list.length > MOST_LISTED) throw invalidParams(`More than ${MOST_LISTED} accounts; add a filter`);
    return list;
  };
  const limitedData = (states) => {
    const bytes = states.reduce((total, state) => total + (state?.data.length ?? 0), 0);
    if (bytes > MOST_LISTED_BYTES) throw invalidParams(`More than ${MOST_LISTED_BYTES} bytes; ask for fewer accounts`);
    return states;
  };

  const tokenAccounts = (programs, isWanted) =>
    programs.flatMap((program) =>
      engine.programAccounts(program).flatMap(({ address, state }) => {
        const token = tokenAccountOf(state);
        return token && isWanted(token) ? [{ address, state, token }] : [];
      }),
    );

  const mintAt = (value) => {
    const mint = mintOf(engine.account(addressParam(value)));
    if (!mint) throw invalidParams('Invalid param: not a Token mint');
    return mint;
  };

  const tokenAccountsBy = (isWantedOwner, filter, options) => {
    const { programId, mint } = optionsParam(filter);
    if (programId !== undefined && !TOKEN_PROGRAMS.has(programId)) {
      throw invalidParams('Invalid param: unrecognized Token program id');
    }
    const programs = programId === undefined ? [mintAt(mint).program] : [programId];
    const found = tokenAccounts(
      programs,
      (token) => isWantedOwner(token) && (mint === undefined || token.mint === mint),
    );
    const how = accountOptions(options);
    return inContext(limited(found).map(({ address, state }) => ({ pubkey: address, account: shown(state, how) })));
  };

  return {
    getBalance: ([address]) => inContext(Number(engine.balance(addressParam(address)))),
    getAccountInfo: ([address, options]) =>
      inContext(shown(engine.account(addressParam(address)), accountOptions(options))),
    getMultipleAccounts([addresses, options]) {
      const { encoding = 'base64', ...how } = accountOptions(options);
      const list = listParam(addresses, MOST_ACCOUNTS).map(addressParam);
      return inContext(limitedData(list.map(accountAt)).map((state) => shown(state, { encoding, ...how })));
    },
    getProgramAccounts([program, options]) {
      const { filters, withContext } = optionsParam(options);
      const tests = listParam(filters ?? [], MOST_FILTERS).map(filterOf);
      const found = engine
        .programAccounts(addressParam(program))
        .filter(({ state }) => tests.every((test) => test(state.data)));
      const how = accountOptions(options);
      limitedData(found.map(({ state }) => state));
      const list = limited(found).map(({ address, state }) => ({ pubkey: address, account: shown(state, how) }));
      return withContext ? inContext(list) : list;
    },
    getMinimumBalanceForRentExemption: ([bytes]) => engine.rentMinimum(countParam(bytes, 10 * 1024 * 1024)),
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
      const holders = tokenAccounts([mint.program], (token) => token.mint === wanted);
      const byAmount = (a, b) => (a.token.amount < b.token.amount ? 1 : a.token.amount > b.token.amount ? -1 : 0);
      const largest = holders.sort(byAmount).slice(0, MOST_LARGEST);
      return inContext(
        largest.map((holder) => ({ address: holder.address, ...tokenAmount(holder.token.amount, mint.decimals) })),
      );
    },
  };
}
