import type { Token } from '../../common/tokens/model.ts';
import { shortAddress } from '../ui/format.ts';

/** Coins of a symbol, and of a name, that the server counts: there may be more. */
const COUNTED = 30;

/** Marks a token whose symbol or name other coins of a day have: how many there are, and the first of them; or one that an older coin has. */
export function CopyMark({ token }: { token: Pick<Token, 'copyOf'> & Partial<Pick<Token, 'twins'>> }) {
  const { copyOf, twins = null } = token;
  if (copyOf === null && twins === null) return null;
  return (
    <span
      title={`${twinText(twins)}${copyOf === null ? '' : `Not the first coin with this symbol: ${shortAddress(copyOf)} is older.`}`}
      className="shrink-0 whitespace-nowrap rounded-sm border border-line-strong px-1 font-medium leading-3.5"
    >
      {twins === null ? 'Copy' : `${copyOf === null && twins[0] === 1 ? 'first ' : ''}×${countText(twins[1])}`}
    </span>
  );
}

function countText(count: number): string {
  return count >= COUNTED ? `${COUNTED}+` : String(count);
}

/** Returns how often symbol or name were used: `Same symbol or name 4 times in 24 h, this is the 3rd. `. */
function twinText(twins: Token['twins']): string {
  if (twins === null) return '';
  const [place, count] = twins;
  return `Same symbol or name ${countText(count)} times in 24 h, this is the ${ordinal(place)}. `;
}

const plurals = new Intl.PluralRules('en', { type: 'ordinal' });
const endings = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' } as const;

function ordinal(place: number): string {
  return `${place}${endings[plurals.select(place)]}`;
}
