import type { TokenAlertType } from '../../../common/templates/model.ts';
import type { Token } from '../../../common/tokens/model.ts';

/** Users to alert about a token. The alert writer decides in the database who of them receives the alert. */
export interface Match {
  type: TokenAlertType;
  address: string;
  /** The token at that moment; null: not in memory, to be loaded. */
  token: Token | null;
  userIds: string[];
  /** The token is on the watchlists of these users, so that no limit holds the alert back. */
  isWatched: boolean;
  /** Found among the stored tokens at a start, perhaps again: not counted when the limit holds it back. */
  isFromStart: boolean;
}
