import type { Token } from '../../common/tokens/model.ts';
import { shortAddress } from '../ui/format.ts';

/** Marks a token whose symbol an older coin has; the original has no mark. */
export function CopyMark({ token: { copyOf } }: { token: Pick<Token, 'copyOf'> }) {
  if (copyOf === null) return null;
  return (
    <span
      title={`Not the first coin with this symbol: ${shortAddress(copyOf)} is older.`}
      className="shrink-0 rounded-sm border border-line-strong px-1 font-medium leading-3.5"
    >
      Copy
    </span>
  );
}
