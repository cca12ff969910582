/*
 * The launchpad of the local chain. It takes the instructions of pump.fun's bonding curve with their accounts, arguments, error
 * codes and events (interface facts: github pump-fun/pump-public-docs @1b82215, idl/pump.json), and two instructions that only
 * this chain has: the listing of a simulated coin, and the trade of a simulated wallet. Amounts are lamports and base units. README.md says what it leaves out.
 */
#include "runtime.h"

/* Places in the accounts BondingCurve and Global. */
enum { C_VIRTUAL_TOKEN = 8, C_VIRTUAL_QUOTE = 16, C_REAL_TOKEN = 24, C_REAL_QUOTE = 32, C_COMPLETE = 48, C_CREATOR = 49,
  G_AUTHORITY = 9, G_FEE_RECIPIENT = 41, G_FEE_BPS = 105, G_CREATOR_FEE_BPS = 154, G_FEE_RECIPIENTS = 162,
  G_BUYBACK_RECIPIENTS = 741, G_BYTES = 1045 };

NOINLINE u64 check_global(const Account *global, const Key *self) {
  NEED(same(global->owner, self) && global->length >= G_BYTES && AT(global->data, 0) == GLOBAL_ACCOUNT, NOT_INITIALIZED);
  return 0;
}

/* list_simulated_coin(creator, virtual token, virtual quote, real token, real quote): mints the supply and opens the curve. */
NOINLINE u64 list(const Call *c, const u8 *arguments, u64 length) {
  const Account *a = c->accounts;
  const Key *self = c->self;
  NEED(c->count >= L_ACCOUNTS, TOO_FEW_ACCOUNTS);
  NEED(length >= 64, BAD_ARGUMENTS);
  u64 virtual_token = AT(arguments, 32), virtual_quote = AT(arguments, 40);
  u64 real_token = AT(arguments, 48), real_quote = AT(arguments, 56);
  TRY(check_global(&a[L_GLOBAL], self));
  NEED(a[L_AUTHORITY].is_signer, NOT_SIGNER);
  NEED(same(a[L_AUTHORITY].key, KEY(a[L_GLOBAL].data, G_AUTHORITY)), NOT_AUTHORIZED);
  u8 bump, other;
  Seed curve[3] = {{"bonding-curve", 13}, {a[L_MINT].key, 32}, {&bump, 1}}, creator[2] = {{"creator-vault", 13}, {arguments, 32}};
  NEED(is_derived(&a[L_CURVE], curve, 2, self, &bump) && is_derived(&a[L_CREATOR], creator, 2, self, &other), WRONG_SEEDS);
  NEED(is_token_account(&a[L_VAULT], a[L_CURVE].key, a[L_TOKEN_PROGRAM].key, a[L_MINT].key), WRONG_SEEDS);
  NEED(same(a[L_CURVE].owner, &NONE) && a[L_CURVE].length == 0, ALREADY_INITIALIZED);
  NEED(a[L_MINT].length >= 82 && AT(a[L_MINT].data, 36) == 0 && real_token <= SUPPLY - POOL_SEED, BAD_SUPPLY);
  NEED(virtual_token > real_token && virtual_token <= 2 * SUPPLY && virtual_quote > real_quote && virtual_quote < 1UL << 62, BAD_RESERVES);
  Signer signer = {curve, 3};
  TRY(create(c, &a[L_AUTHORITY], &a[L_CURVE], CURVE_BYTES, &signer));
  TRY(pay(c, &a[L_AUTHORITY], &a[L_CURVE], real_quote));
  if (*a[L_CREATOR].lamports < RENT(0)) TRY(pay(c, &a[L_AUTHORITY], &a[L_CREATOR], RENT(0) - *a[L_CREATOR].lamports));
  TRY(mint_tokens(c, &a[L_VAULT], real_token + POOL_SEED));
  TRY(mint_tokens(c, &a[L_CROWD], SUPPLY - POOL_SEED - real_token));
  u8 *data = a[L_CURVE].data;
  put(put(put(put(put(put(data, CURVE_ACCOUNT), virtual_token), virtual_quote), real_token), real_quote), SUPPLY);
  data[C_COMPLETE] = real_token == 0;
  put_key(data + C_CREATOR, KEY(arguments, 0));
  return 0;
}

/* Addresses derived from a word and an account's key, with the program that derives them. */
enum { NO_KEY = ACCOUNTS, CREATOR_OF_CURVE };
static const char WORDS[] = "global" "bonding-curve" "creator-vault" "sharing-config" "global_volume_accumulator"
  "user_volume_accumulator" "fee_config" "__event_authority";
static const struct { u8 account, start, length, key, program; } DERIVED[] = {
  {GLOBAL, 0, 6, NO_KEY, SELF}, {CURVE, 6, 13, MINT, SELF}, {CREATOR, 19, 13, CREATOR_OF_CURVE, SELF},
  {SHARING, 32, 14, MINT, FEE_PROGRAM}, {VOLUME, 46, 25, NO_KEY, SELF}, {USER_VOLUME, 71, 23, USER, SELF},
  {FEE_CONFIG, 94, 10, SELF, FEE_PROGRAM}, {EVENTS, 104, 17, NO_KEY, SELF}};
/* Associated token accounts of the quote, with their owners. */
static const u8 QUOTE_ACCOUNTS[][2] = {{FEE_ATA, FEE}, {BUYBACK_ATA, BUYBACK}, {CURVE_ATA, CURVE}, {USER_ATA, USER},
  {CREATOR_ATA, CREATOR}, {USER_VOLUME_ATA, USER_VOLUME}};
/* Bits of the accounts that pump.fun marks as writable. */
#define WRITABLE 0x33ffc0

/* Checks every account that pump.fun checks, and notes the last seeds of two of them. */
NOINLINE u64 check_accounts(Call *c, u64 is_sale) {
  const Account *a = c->accounts;
  const Key *self = c->self;
#define OF(index) (&a[(index) - (is_sale && (index) > VOLUME)])
  NEED(a[USER].is_signer, NOT_SIGNER);
  for (u64 i = 0; i < ACCOUNTS; i++) {
    if (!(is_sale && i == VOLUME) && (WRITABLE >> i & 1)) NEED(OF(i)->is_writable, NOT_WRITABLE);
  }
  NEED(same(a[QUOTE_MINT].key, &WRAPPED_SOL), WRONG_QUOTE);
  NEED(same(a[QUOTE_PROGRAM].key, &TOKENS), WRONG_QUOTE_PROGRAM);
  NEED(same(a[ATA_PROGRAM].key, &ATA) && same(OF(FEE_PROGRAM)->key, &FEES), WRONG_ADDRESS);
  NEED(same(OF(SYSTEM)->key, &NONE) && same(OF(SELF)->key, self), WRONG_ADDRESS);
  NEED(same(a[MINT].owner, a[TOKEN_PROGRAM].key), WRONG_ADDRESS);
  TRY(check_global(&a[GLOBAL], self));
  NEED(same(a[CURVE].owner, self) && a[CURVE].length >= CURVE_BYTES && AT(a[CURVE].data, 0) == CURVE_ACCOUNT, NOT_INITIALIZED);
  for (u64 i = 0; i < sizeof(DERIVED) / sizeof(DERIVED[0]); i++) {
    u64 account = DERIVED[i].account, key = DERIVED[i].key;
    if (is_sale && account == VOLUME) continue;
    const Key *second = key == CREATOR_OF_CURVE ? KEY(a[CURVE].data, C_CREATOR) : OF(key == NO_KEY ? GLOBAL : key)->key;
    Seed seeds[2] = {{WORDS + DERIVED[i].start, DERIVED[i].length}, {second, 32}};
    u8 bump;
    NEED(is_derived(OF(account), seeds, key == NO_KEY ? 1 : 2, OF(DERIVED[i].program)->key, &bump), WRONG_SEEDS);
    if (account == CURVE) c->curve_bump = bump;
    if (account == USER_VOLUME) c->volume_bump = bump;
  }
  NEED(is_token_account(&a[VAULT], a[CURVE].key, a[TOKEN_PROGRAM].key, a[MINT].key), WRONG_SEEDS);
  for (u64 i = 0; i < sizeof(QUOTE_ACCOUNTS) / 2; i++) {
    NEED(is_token_account(OF(QUOTE_ACCOUNTS[i][0]), OF(QUOTE_ACCOUNTS[i][1])->key, a[QUOTE_PROGRAM].key, a[QUOTE_MINT].key), WRONG_SEEDS);
  }
  const u8 *global = a[GLOBAL].data;
  u64 is_fee = same(a[FEE].key, KEY(global, G_FEE_RECIPIENT)), is_buyback = 0;
  for (u64 i = 0; i < 7; i++) is_fee |= same(a[FEE].key, KEY(global, G_FEE_RECIPIENTS + 32 * i));
  for (u64 i = 0; i < 8; i++) is_buyback |= same(a[BUYBACK].key, KEY(global, G_BUYBACK_RECIPIENTS + 32 * i));
  NEED(is_fee, NOT_AUTHORIZED);
  NEED(is_buyback, WRONG_BUYBACK);
  return 0;
}

NOINLINE void set_fees(Trade *trade) {
  trade->fee = up(trade->quote, trade->fee_bps, BPS);
  trade->creator_fee = up(trade->quote, trade->creator_bps, BPS);
}

/* Writes the events as pump.fun does; the fields of volume, cashback, buyback and shareholders are 0. */
NOINLINE void log_events(const Call *c) {
  const Account *a = c->accounts;
  const Trade *trade = &c->trade;
  u64 kind = c->kind;
  static const char NAMES[] = "buy_exact_quote_in_v2" "sell_v2" "buy_v2";
  u64 name = kind == BUY_EXACT_QUOTE_IN_V2 ? 0 : kind == SELL_V2 ? 21 : 28;
  u64 length = kind == BUY_EXACT_QUOTE_IN_V2 ? 21 : kind == SELL_V2 ? 7 : 6;
  const u8 *curve = a[CURVE].data;
  u64 clock[5];
  sol_get_clock_sysvar(clock);
  u8 event[400], *at = event;
  at = put(at, TRADE_EVENT);
  at = put_key(at, a[MINT].key);
  at = put(put(at, trade->quote), trade->tokens);
  *at++ = kind != SELL_V2;
  at = put(put_key(at, c->trader), clock[4]);
  at = put(put(put(put(at, AT(curve, C_VIRTUAL_QUOTE)), AT(curve, C_VIRTUAL_TOKEN)), AT(curve, C_REAL_QUOTE)), AT(curve, C_REAL_TOKEN));
  at = put(put(put_key(at, a[FEE].key), trade->fee_bps), trade->fee);
  at = put(put(put_key(at, KEY(curve, C_CREATOR)), trade->creator_bps), trade->creator_fee);
  *at++ = 1;
  at = put(put(put(put(at, 0), 0), 0), 0);
  AT(at, 0) = length;
  at += 4;
  for (u64 i = 0; i < length; i++) *at++ = NAMES[name + i];
  *at++ = 0;
  at = put(put(put(put(at, 0), 0), 0), 0);
  *(u32 *)at = 0;
  at = put(put(put(put_key(at + 4, &NONE), trade->quote), AT(curve, C_VIRTUAL_QUOTE)), AT(curve, C_REAL_QUOTE));
  Seed log[1] = {{event, at - event}};
  sol_log_data(log, 1);
  if (!curve[C_COMPLETE]) return;
  at = put_key(put_key(put_key(put(event, COMPLETE_EVENT), c->trader), a[MINT].key), a[CURVE].key);
  at = put_key(put(at, clock[4]), &NONE);
  log[0].length = at - event;
  sol_log_data(log, 1);
}

/* Sets what a purchase costs and brings, by the quote formulas of pump.fun's interface. */
NOINLINE u64 price_buy(const u8 *curve, u64 kind, u64 amount, u64 limit, Trade *trade) {
  u64 virtual_token = AT(curve, C_VIRTUAL_TOKEN), virtual_quote = AT(curve, C_VIRTUAL_QUOTE), real_token = AT(curve, C_REAL_TOKEN);
  if (kind == BUY_V2) {
    trade->tokens = amount < real_token ? amount : real_token;
    NEED(trade->tokens, BUY_ZERO);
    trade->quote = down(trade->tokens, virtual_quote, virtual_token - trade->tokens) + 1;
    set_fees(trade);
    return trade->quote + trade->fee + trade->creator_fee <= limit ? 0 : TOO_MUCH_SOL;
  }
  trade->quote = down(amount, BPS, BPS + trade->fee_bps + trade->creator_bps);
  set_fees(trade);
  u64 total = trade->quote + trade->fee + trade->creator_fee;
  if (total > amount) trade->quote = total - amount < trade->quote ? trade->quote - (total - amount) : 0;
  NEED(trade->quote > 1, BUY_ZERO);
  trade->tokens = down(virtual_token, trade->quote - 1, virtual_quote + trade->quote - 1);
  if (trade->tokens >= real_token) {
    trade->tokens = real_token;
    trade->quote = down(real_token, virtual_quote, virtual_token - real_token) + 1;
  }
  set_fees(trade);
  NEED(trade->tokens, BUY_ZERO);
  return trade->tokens >= limit ? 0 : TOKENS_BELOW_LEAST;
}

NOINLINE u64 buy(Call *c) {
  Account *a = c->accounts;
  Trade *trade = &c->trade;
  u8 *curve = a[CURVE].data;
  TRY(price_buy(curve, c->kind, c->amount, c->limit, trade));
  if (a[USER_VOLUME].length == 0) {
    Seed seeds[3] = {{WORDS + 71, 23}, {a[USER].key, 32}, {&c->volume_bump, 1}};
    Signer signer = {seeds, 3};
    TRY(create(c, &a[USER], &a[USER_VOLUME], USER_VOLUME_BYTES, &signer));
  }
  TRY(pay(c, &a[USER], &a[CURVE], trade->quote));
  TRY(pay(c, &a[USER], &a[FEE], trade->fee));
  TRY(pay(c, &a[USER], &a[CREATOR], trade->creator_fee));
  Meta metas[4] = {{a[VAULT].key, 1, 0}, {a[MINT].key, 0, 0}, {a[USER_TOKENS].key, 1, 0}, {a[CURVE].key, 0, 1}};
  Seed seeds[3] = {{WORDS + 6, 13}, {a[MINT].key, 32}, {&c->curve_bump, 1}};
  Signer signer = {seeds, 3};
  TRY(move_tokens(c, metas, trade->tokens, &signer));
  AT(curve, C_VIRTUAL_TOKEN) -= trade->tokens;
  AT(curve, C_VIRTUAL_QUOTE) += trade->quote;
  AT(curve, C_REAL_TOKEN) -= trade->tokens;
  AT(curve, C_REAL_QUOTE) += trade->quote;
  curve[C_COMPLETE] = AT(curve, C_REAL_TOKEN) == 0;
  return 0;
}

NOINLINE u64 sell(Call *c) {
  Account *a = c->accounts;
  Trade *trade = &c->trade;
  u8 *curve = a[CURVE].data;
  u64 tokens = c->amount;
  NEED(tokens, SELL_ZERO);
  NEED(tokens <= SUPPLY, TOO_FEW_TOKENS);
  trade->tokens = tokens;
  trade->quote = down(tokens, AT(curve, C_VIRTUAL_QUOTE), AT(curve, C_VIRTUAL_TOKEN) + tokens);
  set_fees(trade);
  NEED(trade->quote <= AT(curve, C_REAL_QUOTE), TOO_LARGE);
  u64 fees = trade->fee + trade->creator_fee;
  NEED(trade->quote >= fees && trade->quote - fees >= c->limit, TOO_LITTLE_SOL);
  Meta metas[4] = {{a[USER_TOKENS].key, 1, 0}, {a[MINT].key, 0, 0}, {a[VAULT].key, 1, 0}, {a[USER].key, 0, 1}};
  TRY(move_tokens(c, metas, tokens, 0));
  *a[CURVE].lamports -= trade->quote;
  *a[USER].lamports += trade->quote - fees;
  *a[FEE].lamports += trade->fee;
  *a[CREATOR].lamports += trade->creator_fee;
  AT(curve, C_VIRTUAL_TOKEN) += tokens;
  AT(curve, C_VIRTUAL_QUOTE) -= trade->quote;
  AT(curve, C_REAL_TOKEN) += tokens;
  AT(curve, C_REAL_QUOTE) -= trade->quote;
  return 0;
}

u64 entrypoint(u8 *input) {
  Call *c;
  /* The heap; hidden from the compiler, which would load the whole address at every use. */
  __asm__("%0 = 0x300000000 ll" : "=r"(c));
  Account *a = c->accounts;
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
  u64 length = AT(at, 0);
  u8 *data = at + 8;
  c->self = KEY(data, length);
  NEED(length >= 8, UNKNOWN_INSTRUCTION);
  c->kind = AT(data, 0);
  if (c->kind == LIST) return list(c, data + 8, length - 8);
  c->trader = a[USER].key;
  /* crowd_trade(wallet, instruction): the launchpad's key trades, and the event names the wallet. */
  u64 is_crowd = c->kind == CROWD;
  if (is_crowd) {
    NEED(length >= 64, BAD_ARGUMENTS);
    c->trader = KEY(data, 8);
    data += 40;
    length -= 40;
    c->kind = AT(data, 0);
  }
  u64 is_sale = c->kind == SELL_V2;
  NEED(is_sale || c->kind == BUY_V2 || c->kind == BUY_EXACT_QUOTE_IN_V2, UNKNOWN_INSTRUCTION);
  NEED(length >= 24, BAD_ARGUMENTS);
  NEED(c->count >= ACCOUNTS - is_sale, TOO_FEW_ACCOUNTS);
  TRY(check_accounts(c, is_sale));
  if (is_crowd) NEED(same(a[USER].key, KEY(a[GLOBAL].data, G_AUTHORITY)), NOT_AUTHORIZED);
  NEED(a[CURVE].data[C_COMPLETE] == 0, CURVE_COMPLETE);
  c->amount = AT(data, 8);
  c->limit = AT(data, 16);
  NEED(c->amount < 1UL << 62, TOO_LARGE);
  c->trade.fee_bps = AT(a[GLOBAL].data, G_FEE_BPS);
  c->trade.creator_bps = AT(a[GLOBAL].data, G_CREATOR_FEE_BPS);
  TRY(is_sale ? sell(c) : buy(c));
  log_events(c);
  return 0;
}
