import { tokenVariables } from '../../../common/templates/variables.ts';
import { riskLevel } from '../../../common/tokens/levels.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { riskReasonText } from '../../../common/tokens/risk/reason.ts';

/** Shown for an unknown value; never 0. */
export const UNKNOWN = '–';

/** Returns 'Name (SYMBOL)' on one line, whatever the creator of the token wrote. */
function tokenTitle(token: Token, now: number): string {
  const values = tokenVariables(token, now);
  const symbol = values['token.symbol'];
  return symbol === UNKNOWN ? values['token.name'] : `${values['token.name']} (${symbol})`;
}

/** Returns a token for a list: title, address, main figures. `now`: epoch ms. */
export function tokenLines(token: Token, now: number, publicUrl: string | null): string {
  const values = tokenVariables(token, now);
  const figures = [`Liquidity ${inSol(values['token.liquidity'])}`, riskText(token), created(token, now)];
  return lines(tokenTitle(token, now), token.address, figures.join(' · '), tokenLink(token.address, publicUrl));
}

/** Returns the full message about one token. */
export function tokenDetails(token: Token, now: number, publicUrl: string | null): string {
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

/** Explains how to link a chat to an account. */
export function linkInstructions(publicUrl: string | null): string {
  const how = 'To link this chat, get a link code in Settings → Telegram and send it here as /start <code>.';
  return lines(how, publicUrl === null ? null : `${publicUrl}/app/settings?tab=telegram`);
}

/** Joins the parts that are not null. */
export function lines(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n');
}

/** An unknown value has no unit. */
function inSol(value: string): string {
  return value === UNKNOWN ? value : `${value} SOL`;
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
