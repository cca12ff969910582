/*
 * The launchpad of the local chain. It takes the instructions of pump.fun's bonding curve with their accounts, arguments, error
 * codes and events (interface facts: github pump-fun/pump-public-docs @1b82215, idl/pump.json and idl/pump_amm.json), and those that only
 * this chain has: the listing of a simulated coin, the trade of a simulated wallet, the move into a pool, and trades there.
 * Amounts are lamports and base units. What instructions differ in is data, in tables.h.
 */
#include "runtime.h"
#include "tables.h"

NOINLINE u64 is_state(const Call *c, u64 slot, u64 length, u64 discriminator) {
  const Account *account = &c->slots[slot];
  return same(account->owner, c->self) && account->length >= length && AT(account->data, 0) == discriminator;
}

NOINLINE u64 is_new(const Account *account) { return same(account->owner, &KEYS[NONE - WRAPPED_SOL]) && account->length == 0; }

/* Returns whether an account is one of the keys in Global. */
NOINLINE u64 is_one_of(const Account *account, const u8 *keys, u64 count) {
  for (; count; count--, keys += 32) if (same(account->key, KEY(keys, 0))) return 1;
  return 0;
}

/* Checks every account that pump.fun checks, and notes the seeds of the derived ones. */
NOINLINE u64 check_accounts(Call *c) {
  const Account *a = c->slots;
  u64 kinds = c->kinds;
  NEED(a[USER].is_signer, NOT_SIGNER);
  NEED(is_state(c, GLOBAL, G_BYTES, GLOBAL_ACCOUNT), NOT_INITIALIZED);
  if (!(kinds & LIST)) NEED(is_state(c, CURVE, CURVE_BYTES, CURVE_ACCOUNT), NOT_INITIALIZED);
  if (kinds & SWAP) NEED(is_state(c, POOL, POOL_BYTES, POOL_ACCOUNT), NOT_INITIALIZED);
  for (u64 i = 0; i < sizeof(CHECKS) / sizeof(CHECKS[0]); i++) {
    if (!(CHECKS[i].kinds & kinds)) continue;
    u64 account = CHECKS[i].account, count = 0;
    Seed *seeds = c->seeds[account];
    for (; count < 3 && CHECKS[i].parts[count] != NO; count++) seeds[count] = c->parts[CHECKS[i].parts[count]];
    Key found;
    if (CHECKS[i].program == NO) put_key((u8 *)&found, seeds[0].bytes);
    else {
      u8 *bump = &c->bumps[account];
      NEED(!sol_try_find_program_address(seeds, count, c->parts[CHECKS[i].program].bytes, &found, bump), WRONG_SEEDS);
      seeds[count++] = (Seed){bump, 1};
      c->signers[account] = (Signer){seeds, count};
    }
    NEED(same(&found, a[account].key), CHECKS[i].error);
  }
  if (!(kinds & (SWAP | ON_CURVE))) return 0;
  const u8 *global = a[GLOBAL].data;
  NEED(is_one_of(&a[FEE], global + G_FEE_RECIPIENT, 1) || is_one_of(&a[FEE], global + G_FEE_RECIPIENTS, 7), NOT_AUTHORIZED);
  return kinds & SWAP || is_one_of(&a[BUYBACK], global + G_BUYBACK_RECIPIENTS, 8) ? 0 : WRONG_BUYBACK;
}

NOINLINE void log_event(Call *c, u64 event) {
  Seed log[1] = {{c->event, 0}};
  for (const u8 *field = FIELDS + event; *field != NO; field++) {
    const Seed *part = &c->parts[*field];
    for (u64 i = 0; i < part->length; i++) c->event[log->length++] = ((const u8 *)part->bytes)[i];
  }
  sol_log_data(log, 1);
}

/* list_simulated_coin(creator, virtual token, virtual quote, real token, real quote): mints the supply and opens the curve. */
NOINLINE u64 list(Call *c, const u8 *arguments) {
  const Account *a = c->slots;
  const u64 *r = (const u64 *)(arguments + 32);
  u64 unsold = r[REAL_TOKEN] + POOL_SEED;
  NEED(is_new(&a[CURVE]), ALREADY_INITIALIZED);
  NEED(a[MINT].length >= 82 && AT(a[MINT].data, 36) == 0 && r[REAL_TOKEN] <= SUPPLY - POOL_SEED, BAD_SUPPLY);
  NEED(r[TOKEN_SIDE] > r[REAL_TOKEN] && r[TOKEN_SIDE] <= 2 * SUPPLY, BAD_RESERVES);
  NEED(r[QUOTE_SIDE] > r[REAL_QUOTE] && r[QUOTE_SIDE] < 1UL << 61, BAD_RESERVES);
  TRY(create(c, CURVE, CURVE_BYTES));
  TRY(pay(c, CURVE, r[REAL_QUOTE]));
  if (*a[CREATOR].lamports < RENT(0)) TRY(pay(c, CREATOR, RENT(0) - *a[CREATOR].lamports));
  TRY(mint_tokens(c, VAULT, unsold));
  TRY(mint_tokens(c, CROWD_TOKENS, SUPPLY - unsold));
  u8 *data = a[CURVE].data;
  AT(data, 0) = CURVE_ACCOUNT;
  put_key(data + C_RESERVES, KEY(r, 0));
  AT(data, C_SUPPLY) = SUPPLY;
  data[C_COMPLETE] = r[REAL_TOKEN] == 0;
  put_key(data + C_CREATOR, KEY(arguments, 0));
  return 0;
}

/* migrate_simulated_coin: moves a sold-out curve's lamports, without the fee, and the tokens that it never sold into the pool. */
NOINLINE u64 migrate(Call *c) {
  const Account *a = c->slots;
  u8 *curve = a[CURVE].data, *pool = a[POOL].data;
  u64 quote = AT(curve, C_RESERVES + 8 * REAL_QUOTE);
  NEED(curve[C_COMPLETE], NOT_COMPLETE);
  NEED(is_new(&a[POOL]), ALREADY_INITIALIZED);
  NEED(quote > MIGRATION_FEE, BAD_RESERVES);
  c->numbers[TOKENS] = POOL_SEED;
  c->numbers[QUOTE] = quote - MIGRATION_FEE;
  c->numbers[MIGRATION] = MIGRATION_FEE;
  TRY(create(c, POOL, POOL_BYTES));
  TRY(move_tokens(c, VAULT, POOL_VAULT, CURVE));
  *a[CURVE].lamports -= quote;
  *a[POOL].lamports += quote - MIGRATION_FEE;
  *a[USER].lamports += MIGRATION_FEE;
  AT(pool, 0) = POOL_ACCOUNT;
  put_key(pool + P_MINT, a[MINT].key);
  put_key(pool + P_CREATOR, KEY(curve, C_CREATOR));
  AT(pool, P_RESERVES) = POOL_SEED;
  AT(pool, P_RESERVES + 8) = quote - MIGRATION_FEE;
  put_key(curve + C_RESERVES, &KEYS[NONE - WRAPPED_SOL]);
  log_event(c, MIGRATED);
  return 0;
}

NOINLINE void set_rates(Call *c, const u64 *r) {
  u64 *bps = &c->numbers[BPS_OF];
  const u8 *global = c->slots[GLOBAL].data;
  bps[PROTOCOL] = AT(global, G_FEE_BPS);
  bps[OF_CREATOR] = AT(global, G_CREATOR_FEE_BPS);
  if (!(c->kinds & SWAP)) return;
  u64 sol = divide(r[QUOTE_SIDE], SUPPLY, r[TOKEN_SIDE], 0) / 1000000000, step = 0;
  while (sol >= POOL_FEES[step].below) step++;
  for (u64 i = 0; i < 3; i++) bps[i] = POOL_FEES[step].bps[i];
}

/* Sets the fees on a quote, each rounded up by itself, and returns their sum. */
NOINLINE u64 set_fees(Call *c, u64 quote) {
  u64 sum = 0;
  for (u64 i = 0; i < 3; i++) sum += c->numbers[FEE_OF + i] = divide(quote, c->numbers[BPS_OF + i], BPS, 1);
  return sum;
}

/* Sets tokens and quote of a trade by the quote formulas of pump.fun's and PumpSwap's interface. */
NOINLINE u64 set_price(Call *c, const u64 *r) {
  u64 *n = c->numbers, amount = n[AMOUNT], kinds = c->kinds, is_pool = kinds & SWAP, tokens, quote;
  if (kinds & SALE) {
    NEED(amount, SELL_ZERO);
    NEED(amount <= SUPPLY, TOO_FEW_TOKENS);
    tokens = amount;
    quote = divide(tokens, r[QUOTE_SIDE], r[TOKEN_SIDE] + tokens, 0);
    NEED(quote || !is_pool, SELL_ZERO);
    NEED(is_pool || quote <= r[REAL_QUOTE], TOO_LARGE);
  } else {
    u64 most = is_pool ? ~0UL : r[REAL_TOKEN];
    tokens = amount;
    if (!(kinds & EXACT_TOKENS)) {
      quote = divide(amount, BPS, BPS + n[BPS_OF] + n[BPS_OF + 1] + n[BPS_OF + 2], 0);
      u64 total = quote + set_fees(c, quote), less = total > amount ? total - amount : 0;
      /* On the curve the last lamport of the quote buys nothing. */
      if (!is_pool) less++;
      NEED(quote > less, BUY_ZERO);
      tokens = divide(r[TOKEN_SIDE], quote - less, r[QUOTE_SIDE] + quote - less, 0);
      quote -= less - !is_pool;
    }
    if (tokens >= most || kinds & EXACT_TOKENS) {
      if (tokens > most) tokens = most;
      quote = divide(tokens, r[QUOTE_SIDE], r[TOKEN_SIDE] - tokens, 0) + 1;
    }
    NEED(tokens, BUY_ZERO);
  }
  n[TOKENS] = tokens;
  n[QUOTE] = quote;
  return 0;
}

/* Refuses a trade that is worse than its limit, and notes what the user pays or gets. */
NOINLINE u64 set_limits(Call *c, u64 fees) {
  u64 *n = c->numbers, kinds = c->kinds, is_pool = kinds & SWAP, quote = n[QUOTE], limit = n[LIMIT], provider = n[FEE_OF + PROVIDER];
  if (kinds & SALE) {
    NEED(quote >= fees && quote - fees >= limit, is_pool ? EXCEEDED_SLIPPAGE : TOO_LITTLE_SOL);
    n[QUOTE_LIMIT] = limit;
    n[OF_USER] = quote - fees;
    n[WITH_PROVIDER] = quote - provider;
    return 0;
  }
  n[QUOTE_LIMIT] = n[AMOUNT];
  n[OF_USER] = quote + fees;
  n[WITH_PROVIDER] = quote + provider;
  if (kinds & EXACT_TOKENS) return quote + fees <= limit ? 0 : TOO_MUCH_SOL;
  return n[TOKENS] >= limit ? 0 : is_pool ? EXCEEDED_SLIPPAGE : TOKENS_BELOW_LEAST;
}

/* Makes a trade on the curve or in the pool: both have an account with lamports and reserves, and a vault with tokens. */
NOINLINE u64 trade(Call *c) {
  Account *a = c->slots;
  u64 *n = c->numbers, kinds = c->kinds, is_pool = kinds & SWAP, venue = is_pool ? POOL : CURVE, vault = is_pool ? POOL_VAULT : VAULT;
  u8 *curve = a[CURVE].data;
  u64 *r = (u64 *)(is_pool ? a[POOL].data + P_RESERVES : curve + C_RESERVES);
  NEED(is_pool || !curve[C_COMPLETE], CURVE_COMPLETE);
  NEED(n[AMOUNT] < 1UL << 61, TOO_LARGE);
  set_rates(c, r);
  TRY(set_price(c, r));
  TRY(set_limits(c, set_fees(c, n[QUOTE])));
  u64 quote = n[WITH_PROVIDER], tokens = n[TOKENS];
  if (kinds & SALE) {
    TRY(move_tokens(c, USER_TOKENS, vault, USER));
    *a[venue].lamports -= quote;
    *a[USER].lamports += n[OF_USER];
    *a[FEE].lamports += n[FEE_OF + PROTOCOL];
    *a[CREATOR].lamports += n[FEE_OF + OF_CREATOR];
    quote = -quote;
  } else {
    if (!is_pool && a[USER_VOLUME].length == 0) TRY(create(c, USER_VOLUME, USER_VOLUME_BYTES));
    TRY(pay(c, venue, quote));
    TRY(pay(c, FEE, n[FEE_OF + PROTOCOL]));
    TRY(pay(c, CREATOR, n[FEE_OF + OF_CREATOR]));
    TRY(move_tokens(c, vault, USER_TOKENS, venue));
    tokens = -tokens;
  }
  n[TOKENS_BEFORE] = r[TOKEN_SIDE];
  n[QUOTE_BEFORE] = r[QUOTE_SIDE];
  r[TOKEN_SIDE] += tokens;
  r[QUOTE_SIDE] += quote;
  if (is_pool) { log_event(c, POOL_TRADED); return 0; }
  r[REAL_TOKEN] += tokens;
  r[REAL_QUOTE] += quote;
  log_event(c, TRADED);
  if (r[REAL_TOKEN] == 0) { curve[C_COMPLETE] = 1; log_event(c, COMPLETED); }
  return 0;
}

/* Names the parts: keys of the slots, words, amounts, and what is read from accounts. */
NOINLINE void set_parts(Call *c, const u8 *creator) {
  Seed *parts = c->parts;
  const Account *a = c->slots;
  for (u64 i = 0; i < SLOTS; i++) parts[i] = (Seed){a[i].key, 32};
  parts[SELF].bytes = c->self;
  for (u64 i = 0; i < sizeof(KEYS) / 32; i++) parts[WRAPPED_SOL + i] = (Seed){&KEYS[i], 32};
  const char *word = WORDS;
  for (u64 i = 0; i < sizeof(LENGTHS); word += LENGTHS[i++]) parts[W_GLOBAL + i] = (Seed){word, LENGTHS[i]};
  for (u64 i = 0; i < NUMBERS; i++) parts[NUMBER + i] = (Seed){&c->numbers[i], 8};
  for (u64 i = 0; i < 4; i++) parts[RESERVE + i] = (Seed){a[CURVE].data + C_RESERVES + 8 * i, 8};
  parts[CREATOR_KEY] = (Seed){creator, 32};
  parts[AUTHORITY] = (Seed){a[GLOBAL].data + G_AUTHORITY, 32};
  parts[MINT_OWNER] = (Seed){a[MINT].owner, 32};
  parts[TIME] = (Seed){&c->clock[4], 8};
  parts[BUY_BYTE] = (Seed){&c->numbers[IS_BUY], 1};
}

u64 entrypoint(u8 *input) {
  Call *c;
  /* The heap; hidden from the compiler, which would load the whole address at every use. */
  __asm__("%0 = 0x300000000 ll" : "=r"(c));
  Account *a = c->given;
  c->count = AT(input, 0);
  u8 *at = input + 8;
  NEED(c->count <= MOST_ACCOUNTS, TOO_FEW_ACCOUNTS);
  for (u64 i = 0; i < c->count; i++) {
    if (*at != 255) { a[i] = a[*at]; at += 8; continue; }
    u64 length = AT(at, 80);
    a[i] = (Account){KEY(at, 8), &AT(at, 72), length, at + 88, KEY(at, 40), 0, at[1], at[2], at[3]};
    at = (u8 *)(((u64)at + 88 + length + 10240 + 7) & ~7UL);
    a[i].rent_epoch = AT(at, 0);
    at += 8;
  }
  u64 length = AT(at, 0), is_crowd = 0;
  u8 *data = at + 8;
  c->self = KEY(data, length);
  NEED(length >= 8, UNKNOWN_INSTRUCTION);
  /* crowd_trade(wallet, instruction): the launchpad's key trades, and the event names the wallet. */
  if (AT(data, 0) == CROWD_TRADE) {
    NEED(length >= 48, BAD_ARGUMENTS);
    is_crowd = CROWD;
    data += 40;
    length -= 40;
  }
  u64 i = 0, count = sizeof(INSTRUCTIONS) / sizeof(INSTRUCTIONS[0]);
  while (i < count && INSTRUCTIONS[i].discriminator != AT(data, 0)) i++;
  NEED(i < count && !(is_crowd && INSTRUCTIONS[i].kinds & (LIST | MIGRATE)), UNKNOWN_INSTRUCTION);
  NEED(length >= INSTRUCTIONS[i].bytes, BAD_ARGUMENTS);
  NEED(c->count >= INSTRUCTIONS[i].accounts, TOO_FEW_ACCOUNTS);
  const u8 *order = ORDERS + INSTRUCTIONS[i].order;
  for (u64 k = 0; k < INSTRUCTIONS[i].accounts; k++) {
    NEED(a[k].is_writable || !(INSTRUCTIONS[i].writable >> k & 1), NOT_WRITABLE);
    c->slots[order[k]] = a[k];
  }
  u64 kinds = INSTRUCTIONS[i].kinds | is_crowd, name = INSTRUCTIONS[i].name;
  a = c->slots;
  set_parts(c, kinds & LIST ? data + 8 : a[CURVE].data + C_CREATOR);
  c->numbers[AMOUNT] = AT(data, 8);
  c->numbers[LIMIT] = AT(data, 16);
  if (kinds & SWAP && data[24] == 0) { kinds |= SALE; name = E_POOL_SELL; }
  c->numbers[IS_BUY] = !(kinds & SALE);
  c->parts[NAME] = c->parts[name];
  c->parts[TRADER] = is_crowd ? (Seed){data - 32, 32} : c->parts[USER];
  c->kinds = kinds;
  sol_get_clock_sysvar(c->clock);
  TRY(check_accounts(c));
  if (kinds & LIST) return list(c, data + 8);
  return kinds & MIGRATE ? migrate(c) : trade(c);
}
