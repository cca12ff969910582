import type { AuditAction } from '../../common/audit/model.ts';
import { tradingModeNames, tradingModeSchema } from '../../common/trading/account.ts';
import { settingLabel } from '../../common/trading/limits/setting-labels.ts';

/** Returns the object of an entry as the page shows it: settings and modes of trading are stored by their names. */
export function objectText(action: AuditAction, object: string): string {
  switch (action) {
    case 'trading-mode-changed':
    case 'live-trading-on': {
      const mode = tradingModeSchema.safeParse(object);
      return mode.success ? tradingModeNames[mode.data] : object;
    }
    case 'trading-limits-changed':
    case 'trading-protections-changed':
      return object.split(', ').map(settingText).join(' · ');
    default:
      return object;
  }
}

/** Returns a setting by its label, a switch with its position: `Stop-loss guard off`. */
function settingText(setting: string): string {
  const [name = '', ...position] = setting.split(' ');
  const label = settingLabel(name);
  return label === null ? setting : [label, ...position].join(' ');
}
