/*
 * The launchpad of the local chain. It takes the instructions of pump.fun's bonding curve with their accounts, arguments, error
 * codes and events (interface facts: github pump-fun/pump-public-docs @1b82215, idl/pump.json and idl/pump_amm.json), and those that only
 * this chain has: the listing of a simulated coin, the trade of a simulated wallet, the move into a pool, and trades there.
 * Amounts are lamports and base units. What instructions differ in is data, in tables.h.
 */
#include "runtime.h"
#include "tables.h"

/* Returns whether an account is one of the keys in Global. */
INLINE u64 is_one_of(const Slot *account, const u8 *keys, u64 count) {
  for (; count; count--, keys += 32) if (same(account->key, KEY(keys, 0))) return 1;
  return 0;
}

/* Checks one account, and notes the seeds of a derived one. */
INLINE u64 check_account(const Check *check) {
  CALL;
  Slot *slot = &c->slots[check->account];
  const Key *expected = c->parts[check->parts[0]].bytes;
  if (check->program != NO) {
    Seed *seed = slot->seeds;
    for (u64 i = 0; i < check->count; i++) *seed++ = c->parts[check->parts[i]];
    *seed = (Seed){&slot->bump, 1};
    slot->signer = (Signer){slot->seeds, check->count + 1};
    expected = &c->found;
    if (sol_try_find_program_address(slot->seeds, check->count, c->parts[check->program].bytes, &c->found, &slot->bump)) return WRONG_SEEDS;
  }
  return same(expected, slot->key) ? 0 : check->error;
}

/* Checks every account that pump.fun checks. */
INLINE u64 check_accounts(void) {
  CALL;
  const Slot *a = c->slots;
  u64 kinds = c->kinds;
  NEED(a[USER].is_signer, NOT_SIGNER);
  /* At addresses that this program derives, accounts with data are its own. */
  NEED(a[GLOBAL].length >= G_BYTES, NOT_INITIALIZED);
  if (!(kinds & LIST)) NEED(a[CURVE].length >= CURVE_BYTES, NOT_INITIALIZED);
  if (kinds & SWAP) NEED(a[POOL].length >= POOL_BYTES, NOT_INITIALIZED);
  const Check *check = TABLES->checks;
  for (u64 left = CHECKS; left; left--, check++) {
    if (check->kinds & kinds) TRY(check_account(check));
  }
  if (!(kinds & (SWAP | ON_CURVE))) return 0;
  const u8 *global = a[GLOBAL].data;
  NEED(is_one_of(&a[FEE], global + G_FEE_RECIPIENT, 1) || is_one_of(&a[FEE], global + G_FEE_RECIPIENTS, 7), NOT_AUTHORIZED);
  return kinds & SWAP || is_one_of(&a[BUYBACK], global + G_BUYBACK_RECIPIENTS, 8) ? 0 : WRONG_BUYBACK;
}

/* Moves lamports without a call: only accounts of this program may lose some. */
NOINLINE void give(u64 slot, u64 lamports) {
  CALL;
  *c->slots[slot].lamports += lamports;
}

/* Writes an event, whose fields are parts. */
NOINLINE void log_event(u64 event) {
  CALL;
  u8 *to = c->event;
  for (const u8 *field = TABLES->fields + event; *field != NO; field++) {
    const Seed *part = &c->parts[*field];
    const u8 *from = part->bytes;
    for (u64 left = part->length; left; left--) *to++ = *from++;
  }
  Seed log = {c->event, to - c->event};
  sol_log_data(&log, 1);
}

/* list_simulated_coin(creator, virtual token, virtual quote, real token, real quote): mints the supply and opens the curve. */
INLINE u64 list(const u8 *arguments) {
  CALL;
  const Slot *a = c->slots;
  const u64 *r = (const u64 *)(arguments + 32);
  u64 unsold = r[REAL_TOKEN] + POOL_SEED;
  NEED(a[CURVE].length == 0, ALREADY_INITIALIZED);
  NEED(a[MINT].length >= 82 && AT(a[MINT].data, 36) == 0 && r[REAL_TOKEN] <= SUPPLY - POOL_SEED, BAD_SUPPLY);
  NEED(r[TOKEN_SIDE] > r[REAL_TOKEN] && r[TOKEN_SIDE] <= 2 * SUPPLY, BAD_RESERVES);
  NEED(r[QUOTE_SIDE] > r[REAL_QUOTE] && r[QUOTE_SIDE] < 1UL << 61, BAD_RESERVES);
  create(CURVE, CURVE_BYTES);
  pay(CURVE, r[REAL_QUOTE]);
  pay_rent(CREATOR, 0);
  mint_tokens(VAULT, unsold);
  mint_tokens(CROWD_TOKENS, SUPPLY - unsold);
  u8 *data = a[CURVE].data;
  AT(data, 0) = CURVE_ACCOUNT;
  copy(data + C_RESERVES, KEY(r, 0), 4);
  AT(data, C_SUPPLY) = SUPPLY;
  data[C_COMPLETE] = r[REAL_TOKEN] == 0;
  copy(data + C_CREATOR, KEY(arguments, 0), 4);
  return 0;
}

/* migrate_simulated_coin: moves a sold-out curve's lamports, without the fee, and the tokens that it never sold into the pool. */
INLINE u64 migrate(void) {
  CALL;
  const Slot *a = c->slots;
  u8 *curve = a[CURVE].data, *pool = a[POOL].data;
  u64 quote = AT(curve, C_RESERVES + 8 * REAL_QUOTE);
  NEED(curve[C_COMPLETE], NOT_COMPLETE);
  NEED(a[POOL].length == 0, ALREADY_INITIALIZED);
  NEED(quote > MIGRATION_FEE, BAD_RESERVES);
  c->numbers[TOKENS] = POOL_SEED;
  c->numbers[QUOTE] = quote - MIGRATION_FEE;
  c->numbers[MIGRATION] = MIGRATION_FEE;
  create(POOL, POOL_BYTES);
  move_tokens(VAULT, POOL_VAULT, CURVE);
  give(CURVE, -quote);
  give(POOL, quote - MIGRATION_FEE);
  give(USER, MIGRATION_FEE);
  AT(pool, 0) = POOL_ACCOUNT;
  copy(pool + P_MINT, a[MINT].key, 4);
  copy(pool + P_CREATOR, KEY(curve, C_CREATOR), 4);
  AT(pool, P_RESERVES) = POOL_SEED;
  AT(pool, P_RESERVES + 8) = quote - MIGRATION_FEE;
  copy(curve + C_RESERVES, c->parts[NONE].bytes, 4);
  log_event(MIGRATED);
  return 0;
}

/* Sets the fees in force, basis points: those of the curve, or by the market cap in a pool. */
INLINE void set_rates(const u64 *r) {
  CALL;
  u64 *bps = &c->numbers[BPS_OF];
  const u8 *global = c->slots[GLOBAL].data;
  bps[PROTOCOL] = AT(global, G_FEE_BPS);
  bps[OF_CREATOR] = AT(global, G_CREATOR_FEE_BPS);
  if (!(c->kinds & SWAP)) return;
  u64 sol = divide(r[QUOTE_SIDE], SUPPLY, r[TOKEN_SIDE], 0) / 1000000000;
  const Step *step = TABLES->pool_fees;
  while (sol >= step->below) step++;
  bps[PROVIDER] = step->bps[PROVIDER];
  bps[PROTOCOL] = step->bps[PROTOCOL];
  bps[OF_CREATOR] = step->bps[OF_CREATOR];
}

/* Sets the fees on a quote, each rounded up by itself, and returns their sum. */
NOINLINE u64 set_fees(u64 quote) {
  CALL;
  u64 sum = 0;
  for (u64 i = 0; i < 3; i++) sum += c->numbers[FEE_OF + i] = divide(quote, c->numbers[BPS_OF + i], BPS, 1);
  return sum;
}

/* Sets tokens and quote of a trade by the quote formulas of pump.fun's and PumpSwap's interface. */
INLINE u64 set_price(const u64 *r) {
  CALL;
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
      u64 total = quote + set_fees(quote), less = total > amount ? total - amount : 0;
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
INLINE u64 set_limits(u64 fees) {
  CALL;
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
NOINLINE u64 trade(void) {
  CALL;
  Slot *a = c->slots;
  u64 *n = c->numbers, kinds = c->kinds, is_pool = kinds & SWAP, venue = c->venue, vault = venue + 1;
  u8 *curve = a[CURVE].data;
  u64 *r = (u64 *)(is_pool ? a[POOL].data + P_RESERVES : curve + C_RESERVES);
  NEED(is_pool || !curve[C_COMPLETE], CURVE_COMPLETE);
  NEED(n[AMOUNT] < 1UL << 61, TOO_LARGE);
  set_rates(r);
  TRY(set_price(r));
  TRY(set_limits(set_fees(n[QUOTE])));
  u64 quote = n[WITH_PROVIDER], tokens = n[TOKENS];
  if (kinds & SALE) {
    move_tokens(USER_TOKENS, vault, USER);
    give(venue, -quote);
    give(USER, n[OF_USER]);
    give(FEE, n[FEE_OF + PROTOCOL]);
    give(CREATOR, n[FEE_OF + OF_CREATOR]);
    quote = -quote;
  } else {
    if (!is_pool && a[USER_VOLUME].length == 0) create(USER_VOLUME, USER_VOLUME_BYTES);
    pay(venue, quote);
    pay(FEE, n[FEE_OF + PROTOCOL]);
    pay(CREATOR, n[FEE_OF + OF_CREATOR]);
    move_tokens(vault, USER_TOKENS, venue);
    tokens = -tokens;
  }
  n[TOKENS_BEFORE] = r[TOKEN_SIDE];
  n[QUOTE_BEFORE] = r[QUOTE_SIDE];
  r[TOKEN_SIDE] += tokens;
  r[QUOTE_SIDE] += quote;
  if (is_pool) { log_event(POOL_TRADED); return 0; }
  r[REAL_TOKEN] += tokens;
  r[REAL_QUOTE] += quote;
  log_event(TRADED);
  if (r[REAL_TOKEN] == 0) { curve[C_COMPLETE] = 1; log_event(COMPLETED); }
  return 0;
}

INLINE void add_parts(u64 first, const u8 *bytes, u64 length, u64 count) {
  CALL;
  for (Seed *part = &c->parts[first]; count; count--, part++, bytes += length) *part = (Seed){bytes, length};
}

/* Names the parts: keys of the slots, fixed keys, words, amounts with the time, and what is read from accounts. */
NOINLINE void set_parts(const u8 *creator) {
  CALL;
  const Slot *a = c->slots;
  for (u64 i = 0; i < SLOTS; i++, a++) add_parts(i, (const u8 *)a->key, 32, 1);
  a = c->slots;
  const u8 *word = (const u8 *)TABLES->keys;
  for (u64 i = 0; i < sizeof(TABLES->lengths); word += TABLES->lengths[i++]) add_parts(WRAPPED_SOL + i, word, TABLES->lengths[i], 1);
  add_parts(SELF, (const u8 *)c->self, 32, 1);
  add_parts(NUMBER, (const u8 *)c->numbers, 8, NUMBERS + 5);
  add_parts(RESERVE, a[CURVE].data + C_RESERVES, 8, 4);
  add_parts(CREATOR_KEY, creator, 32, 1);
  add_parts(AUTHORITY, a[GLOBAL].data + G_AUTHORITY, 32, 1);
  add_parts(MINT_OWNER, (const u8 *)a[MINT].owner, 32, 1);
  add_parts(BUY_BYTE, (const u8 *)&c->numbers[IS_BUY], 1, 1);
}

/* Fills the slots with the accounts of an instruction. */
NOINLINE u64 set_slots(const Kind *kind) {
  CALL;
  const Account *given = c->given;
  const u8 *slot = TABLES->orders + kind->order;
  u64 left = kind->accounts;
  NEED(c->count >= left, TOO_FEW_ACCOUNTS);
  for (u64 writable = kind->writable; left; left--, given++, writable >>= 1) {
    NEED(given->is_writable || !(writable & 1), NOT_WRITABLE);
    copy(&c->slots[*slot++], given, ACCOUNT_WORDS);
  }
  return 0;
}

/* Reads the instruction of `length` bytes in `data`; `trader` is named by the event, and null for the user. */
NOINLINE u64 run(const u8 *data, u64 length, const u8 *trader) {
  CALL;
  const Kind *kind = TABLES->instructions;
  for (u64 left = INSTRUCTIONS; kind->discriminator != AT(data, 0); kind++) NEED(--left, UNKNOWN_INSTRUCTION);
  u64 kinds = kind->kinds, name = kind->name;
  NEED(!trader || !(kinds & (LIST | MIGRATE)), UNKNOWN_INSTRUCTION);
  NEED(length >= kind->bytes, BAD_ARGUMENTS);
  TRY(set_slots(kind));
  const Slot *a = c->slots;
  if (kinds & SWAP && data[24] == 0) { kinds |= SALE; name = E_POOL_SELL; }
  c->venue = kinds & SWAP ? POOL : CURVE;
  copy(&c->numbers[AMOUNT], data + 8, 2);
  c->numbers[IS_BUY] = !(kinds & SALE);
  sol_get_clock_sysvar(c->clock);
  set_parts(kinds & LIST ? data + 8 : a[CURVE].data + C_CREATOR);
  if (trader) kinds |= CROWD;
  else trader = (const u8 *)a[USER].key;
  add_parts(TRADER, trader, 32, 1);
  copy(&c->parts[NAME], &c->parts[name], 2);
  c->kinds = kinds;
  TRY(check_accounts());
  if (kinds & LIST) return list(data + 8);
  return kinds & MIGRATE ? migrate() : trade();
}

u64 entrypoint(const u8 *at) {
  CALL;
  Account *a = c->given;
  u64 left = AT(at, 0);
  c->count = left;
  NEED(left <= MOST_ACCOUNTS, TOO_FEW_ACCOUNTS);
  for (at += 8; left; left--, a++, at += 8) {
    if (*at != 255) { copy(a, &c->given[*at], ACCOUNT_WORDS); continue; }
    u64 length = AT(at, 80);
    a->key = KEY(at, 8);
    a->lamports = &AT(at, 72);
    a->length = length;
    a->data = (u8 *)at + 88;
    a->owner = KEY(at, 40);
    /* Whether it signs, is writable, and is a program. */
    *(u32 *)&a->is_signer = *(const u32 *)(at + 1);
    at = (const u8 *)(((u64)at + 88 + length + 10240 + 7) & ~7UL);
    a->rent_epoch = AT(at, 0);
  }
  u64 length = AT(at, 0);
  at += 8;
  c->self = KEY(at, length);
  NEED(length >= 8, UNKNOWN_INSTRUCTION);
  /* crowd_trade(wallet, instruction): the launchpad's key trades, and the event names the wallet. */
  if (AT(at, 0) != CROWD_TRADE) return run(at, length, 0);
  return length < 48 ? BAD_ARGUMENTS : run(at + 40, length - 40, at + 8);
}
