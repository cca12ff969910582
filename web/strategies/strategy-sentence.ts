import { type Describable, sentence } from '../../common/strategies/sentence.ts';
import { localInput } from '../ui/date-time-field.tsx';

/** When a strategy would buy, in one sentence, with times in the browser's time zone, as its form has them. */
export function strategySentence(strategy: Describable): string {
  return sentence(strategy, (iso) => localInput(iso).replace('T', ' '));
}
