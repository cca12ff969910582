import { causeText } from '../../common/alerts/cause.ts';
import type { Alert } from '../../common/alerts/model.ts';
import { riskLevel } from '../../common/tokens/levels.ts';
import { createNotification, desktopPermission } from '../alert-rules/desktop-permission.ts';
import { nameOf, symbolOf } from '../tokens/text.ts';
import { age, count, MISSING, usd } from '../ui/format.ts';

/** Shows an alert outside of the page, if the user allows it. `onOpen`: it was clicked. */
export function showOnDesktop(alert: Alert, onOpen: () => void): void {
  if (desktopPermission() !== 'granted') return;
  const name = symbolOf(alert) ?? nameOf({ ...alert, address: alert.address ?? '' });
  const title = alert.cause === null ? name : `${name} ${causeText(alert.cause)}`;
  // The same tag in another tab replaces it.
  const shown = createNotification(title, { body: figuresLine(alert), tag: alert.id, silent: true });
  if (shown === null) return;
  shown.onclick = () => {
    window.focus();
    onOpen();
    shown.close();
  };
}

/** Returns `MC $12.4K · 2m · 41 holders · Medium Risk 34`. */
function figuresLine({ figures, at }: Pick<Alert, 'figures' | 'at'>): string {
  if (figures === null) return '';
  const { marketCap, createdAt, holderCount, scamProbability } = figures;
  const risk = scamProbability === null ? MISSING : String(Math.round(scamProbability));
  return [
    `MC ${usd(marketCap)}`,
    age(createdAt, Date.parse(at)),
    `${count(holderCount)} holders`,
    `${riskLevel(scamProbability)} ${risk}`,
  ].join(' · ');
}
