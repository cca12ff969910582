/* Solana's runtime for launchpad.c: its C interface, exact arithmetic, and calls of the system and token programs. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
/* Which functions are inlined was chosen by the size of the program. */
#define NOINLINE static __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))

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

/* Error codes: of Anchor, then of pump.fun, and one of PumpSwap. */
enum { UNKNOWN_INSTRUCTION = 101, BAD_ARGUMENTS = 102, NOT_WRITABLE = 2000, WRONG_SEEDS = 2006, WRONG_ADDRESS = 2012,
  TOO_FEW_ACCOUNTS = 3005, NOT_SIGNER = 3010, NOT_INITIALIZED = 3012 };
enum { NOT_AUTHORIZED = 6000, ALREADY_INITIALIZED = 6001, TOO_MUCH_SOL = 6002, TOO_LITTLE_SOL = 6003, CURVE_COMPLETE = 6005,
  NOT_COMPLETE = 6006, BAD_SUPPLY = 6011, BAD_RESERVES = 6012, BUY_ZERO = 6020, SELL_ZERO = 6022, TOO_FEW_TOKENS = 6023, TOO_LARGE = 6024,
  TOKENS_BELOW_LEAST = 6042, WRONG_BUYBACK = 6057, WRONG_QUOTE = 6063, WRONG_QUOTE_PROGRAM = 6064 };
enum { EXCEEDED_SLIPPAGE = 6004 };

/* Slots of the accounts: first those of a purchase on the curve in their order, then those of other instructions. */
enum { GLOBAL, MINT, QUOTE_MINT, TOKEN_PROGRAM, QUOTE_PROGRAM, ATA_PROGRAM, FEE, FEE_ATA, BUYBACK, BUYBACK_ATA, CURVE, VAULT,
  CURVE_ATA, USER, USER_TOKENS, USER_ATA, CREATOR, CREATOR_ATA, SHARING, VOLUME, USER_VOLUME, USER_VOLUME_ATA, FEE_CONFIG,
  FEE_PROGRAM, SYSTEM, EVENTS, SELF, POOL, POOL_VAULT, CROWD_TOKENS, SLOTS };
#define MOST_ACCOUNTS 32
#define MOST_PARTS 128

/* Amounts of an instruction; those of fees in the order provider, protocol, creator. */
enum { AMOUNT, LIMIT, QUOTE, TOKENS, BPS_OF, FEE_OF = BPS_OF + 3, WITH_PROVIDER = FEE_OF + 3, OF_USER, QUOTE_LIMIT,
  TOKENS_BEFORE, QUOTE_BEFORE, IS_BUY, MIGRATION, NOTHING, NUMBERS };
enum { PROVIDER, PROTOCOL, OF_CREATOR };

/* An account as the runtime gives it, then the seeds of its address, which it signs by. */
typedef struct { Key *key; u64 *lamports, length; u8 *data; Key *owner; u64 rent_epoch; u8 is_signer, is_writable, executable;
  Seed seeds[4]; Signer signer; u8 bump; } Slot;

/* What all functions share; it is on the heap, since a function takes five arguments at most. */
typedef struct {
  Slot slots[SLOTS];
  u64 count;
  const Key *self;
  /* Bits of the instruction's kind, and the slot of curve or pool; the slot after it has the vault. */
  u64 kinds, venue;
  u64 numbers[NUMBERS], clock[5];
  /* Bytes that addresses are derived from and events consist of. */
  Seed parts[MOST_PARTS];
  Meta metas[4];
  /* In the order of the instruction. */
  Account given[MOST_ACCOUNTS];
  Key found;
  u8 data[40], event[512];
} Call;

/* The heap; hidden from the compiler, which would load the whole address at every use. Cheaper than an argument of every call. */
#define CALL Call *c; __asm__("%0 = 0x300000000 ll" : "=r"(c))

#define BPS 10000UL
#define SUPPLY 1000000000000000UL
#define POOL_SEED 206900000000000UL
#define MIGRATION_FEE 15000001UL
#define DECIMALS 6
#define RENT(bytes) (((u64)(bytes) + 128) * 6960)

#define AT(data, offset) (*(u64 *)((data) + (offset)))
#define KEY(data, offset) ((Key *)((data) + (offset)))
#define TRY(call) do { u64 failed = (call); if (failed) return failed; } while (0)
#define NEED(condition, error) do { if (!(condition)) return (error); } while (0)

NOINLINE void copy(void *to, const void *from, u64 words) {
  for (u64 i = 0; i < words; i++) ((u64 *)to)[i] = ((const u64 *)from)[i];
}
#define ACCOUNT_WORDS (sizeof(Account) / 8)

NOINLINE u64 same(const Key *a, const Key *b) {
  for (u64 i = 0; i < 4; i++) if (a->part[i] != b->part[i]) return 0;
  return 1;
}

/* Returns a * b / d, rounded down or up, and the most for all that is more; b and d are less than 2^62. */
#define MOST_QUOTIENT ((1UL << 62) - 1)
NOINLINE u64 divide(u64 a, u64 b, u64 d, u64 is_up) {
  u64 quotient = 0, rest = 0;
  for (u64 left = 64; left; left--, a *= 2) {
    rest *= 2;
    if ((long)a < 0) rest += b;
    quotient = 2 * quotient + rest / d;
    rest %= d;
    if (quotient > MOST_QUOTIENT) return MOST_QUOTIENT;
  }
  return rest ? quotient + is_up : quotient;
}

/*
 * Calls a program, whose failure ends this one too. Each byte of `accounts` is a slot, with 64 if writable and 128 if signing; `c->data`
 * holds the data. The derived account in the slot `signer` may sign; GLOBAL, which takes part in no call, where none has to.
 */
NOINLINE void invoke(u64 program, u64 accounts, u64 length, u64 signer) {
  CALL;
  Meta *meta = c->metas;
  for (; accounts; accounts >>= 8) *meta++ = (Meta){c->slots[accounts & 63].key, accounts >> 6 & 1, accounts >> 7 & 1};
  Instruction made = {c->slots[program].key, c->metas, meta - c->metas, c->data, length};
  sol_invoke_signed_c(&made, c->given, c->count, &c->slots[signer].signer, 1);
}
#define W 64
#define S 128

/* Moves lamports of the user. */
NOINLINE void pay(u64 to, u64 lamports) {
  CALL;
  if (lamports == 0) return;
  AT(c->data, 0) = 2;
  AT(c->data, 4) = lamports;
  invoke(SYSTEM, (USER | W | S) | (to | W) << 8, 12, 0);
}

/* Lets the user pay what an account lacks to its rent. */
NOINLINE void pay_rent(u64 made, u64 bytes) {
  CALL;
  u64 rent = RENT(bytes), has = *c->slots[made].lamports;
  if (has < rent) pay(made, rent - has);
}

/* Makes an account of this program at a derived address, which may hold lamports before. */
NOINLINE void create(u64 made, u64 bytes) {
  CALL;
  pay_rent(made, bytes);
  AT(c->data, 0) = 8;
  AT(c->data, 4) = bytes;
  invoke(SYSTEM, made | W | S, 12, made);
  *(u32 *)c->data = 1;
  copy(c->data + 4, c->self, 4);
  invoke(SYSTEM, made | W | S, 36, made);
}

/* Moves the tokens of the trade. */
NOINLINE void move_tokens(u64 from, u64 to, u64 authority) {
  CALL;
  c->data[0] = 12;
  AT(c->data, 1) = c->numbers[TOKENS];
  c->data[9] = DECIMALS;
  u64 accounts = (from | W) | MINT << 8 | (to | W) << 16 | (authority | S) << 24;
  invoke(TOKEN_PROGRAM, accounts, 10, c->venue);
}
INLINE void mint_tokens(u64 to, u64 tokens) {
  CALL;
  c->data[0] = 7;
  AT(c->data, 1) = tokens;
  invoke(TOKEN_PROGRAM, (MINT | W) | (to | W) << 8 | (USER | S) << 16, 9, 0);
}
