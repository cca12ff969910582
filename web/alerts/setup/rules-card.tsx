import { Bell, BellOff, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { targetText } from '../../../common/alerts/cause.ts';
import { allPresetsText, droppedText, heldBackText } from '../../../common/alerts/model.ts';
import {
  ALERT_RULES_FULL,
  ALERT_RULES_MAX,
  type AlertRule,
  type PresetAlert,
} from '../../../common/alerts/rules/model.ts';
import { channelsText } from '../../alert-rules/channel-fields.tsx';
import { useAlertRuleChanges, useAlertRules } from '../../alert-rules/use-alert-rules.ts';
import { Loaded } from '../../http/loaded.tsx';
import { useMutation } from '../../http/use-mutation.ts';
import { serverClockAtom } from '../../live/atoms/clock.ts';
import { atom, useAtomValue } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { clockTime, shortAddress } from '../../ui/format.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useAlertHour } from '../use-alerts.ts';
import { RuleDialog } from './rule-dialog.tsx';

/** The alerts that the user has set up, with buttons that change them. */
export function RulesCard() {
  const query = useAlertRules();
  const { data: hour } = useAlertHour();
  const [editing, setEditing] = useState<PresetAlert | 'new' | null>(null);
  const isFull = (query.data?.length ?? 0) >= ALERT_RULES_MAX;
  return (
    <Card
      title="Your Alerts"
      actions={
        <Button size="sm" disabled={isFull} onClick={() => setEditing('new')}>
          New alert
        </Button>
      }
    >
      {isFull && <p className="mb-2 text-muted text-xs">{ALERT_RULES_FULL}</p>}
      {hour !== undefined && hour.allPresets.heldBack > 0 && (
        <p className="mb-2 text-muted text-xs tabular-nums">
          {allPresetsText(hour.allPresets.heldBack, 'this hour', hour.allPresets.limit)}
        </p>
      )}
      <Loaded
        query={query}
        problem="Your alerts could not be loaded"
        bare
        waiting={<SkeletonRows rows={2} label="Loading your alerts" />}
      >
        {(rules) =>
          rules.length === 0 ? (
            <p className="text-muted text-sm">
              No alerts yet. Choose a preset, such as Fresh & clean: you are alerted once about each token that begins
              to match it. Alerts at a price are set on a token's chart.
            </p>
          ) : (
            <ul aria-label="Your alerts" className="divide-y divide-line rounded-md border border-line">
              {rules.map((rule) => (
                <Rule key={rule.id} rule={rule} onEdit={setEditing} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {editing !== null && <RuleDialog rule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </Card>
  );
}

function Rule({ rule, onEdit }: { rule: AlertRule; onEdit: (rule: PresetAlert) => void }) {
  const { change, remove } = useAlertRuleChanges();
  const removing = useMutation(() => remove(rule.id));
  const muting = useMutation((muted: boolean) => change(rule.id, { muted }));
  const name = nameOf(rule);
  const isMuted = useIsMuted(rule.kind === 'preset' ? rule.mutedUntil : null);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="break-words text-sm">
          {rule.kind === 'target' ? <Link href={`/app/tokens/${rule.address}`}>{name}</Link> : <bdi>{name}</bdi>}
        </p>
        <p className="break-words text-muted text-xs">
          {channelsText(rule.channels)}
          {rule.kind === 'preset' && ` · at most ${rule.perHour}/h`}
        </p>
        {rule.kind === 'preset' && <State rule={rule} isMuted={isMuted} />}
      </div>
      <div className="flex gap-1">
        {rule.kind === 'preset' && (
          <>
            <Button
              size="icon"
              variant="ghost"
              aria-label={isMuted ? `Unmute ${name}` : `Mute ${name} for 1 h`}
              title={isMuted ? 'Unmute' : 'Mute for 1 h'}
              busy={muting.pending}
              onClick={() => void muting.run(!isMuted)}
            >
              {isMuted ? <Bell size={16} aria-hidden="true" /> : <BellOff size={16} aria-hidden="true" />}
            </Button>
            <Button
              size="icon"
              variant="ghost"
              aria-label={`Change ${name}`}
              title="Change"
              onClick={() => onEdit(rule)}
            >
              <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />
            </Button>
          </>
        )}
        <Button
          size="icon"
          variant="ghost"
          aria-label={`Delete ${name}`}
          title="Delete"
          busy={removing.pending}
          onClick={() => void removing.run()}
        >
          <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </div>
    </li>
  );
}

/** Returns whether a mute is in force, which it is until its time by the server's clock. Repaints only when that changes. */
function useIsMuted(until: string | null): boolean {
  const end = until === null ? null : Date.parse(until);
  return useAtomValue(useMemo(() => atom((get) => end !== null && get(serverClockAtom) < end), [end]));
}

/** Shows the problem of an alert, else until when it is muted, else how many matches its own limit left out and how many were dropped. */
function State({ rule, isMuted }: { rule: PresetAlert; isMuted: boolean }) {
  const { problem, mutedUntil, heldBack, dropped, perHour } = rule;
  if (problem !== null) return <p className="break-words text-down text-xs">{problem}</p>;
  if (mutedUntil !== null && isMuted)
    return <p className="text-risk-medium text-xs">Muted until {clockTime(mutedUntil)} UTC</p>;
  return (
    <div className="text-muted text-xs tabular-nums">
      {heldBack > 0 && <p>{heldBackText(heldBack, 'this hour', perHour)}</p>}
      {dropped > 0 && <p>{droppedText(dropped, 'this hour')}</p>}
    </div>
  );
}

function nameOf(rule: AlertRule): string {
  if (rule.kind === 'preset') return rule.name;
  return `${rule.symbol ?? shortAddress(rule.address)} at ${targetText(rule.target)}`;
}
