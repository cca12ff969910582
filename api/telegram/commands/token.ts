import { addressSchema } from '../../../common/tokens/model.ts';
import { presentToken } from '../../tokens/present.ts';
import type { ListedRecord } from '../../tokens/record.ts';
import type { Command, CommandContext } from './command.ts';
import { lines, tokenDetails } from './text.ts';

/** Tokens searched for a symbol, newest first. */
const SEARCHED = 200;
/** Further tokens of the same symbol listed in the reply. */
const OTHERS = 3;
const SYMBOL_MAX = 64;

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
