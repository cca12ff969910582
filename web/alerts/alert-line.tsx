import { causeText } from '../../common/alerts/cause.ts';
import type { Alert, AlertFigures } from '../../common/alerts/model.ts';
import { useMute } from '../alert-rules/use-alert-rules.ts';
import { Age } from '../live/hooks/age.tsx';
import { CopyMark } from '../tokens/copy-mark.tsx';
import { nameOf, symbolOf } from '../tokens/text.ts';
import { age, count, liquidity, usd } from '../ui/format.ts';
import { MenuAction, MenuLink } from '../ui/menu.tsx';
import { RiskPill } from '../ui/risk-pill.tsx';
import { useChangeList } from '../watchlists/change-list.tsx';

const titles: Record<Alert['type'], string> = {
  new_token: 'New token',
  price_alert: 'Price change',
  preset_match: 'Preset',
  price_target: 'Price alert',
  trade_bought: 'Bought',
  trade_sold: 'Sold',
  trade_failed: 'Order failed',
  trade_unknown: 'No verdict yet',
  trading_stopped: 'Trading stopped',
  exit_stuck: 'Sale does not get through',
  wallet_replaced: 'Wallet replaced',
  password_exposed: 'Change your password',
};

/** Shows an alert with the figures of its token at that time; one without figures, as about a trade or the account, shows its text. */
export function AlertLine({ alert }: { alert: Alert }) {
  return (
    <>
      <AlertLink alert={alert} />
      {alert.figures !== null && alert.address !== null && <Actions alert={alert} address={alert.address} />}
    </>
  );
}

/** Buttons below an alert about a token. */
function Actions({ alert, address }: { alert: Alert; address: string }) {
  const { ref, cause } = alert;
  const changeList = useChangeList();
  const mute = useMute();
  const name = symbolOf(alert) ?? nameOf({ ...alert, address });
  return (
    <div className="flex gap-1.5 px-2.5 pb-2">
      <MenuAction label={`Open ${name}`} href={pageOf(alert)}>
        Open
      </MenuAction>
      <MenuAction label={`Watch ${name}`} onSelect={() => changeList({ list: 'watch', address, on: true })}>
        Watch
      </MenuAction>
      {ref !== null && cause !== null && 'preset' in cause.why && (
        <MenuAction label={`Mute ${cause.why.preset} for 1 h`} onSelect={() => mute(ref)}>
          Mute 1 h
        </MenuAction>
      )}
    </div>
  );
}

function AlertLink({ alert }: { alert: Alert }) {
  return (
    <MenuLink href={pageOf(alert)} tall>
      <span className="min-w-0 flex-1">
        {alert.figures === null ? (
          <TextAlert alert={alert} />
        ) : (
          <>
            <span className="flex items-center gap-2">
              <bdi className="min-w-0 truncate font-medium">
                {symbolOf(alert) ?? nameOf({ ...alert, address: alert.address ?? '' })}
              </bdi>
              <span className="flex text-2xs text-muted">
                <CopyMark token={alert.figures} />
              </span>
              <RiskPill scamProbability={alert.figures.scamProbability} className="ml-auto" />
              <Age at={alert.at} className="min-w-7 shrink-0 text-right text-muted text-xs tabular-nums" />
            </span>
            <Figures type={alert.type} figures={alert.figures} at={alert.at} />
            {alert.cause !== null && (
              <span className="mt-1 block break-words text-xs">
                <bdi>{causeText(alert.cause)}</bdi>
              </span>
            )}
          </>
        )}
      </span>
    </MenuLink>
  );
}

function pageOf({ address, type }: Alert): string {
  if (type === 'password_exposed') return '/app/settings';
  return address === null ? '/app/positions' : `/app/tokens/${address}`;
}

function Figures({ type, figures, at }: { type: Alert['type']; figures: AlertFigures; at: string }) {
  const { createdAt, marketCap, currentLiquidity, holderCount } = figures;
  return (
    <span className="mt-1 flex flex-wrap gap-x-3 text-muted text-xs tabular-nums">
      <span>{titles[type]}</span>
      <span title="Market cap when the alert was sent">MC {usd(marketCap)}</span>
      <span title="Liquidity when the alert was sent">Liq {liquidity(currentLiquidity)}</span>
      <span title="Age of the token when the alert was sent">Age {age(createdAt, Date.parse(at))}</span>
      <span title="Holders when the alert was sent">{count(holderCount)} holders</span>
    </span>
  );
}

function TextAlert({ alert }: { alert: Alert }) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-2 text-muted text-xs">
        {titles[alert.type]}
        <Age at={alert.at} className="shrink-0 tabular-nums" />
      </span>
      {/* Templates set their lines apart for a chat; here three lines are all there is. */}
      <span className="line-clamp-3 whitespace-pre-line break-words text-sm">
        {alert.text.replace(/\n\s*\n/g, '\n')}
      </span>
    </>
  );
}
