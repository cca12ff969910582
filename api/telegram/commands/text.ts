import { tokenVariables } from '../../../common/templates/variables.ts';
import { riskLevel } from '../../../common/tokens/levels.ts';
import type { Token } from '../../../common/tokens/model.ts';

/** What stands for anything that is not known; never 0. */
export const UNKNOWN = '–';

/** 'Name (SYMBOL)', on one line whatever its creator wrote. */
export function tokenTitle(token: Token, now: number): string {
  const values = tokenVariables(token, now);
  const symbol = values['token.symbol'];
  return symbol === UNKNOWN ? values['token.name'] : `${values['token.name']} (${symbol})`;
}

/** A token in a list: title, address, the figures that matter most. `now`: epoch ms. */
export function tokenLines(token: Token, now: number, publicUrl: string | null): string {
  const values = tokenVariables(token, now);
  const figures = [`Liquidity ${withUnit(values['token.liquidity'], 'SOL')}`, riskText(token), created(token, now)];
  return lines(tokenTitle(token, now), token.address, figures.join(' · '), tokenLink(token.address, publicUrl));
}

/** All that a message says of one token. */
export function tokenDetails(token: Token, now: number, publicUrl: string | null): string {
  const values = tokenVariables(token, now);
  return lines(
    tokenTitle(token, now),
    token.address,
    `Price: ${withUnit(values['token.price'], 'SOL')}`,
    `Liquidity: ${withUnit(values['token.liquidity'], 'SOL')}`,
    `Market cap: ${dollars(values['token.marketCap'])}`,
    `Holders: ${values['token.holders']}`,
    riskText(token),
    listsText(token),
    `Created: ${values['timeAgo(token.createdAt)']}`,
    tokenLink(token.address, publicUrl),
  );
}

/** 'Risk 20 of 100, Low Risk'; what is not known is never called safe. */
export function riskText({ scamProbability }: Pick<Token, 'scamProbability'>): string {
  const score = scamProbability === null ? UNKNOWN : `${Math.round(scamProbability)} of 100`;
  return `Risk ${score}, ${riskLevel(scamProbability)}`;
}

/** The page of a token on the web, when it is known where the web pages are. */
export function tokenLink(address: string, publicUrl: string | null): string | null {
  return publicUrl === null ? null : `${publicUrl}/app/tokens/${address}`;
}

/** How to tie a chat to an account. */
export function howToLink(publicUrl: string | null): string {
  const how = 'To link this chat, get a link code in Settings → Telegram and send it here as /start <code>.';
  return lines(how, publicUrl === null ? null : `${publicUrl}/app/settings?tab=telegram`);
}

/** Joins what there is. */
export function lines(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n');
}

/** Unknown stays without its unit. */
function withUnit(value: string, unit: string): string {
  return value === UNKNOWN ? value : `${value} ${unit}`;
}

function dollars(value: string): string {
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
