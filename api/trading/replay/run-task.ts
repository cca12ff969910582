import type { Exits } from '../../../common/trading/account.ts';
import type { CoreAccount, CorePlan } from '../core/model.ts';
import type { TapeOrder } from '../tape/format.ts';
import type { DeskOpening } from './desk/desk.ts';

/** One plan of a user, with money and lists of its own. */
export interface OwnPlan {
  type: 'own';
  plan: CorePlan;
  account: CoreAccount;
  lists: { address: string; listed: 'white' | 'black' }[];
}

/** A run that is asked for. */
export interface ReplayTask {
  userId: string;
  wallet: string;
  /** One plan with money and lists of its own, or the user's plans as recorded with their orders. */
  plans:
    | (OwnPlan & { delayOf(signature: string): number })
    /** The user's plans as recorded, with orders of the run: those of that hour were not on paper. */
    | { type: 'filled'; account: CoreAccount; ids: readonly string[]; delayOf(signature: string): number }
    /** `from`: begin of the hour, epoch ms. `ids`: all plans of the user, also inactive ones. */
    | { type: 'recorded'; orders: readonly TapeOrder[]; from: number; ids: readonly string[] };
  defaultExits: Exits;
  opening: DeskOpening;
}
