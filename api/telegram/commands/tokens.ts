import { tokenVariables } from '../../../common/templates/variables.ts';
import { riskLevel } from '../../../common/tokens/levels.ts';
import { addressSchema, type Token } from '../../../common/tokens/model.ts';
import { riskReasonText } from '../../../common/tokens/risk/reason.ts';
import { presentToken } from '../../tokens/present.ts';
import type { ListedRecord } from '../../tokens/record.ts';
import type { Command, CommandContext } from './command.ts';
import { lines, UNKNOWN } from './text.ts';

/** Tokens searched for a symbol, newest first. */
const SEARCHED = 200;
/** Further tokens of the same symbol listed in the reply. */
const OTHERS = 3;
const SYMBOL_MAX = 64;

/** Tokens in one message: what fits on a phone. */
const LISTED = 5;

export const token: Command = {
  command: 'token',
  description: 'A token by its address or symbol',
  access: 'everyone',
  async run({ args }, context) {
    if (args === '') return 'Which one? Send /token <address or symbol>.';
    return addressSchema.safeParse(args).success ? byAddress(args, context) : bySymbol(args, context);
  },
};

async function byAddress(address: string, context: CommandContext): Promise<string> {
  const found = await context.queries.byAddress(address);
  return found ? details(found, context) : 'No token with this address is known.';
}

async function bySymbol(text: string, context: CommandContext): Promise<string> {
  const [first, ...others] = await tokensOfSymbol(text, context.queries);
  if (!first) return 'No token with this symbol is known.';
  return lines(details(first, context), others.length === 0 ? null : othersText(others));
}

/** Returns the tokens of a symbol, newest first. A leading $ is ignored. */
export async function tokensOfSymbol(
  text: string,
  queries: Pick<CommandContext['queries'], 'list'>,
): Promise<ListedRecord[]> {
  const symbol = text.replace(/^\$/, '').slice(0, SYMBOL_MAX);
  const found = symbol === '' ? [] : (await queries.list({ q: symbol, limit: SEARCHED })).records;
  return found.filter((record) => record.symbol?.trim().toLowerCase() === symbol.toLowerCase());
}

function details(record: ListedRecord, { clock, publicUrl }: CommandContext): string {
  return tokenDetails(presentToken(record), clock.now(), publicUrl);
}

/** Names the other tokens, since any creator may copy a symbol. */
function othersText(others: readonly ListedRecord[]): string {
  const many = others.length === 1 ? 'There is 1 more token' : `There are ${others.length} more tokens`;
  return `\n${many} with this symbol:\n${others
    .slice(0, OTHERS)
    .map(({ _id }) => _id)
    .join('\n')}`;
}

export const newTokens = listCommand('new', 'Newest tokens of the last hour', {
  title: 'New tokens:',
  empty: 'No new tokens in the last hour.',
  list: 'newest',
});

export const runners = listCommand('runners', 'Tokens that run', {
  title: 'Runners:',
  empty: 'No token runs right now.',
  list: 'runners',
});

export const mightRun = listCommand('mightrun', 'Tokens that might run', {
  title: 'Might run:',
  empty: 'No token might run right now.',
  list: 'mightRun',
});

/** Returns a command that lists tokens; `empty`: its reply without any. */
function listCommand(
  command: string,
  description: string,
  { title, empty, list }: { title: string; empty: string; list: 'newest' | 'runners' | 'mightRun' },
): Command {
  return {
    command,
    description,
    access: 'everyone',
    async run(_input, context) {
      const { records } = await context.queries[list]({ limit: LISTED });
      return listText(title, records, empty, context);
    },
  };
}

export const watch: Command = {
  command: 'watch',
  description: 'Put a token on your watchlist',
  access: 'linked',
  async run({ args, user }, context) {
    const userId = user._id.toHexString();
    if (args === '') {
      const tokens = await context.watchlists.tokens(userId, 'watch');
      return listText('You watch:', tokens, 'You watch no token. Send /watch <address>.', context);
    }
    if (!addressSchema.safeParse(args).success) return 'This is no token address. Send /watch <address>.';
    const { address } = await context.watchlists.add(userId, 'watch', args);
    return `On your watchlist:\n${address}`;
  },
};

/** Returns the tokens under a title, or `empty` without tokens. */
function listText(
  title: string,
  records: readonly ListedRecord[],
  empty: string,
  { clock, publicUrl }: Pick<CommandContext, 'clock' | 'publicUrl'>,
): string {
  if (records.length === 0) return empty;
  const blocks = records.slice(0, LISTED).map((record) => tokenLines(presentToken(record), clock.now(), publicUrl));
  return [title, ...blocks].join('\n\n');
}

/** Returns 'Name (SYMBOL)' on one line, for any text of the token's creator. */
function tokenTitle(token: Token, now: number): string {
  const values = tokenVariables(token, now);
  const symbol = values['token.symbol'];
  return symbol === UNKNOWN ? values['token.name'] : `${values['token.name']} (${symbol})`;
}

/** Returns a token for a list: title, address, main figures. `now`: epoch ms. */
function tokenLines(token: Token, now: number, publicUrl: string | null): string {
  const values = tokenVariables(token, now);
  const figures = [`Liquidity ${inSol(values['token.liquidity'])}`, riskText(token), created(token, now)];
  return lines(tokenTitle(token, now), token.address, figures.join(' · '), tokenLink(token.address, publicUrl));
}

/** Returns the full message about one token. */
function tokenDetails(token: Token, now: number, publicUrl: string | null): string {
  const values = tokenVariables(token, now);
  return lines(
    tokenTitle(token, now),
    token.address,
    `Price: ${inSol(values['token.price'])}`,
    `Liquidity: ${inSol(values['token.liquidity'])}`,
    `Market cap: ${dollars(values['token.marketCap'])}`,
    `Holders: ${values['token.holders']}`,
    riskText(token),
    listsText(token),
    `Created: ${values['timeAgo(token.createdAt)']}`,
    tokenLink(token.address, publicUrl),
  );
}

/** Returns 'Risk 90 of 100, High Risk (drained)' or 'Risk –, Unknown (too early)'; an unknown risk is never called safe. */
function riskText({ scamProbability, riskReason }: Pick<Token, 'scamProbability' | 'riskReason'>): string {
  const score = scamProbability === null ? UNKNOWN : `${Math.round(scamProbability)} of 100`;
  const level = riskLevel(scamProbability);
  const isNamed = riskReason !== null && (level === 'High Risk' || level === 'Unknown');
  // Without the age, which would be wrong as soon as the message is read.
  const reason = isNamed ? ` (${riskReasonText(riskReason, { createdAt: null, now: 0 })})` : '';
  return `Risk ${score}, ${level}${reason}`;
}

/** Returns the address of a token's web page; null without a public address. */
function tokenLink(address: string, publicUrl: string | null): string | null {
  return publicUrl === null ? null : `${publicUrl}/app/tokens/${address}`;
}

/** An unknown value has no unit. */
function inSol(value: string): string {
  return value === UNKNOWN ? value : `${value} SOL`;
}

/** Returns a market cap as '$12.4K'; an unknown one has no unit. */
export function dollars(value: string): string {
  if (value === UNKNOWN) return value;
  return value.startsWith('< ') ? `< $${value.slice(2)}` : `$${value}`;
}

function created(token: Token, now: number): string {
  const when = tokenVariables(token, now)['timeAgo(token.createdAt)'];
  return when === UNKNOWN ? 'created –' : when;
}

function listsText({ runner, mightRun }: Token): string | null {
  if (runner) return 'On the list of runners';
  return mightRun ? 'On the list of tokens that might run' : null;
}
