/* Solana's runtime for launchpad.c: its C interface, exact arithmetic, and calls of the system and token programs. */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;
#define NOINLINE static __attribute__((noinline))

/* The C interface of Solana's runtime. */
typedef struct { u64 part[4]; } Key;
typedef struct {
  Key *key;
  u64 *lamports, length;
  u8 *data;
  Key *owner;
  u64 rent_epoch;
  u8 is_signer, is_writable, executable;
} Account;
typedef struct { const Key *key; u8 is_writable, is_signer; } Meta;
typedef struct { const Key *program; Meta *metas; u64 count; u8 *data; u64 length; } Instruction;
typedef struct { const void *bytes; u64 length; } Seed;
typedef struct { const Seed *seeds; u64 count; } Signer;
extern u64 sol_invoke_signed_c(const Instruction *, const Account *, int, const Signer *, int);
extern u64 sol_try_find_program_address(const Seed *, u64, const Key *, Key *, u8 *);
extern void sol_log_data(const Seed *, u64);
extern u64 sol_get_clock_sysvar(void *);

/* Error codes: of Anchor, then of pump.fun. */
enum { UNKNOWN_INSTRUCTION = 101, BAD_ARGUMENTS = 102, NOT_WRITABLE = 2000, WRONG_SEEDS = 2006, WRONG_ADDRESS = 2012,
  TOO_FEW_ACCOUNTS = 3005, NOT_SIGNER = 3010, NOT_INITIALIZED = 3012 };
enum { NOT_AUTHORIZED = 6000, ALREADY_INITIALIZED = 6001, TOO_MUCH_SOL = 6002, TOO_LITTLE_SOL = 6003, CURVE_COMPLETE = 6005,
  BAD_SUPPLY = 6011, BAD_RESERVES = 6012, BUY_ZERO = 6020, SELL_ZERO = 6022, TOO_FEW_TOKENS = 6023, TOO_LARGE = 6024,
  TOKENS_BELOW_LEAST = 6042, WRONG_BUYBACK = 6057, WRONG_QUOTE = 6063, WRONG_QUOTE_PROGRAM = 6064 };

/* Accounts of a purchase; a sale has the same ones without VOLUME. */
enum { GLOBAL, MINT, QUOTE_MINT, TOKEN_PROGRAM, QUOTE_PROGRAM, ATA_PROGRAM, FEE, FEE_ATA, BUYBACK, BUYBACK_ATA, CURVE, VAULT,
  CURVE_ATA, USER, USER_TOKENS, USER_ATA, CREATOR, CREATOR_ATA, SHARING, VOLUME, USER_VOLUME, USER_VOLUME_ATA, FEE_CONFIG,
  FEE_PROGRAM, SYSTEM, EVENTS, SELF, ACCOUNTS };
/* Accounts of a listing. */
enum { L_GLOBAL, L_MINT, L_CURVE, L_VAULT, L_CROWD, L_CREATOR, L_AUTHORITY, L_TOKEN_PROGRAM, L_SYSTEM, L_ACCOUNTS };
#define MOST_ACCOUNTS 32

/* Lamports and base units of a trade, with its fees. */
typedef struct { u64 quote, tokens, fee, creator_fee, fee_bps, creator_bps; } Trade;
/* What all functions share; it is on the heap, since a function takes five arguments at most. */
typedef struct {
  Account accounts[MOST_ACCOUNTS];
  u64 count;
  const Key *self;
  u64 kind, amount, limit;
  /* Named as the trader by the event. */
  const Key *trader;
  u8 curve_bump, volume_bump;
  Trade trade;
} Call;

static const Key WRAPPED_SOL = {{0x8481abfe57889b06UL, 0x35c01846637f68fbUL, 0x553beb1adc39c4daUL, 0x0100000000f0a098UL}};
static const Key TOKENS = {{0x93a165d7e1f6dd06UL, 0xac79ebce46e1cbd9UL, 0x91375b5fed85b41cUL, 0xa900ff7e85f58c3aUL}};
static const Key ATA = {{0xf189244e8f25978cUL, 0x830d8e1429103dbbUL, 0x8410ffda99135a0bUL, 0x59f8e9dbd87b8e04UL}};
static const Key FEES = {{0x568e5a05a9ff350cUL, 0x27155607bcf7a88dUL, 0x00401fa42cc9f14cUL, 0x707cc214a46a519cUL}};
static const Key NONE = {{0, 0, 0, 0}};

#define LIST 0xb32c8b0dafa3d3ddUL
#define CROWD 0xc8f2f039c0ce070bUL
#define BUY_EXACT_QUOTE_IN_V2 0x2f5b4d68461cabc2UL
#define BUY_V2 0x3dd3c56761ee17b8UL
#define SELL_V2 0xb240e9e73c82f65dUL
#define GLOBAL_ACCOUNT 0x7f726cc8b1e8e8a7UL
#define CURVE_ACCOUNT 0x60acd86037f8b717UL
#define TRADE_EVENT 0xee61e64ed37fdbbdUL
#define COMPLETE_EVENT 0x08982ed49c61725fUL

#define BPS 10000UL
#define SUPPLY 1000000000000000UL
#define POOL_SEED 206900000000000UL
#define DECIMALS 6
#define CURVE_BYTES 151
#define USER_VOLUME_BYTES 137
#define RENT(bytes) (((u64)(bytes) + 128) * 6960)

#define AT(data, offset) (*(u64 *)((data) + (offset)))
#define KEY(data, offset) ((Key *)((data) + (offset)))
#define TRY(call) do { u64 failed = (call); if (failed) return failed; } while (0)
#define NEED(condition, error) do { if (!(condition)) return (error); } while (0)

NOINLINE u8 *put(u8 *at, u64 value) { AT(at, 0) = value; return at + 8; }
NOINLINE u8 *put_key(u8 *at, const Key *key) { *KEY(at, 0) = *key; return at + 32; }

NOINLINE u64 same(const Key *a, const Key *b) {
  return a->part[0] == b->part[0] && a->part[1] == b->part[1] && a->part[2] == b->part[2] && a->part[3] == b->part[3];
}

/* Returns floor(a * b / d) and whether there is a remainder, by long division; ~0 when it exceeds 64 bits. */
NOINLINE u64 divide(u64 a, u64 b, u64 d, u64 *has_rest) {
  u64 low = (u64)(u32)a * (u32)b, cross = (a >> 32) * (u32)b, other = (u64)(u32)a * (b >> 32);
  u64 middle = (low >> 32) + (u32)cross + (u32)other;
  u64 high = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32) + (middle >> 32), quotient = 0;
  low = (middle << 32) | (u32)low;
  *has_rest = 1;
  if (high >= d) return ~0UL;
  for (int bit = 0; bit < 64; bit++) {
    u64 carry = high >> 63;
    high = (high << 1) | (low >> 63);
    low <<= 1;
    quotient <<= 1;
    if (carry || high >= d) { high -= d; quotient |= 1; }
  }
  *has_rest = high != 0;
  return quotient;
}
NOINLINE u64 down(u64 a, u64 b, u64 d) { u64 rest; return divide(a, b, d, &rest); }
NOINLINE u64 up(u64 a, u64 b, u64 d) { u64 rest, quotient = divide(a, b, d, &rest); return quotient + rest; }

NOINLINE u64 is_derived(const Account *account, const Seed *seeds, u64 count, const Key *program, u8 *bump) {
  Key found;
  return !sol_try_find_program_address(seeds, count, program, &found, bump) && same(&found, account->key);
}
NOINLINE u64 is_token_account(const Account *account, const Key *owner, const Key *program, const Key *mint) {
  u8 bump;
  Seed seeds[3] = {{owner, 32}, {program, 32}, {mint, 32}};
  return is_derived(account, seeds, 3, &ATA, &bump);
}

NOINLINE u64 invoke(const Call *c, const Instruction *instruction, const Signer *signer) {
  return sol_invoke_signed_c(instruction, c->accounts, c->count, signer, signer != 0);
}

NOINLINE u64 pay(const Call *c, const Account *from, const Account *to, u64 lamports) {
  if (lamports == 0) return 0;
  u64 data[2] = {2};
  AT((u8 *)data, 4) = lamports;
  Meta metas[2] = {{from->key, 1, 1}, {to->key, 1, 0}};
  Instruction transfer = {&NONE, metas, 2, (u8 *)data, 12};
  return invoke(c, &transfer, 0);
}

/* Makes an account of this program at a derived address, which may hold lamports before. */
NOINLINE u64 create(const Call *c, const Account *payer, const Account *made, u64 bytes, const Signer *signer) {
  u64 rent = RENT(bytes);
  if (*made->lamports < rent) TRY(pay(c, payer, made, rent - *made->lamports));
  Meta metas[1] = {{made->key, 1, 1}};
  u64 data[5] = {8};
  AT((u8 *)data, 4) = bytes;
  Instruction instruction = {&NONE, metas, 1, (u8 *)data, 12};
  TRY(invoke(c, &instruction, signer));
  *(u8 *)data = 1;
  put_key((u8 *)data + 4, c->self);
  instruction.length = 36;
  return invoke(c, &instruction, signer);
}

NOINLINE u64 move_tokens(const Call *c, Meta *metas, u64 tokens, const Signer *signer) {
  u8 data[10] = {12};
  AT(data, 1) = tokens;
  data[9] = DECIMALS;
  Instruction transfer = {c->accounts[TOKEN_PROGRAM].key, metas, 4, data, 10};
  return invoke(c, &transfer, signer);
}
NOINLINE u64 mint_tokens(const Call *c, const Account *to, u64 tokens) {
  if (tokens == 0) return 0;
  u8 data[9] = {7};
  AT(data, 1) = tokens;
  Meta metas[3] = {{c->accounts[L_MINT].key, 1, 0}, {to->key, 1, 0}, {c->accounts[L_AUTHORITY].key, 0, 1}};
  Instruction mint = {c->accounts[L_TOKEN_PROGRAM].key, metas, 3, data, 9};
  return invoke(c, &mint, 0);
}
