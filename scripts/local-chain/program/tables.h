/* Tables for launchpad.c: places in accounts, the accounts of each instruction with their checks, fields of events, and fees. */

/* Places in the accounts BondingCurve, Global and SimulatedPool. */
enum { C_RESERVES = 8, C_SUPPLY = 40, C_COMPLETE = 48, C_CREATOR = 49, CURVE_BYTES = 151, G_AUTHORITY = 9, G_FEE_RECIPIENT = 41,
  G_FEE_BPS = 105, G_CREATOR_FEE_BPS = 154, G_FEE_RECIPIENTS = 162, G_BUYBACK_RECIPIENTS = 741, G_BYTES = 1045,
  P_MINT = 8, P_CREATOR = 40, P_RESERVES = 72, POOL_BYTES = 88, USER_VOLUME_BYTES = 137 };
/* Reserves of a curve; a pool has the first two. */
enum { TOKEN_SIDE, QUOTE_SIDE, REAL_TOKEN, REAL_QUOTE };
#define CURVE_ACCOUNT 0x60acd86037f8b717UL
#define POOL_ACCOUNT 0x33b58c2ddf50a7b7UL
#define CROWD_TRADE 0xc8f2f039c0ce070bUL

/* Kinds of instructions, as bits. */
enum { LIST = 1, MIGRATE = 2, SWAP = 4, ON_CURVE = 8, EXACT_TOKENS = 16, SALE = 32, CROWD = 64, HAS_VOLUME = 128 };

/* Parts after the keys of the slots: fixed keys, words, amounts, and what differs from call to call. */
enum { WRAPPED_SOL = SLOTS, TOKENS_ID, ATA_ID, FEES_ID, NONE, W_GLOBAL, W_CURVE, W_CREATOR, W_SHARING, W_VOLUME, W_USER_VOLUME,
  W_FEE_CONFIG, W_EVENTS, W_POOL, E_TRADE, E_COMPLETE, E_MIGRATED, E_POOL_BUY, E_POOL_SELL, N_BUY_EXACT, N_BUY, N_SELL, ONE_BYTE,
  FIVE_ZEROS, NUMBER, TIME = NUMBER + NUMBERS + 4, RESERVE, CREATOR_KEY = RESERVE + 4, AUTHORITY, MINT_OWNER, TRADER, NAME, BUY_BYTE, NO };

/* Where the accounts of each instruction begin in `orders`, and the fields of each event in `fields`. */
enum { A_LIST = 0, A_MIGRATE = 9, A_SWAP = 18, A_BUY = 29, A_SELL = 56 };
enum { TRADED = 0, COMPLETED = 27, MIGRATED = 34, POOL_TRADED = 44 };

/* Kinds of checks, and names of parts in events. */
#define EVERY (LIST | MIGRATE | SWAP | ON_CURVE)
#define FIXED(kinds, account, part, error) {kinds, account, 1, {part}, NO, error}
#define DERIVED(kinds, account, word, part) {kinds, account, (part) == NO ? 1 : 2, {word, part}, SELF, WRONG_SEEDS}
#define OF_FEES(account, word, part) {ON_CURVE, account, 2, {word, part}, FEE_PROGRAM, WRONG_SEEDS}
#define BALANCE(kinds, account, owner) {kinds, account, 3, {owner, TOKEN_PROGRAM, MINT}, ATA_ID, WRONG_SEEDS}
#define QUOTE_BALANCE(account, owner) {ON_CURVE, account, 3, {owner, QUOTE_PROGRAM, QUOTE_MINT}, ATA_ID, WRONG_SEEDS}
#define N(number) (NUMBER + (number))
#define R(side) (RESERVE + (side))

/* An instruction: first bytes, bits of the accounts that must be writable, kinds, number of accounts, least bytes, order, and name. */
typedef struct { u64 discriminator; u32 writable; u8 kinds, accounts, bytes, order, name; } Kind;
/* A check of an account: it is derived by a program from up to three parts, or is one part itself where there is no program. */
typedef struct { u8 kinds, account, count, parts[3], program; u16 error; } Check;
/* Fees of a pool below a market cap in SOL, basis points in the order of the amounts. */
typedef struct { u32 below; u8 bps[4]; } Step;
enum { INSTRUCTIONS = 6, CHECKS = 27 };

struct Tables {
  Kind instructions[INSTRUCTIONS];
  Step pool_fees[8];
  Check checks[CHECKS];
  /* Slots of the accounts of each instruction, one after the other. */
  u8 orders[82];
  /* Fields of the events in the order of their layouts. Volume, cashback, buyback, shareholders, and the funds of users are 0. */
  u8 fields[69];
  /* Fixed keys; then seeds, discriminators of events, and names of instructions with their lengths as events print them. */
  u8 lengths[NUMBER - WRAPPED_SOL];
  Key keys[NONE - WRAPPED_SOL + 1];
  u8 words[217];
};
typedef struct Tables Tables;

/* The loader maps constants at address 0. Without a name for it each use of the tables would take 16 bytes more. */
#define TABLES ((const Tables *)0)
__attribute__((used)) static const Tables CONSTANTS = {
  .instructions = {
    {0xb32c8b0dafa3d3ddUL, 0x7e, LIST, 9, 72, A_LIST, NO},
    {0x30f586eca5a8f5f0UL, 0x1b4, MIGRATE, 9, 8, A_MIGRATE, NO},
    {0x789dccedc446ee2cUL, 0x3f0, SWAP, 11, 25, A_SWAP, E_POOL_BUY},
    {0x2f5b4d68461cabc2UL, 0x33ffc0, ON_CURVE | HAS_VOLUME, 27, 24, A_BUY, N_BUY_EXACT},
    {0x3dd3c56761ee17b8UL, 0x33ffc0, ON_CURVE | HAS_VOLUME | EXACT_TOKENS, 27, 24, A_BUY, N_BUY},
    {0xb240e9e73c82f65dUL, 0x1bffc0, ON_CURVE | SALE, 26, 24, A_SELL, N_SELL}},
  .pool_fees = {{420, {2, 93, 30}}, {1470, {20, 5, 95}}, {2460, {20, 5, 90}},
    {3440, {20, 5, 85}}, {4420, {20, 5, 80}}, {9820, {20, 5, 75}}, {98240, {20, 5, 40}}, {~0U, {20, 5, 5}}},
  .checks = {
    FIXED(ON_CURVE, QUOTE_MINT, WRAPPED_SOL, WRONG_QUOTE), FIXED(ON_CURVE, QUOTE_PROGRAM, TOKENS_ID, WRONG_QUOTE_PROGRAM),
    FIXED(ON_CURVE, ATA_PROGRAM, ATA_ID, WRONG_ADDRESS), FIXED(ON_CURVE, FEE_PROGRAM, FEES_ID, WRONG_ADDRESS),
    FIXED(EVERY, SYSTEM, NONE, WRONG_ADDRESS), FIXED(ON_CURVE, SELF, SELF, WRONG_ADDRESS),
    FIXED(EVERY, TOKEN_PROGRAM, MINT_OWNER, WRONG_ADDRESS), DERIVED(EVERY, GLOBAL, W_GLOBAL, NO),
    FIXED(LIST | MIGRATE, USER, AUTHORITY, NOT_AUTHORIZED), DERIVED(EVERY, CURVE, W_CURVE, MINT),
    DERIVED(LIST | SWAP | ON_CURVE, CREATOR, W_CREATOR, CREATOR_KEY), OF_FEES(SHARING, W_SHARING, MINT),
    DERIVED(HAS_VOLUME, VOLUME, W_VOLUME, NO), DERIVED(ON_CURVE, USER_VOLUME, W_USER_VOLUME, USER),
    OF_FEES(FEE_CONFIG, W_FEE_CONFIG, SELF), DERIVED(ON_CURVE, EVENTS, W_EVENTS, NO), DERIVED(MIGRATE | SWAP, POOL, W_POOL, MINT),
    BALANCE(LIST | MIGRATE | ON_CURVE, VAULT, CURVE), BALANCE(MIGRATE | SWAP, POOL_VAULT, POOL), BALANCE(SWAP, USER_TOKENS, USER),
    QUOTE_BALANCE(FEE_ATA, FEE), QUOTE_BALANCE(BUYBACK_ATA, BUYBACK), QUOTE_BALANCE(CURVE_ATA, CURVE), QUOTE_BALANCE(USER_ATA, USER),
    QUOTE_BALANCE(CREATOR_ATA, CREATOR), QUOTE_BALANCE(USER_VOLUME_ATA, USER_VOLUME),
    FIXED(CROWD, USER, AUTHORITY, NOT_AUTHORIZED)},
  .orders = {
    GLOBAL, MINT, CURVE, VAULT, CROWD_TOKENS, CREATOR, USER, TOKEN_PROGRAM, SYSTEM,
    GLOBAL, MINT, CURVE, TOKEN_PROGRAM, VAULT, USER, SYSTEM, POOL, POOL_VAULT,
    GLOBAL, MINT, CURVE, TOKEN_PROGRAM, POOL, POOL_VAULT, USER, USER_TOKENS, FEE, CREATOR, SYSTEM,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26},
  .fields = {
    E_TRADE, MINT, N(QUOTE), N(TOKENS), BUY_BYTE, TRADER, TIME, R(QUOTE_SIDE), R(TOKEN_SIDE), R(REAL_QUOTE), R(REAL_TOKEN), FEE,
    N(BPS_OF + PROTOCOL), N(FEE_OF + PROTOCOL), CREATOR_KEY, N(BPS_OF + OF_CREATOR), N(FEE_OF + OF_CREATOR), ONE_BYTE, NONE, NAME,
    NONE, NONE, FIVE_ZEROS, N(QUOTE), R(QUOTE_SIDE), R(REAL_QUOTE), NO,
    E_COMPLETE, TRADER, MINT, CURVE, TIME, NONE, NO,
    E_MIGRATED, USER, MINT, N(TOKENS), N(QUOTE), N(MIGRATION), CURVE, TIME, POOL, NO,
    NAME, TIME, N(TOKENS), N(QUOTE_LIMIT), N(NOTHING), N(NOTHING), N(TOKENS_BEFORE), N(QUOTE_BEFORE), N(QUOTE), N(BPS_OF + PROVIDER),
    N(FEE_OF + PROVIDER), N(BPS_OF + PROTOCOL), N(FEE_OF + PROTOCOL), N(WITH_PROVIDER), N(OF_USER), POOL, TRADER, USER_TOKENS, USER,
    FEE, FEE, CREATOR_KEY, N(BPS_OF + OF_CREATOR), N(FEE_OF + OF_CREATOR), NO},
  .lengths = {32, 32, 32, 32, 32, 6, 13, 13, 14, 25, 23, 10, 17, 4, 8, 8, 8, 8, 8, 25, 10, 11, 1, 5},
  .keys = {
    {{0x8481abfe57889b06UL, 0x35c01846637f68fbUL, 0x553beb1adc39c4daUL, 0x0100000000f0a098UL}},
    {{0x93a165d7e1f6dd06UL, 0xac79ebce46e1cbd9UL, 0x91375b5fed85b41cUL, 0xa900ff7e85f58c3aUL}},
    {{0xf189244e8f25978cUL, 0x830d8e1429103dbbUL, 0x8410ffda99135a0bUL, 0x59f8e9dbd87b8e04UL}},
    {{0x568e5a05a9ff350cUL, 0x27155607bcf7a88dUL, 0x00401fa42cc9f14cUL, 0x707cc214a46a519cUL}},
    {{0, 0, 0, 0}}},
  .words = "global" "bonding-curve" "creator-vault" "sharing-config" "global_volume_accumulator"
    "user_volume_accumulator" "fee_config" "__event_authority" "pool" "\xbd\xdb\x7f\xd3\x4e\xe6\x61\xee"
    "\x5f\x72\x61\x9c\xd4\x2e\x98\x08" "\xbd\xe9\x5d\xb9\x5c\x94\xea\x94" "\x67\xf4\x52\x1f\x2c\xf5\x77\x77"
    "\x3e\x2f\x37\x0a\xa5\x03\xdc\x2a" "\x15\0\0\0" "buy_exact_quote_in_v2" "\x06\0\0\0" "buy_v2" "\x07\0\0\0" "sell_v2" "\1" "\0\0\0\0\0"};
