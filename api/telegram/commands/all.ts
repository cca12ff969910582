import { alerts } from './alerts.ts';
import { balance } from './balance.ts';
import { buy } from './buy.ts';
import type { Command } from './command.ts';
import { help } from './help.ts';
import { mightRun } from './might-run.ts';
import { newTokens } from './new.ts';
import { rules } from './rules.ts';
import { runners } from './runners.ts';
import { sell } from './sell.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { token } from './token.ts';
import { unlink } from './unlink.ts';
import { wallet } from './wallet.ts';
import { watch } from './watch.ts';

/** Every command, in the order of the menu. The dashboard shows the first six. */
export const commands: readonly Command[] = [
  start,
  help,
  status,
  newTokens,
  runners,
  mightRun,
  token,
  watch,
  wallet,
  balance,
  rules,
  alerts,
  unlink,
  buy,
  sell,
];
