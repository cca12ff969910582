import { useEffect, useEffectEvent, useRef } from 'react';
import { calibrationCalls } from '../../common/calibration/http.ts';
import { calibrationAge, scoreBin } from '../../common/calibration/rules.ts';
import { ageText, lostSentence, runnerSentence, scoresText } from '../../common/calibration/sentence.ts';
import type { Token } from '../../common/tokens/model.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { useAtomValue } from '../store.ts';

/** Polling interval, ms, for cases that settle meanwhile. */
const POLL_MS = 30_000;

/** Fields of a token that decide with which coins it is compared. */
export type ComparedToken = Pick<Token, 'address' | 'createdAt' | 'scamProbability' | 'runner'>;

/** Says what happened to coins that were scored like this token at its age; nothing while that is not measured. */
export function TokenCalibrationCard({ token }: { token: ComparedToken }) {
  const { data, reload } = useUserQuery(calibrationCalls.token, { params: { address: token.address } }, POLL_MS);
  const group = useGroup(token);
  const shown = useRef(group);
  const refresh = useEffectEvent(() => void reload());
  useEffect(() => {
    if (shown.current === group) return;
    shown.current = group;
    refresh();
  }, [group]);
  const lost = data === undefined ? null : lostSentence(data);
  if (data === undefined || data.age === null || lost === null) return null;
  const runners = runnerSentence(data);
  return (
    <section aria-label="How often this was right" className="rounded-lg border border-line bg-surface p-4 text-sm">
      <h3 className="font-medium">How often this was right</h3>
      <p className="mt-1.5">{written(lost)}</p>
      {runners !== null && <p className="mt-1.5">{written(runners)}</p>}
      <p className="mt-2 text-2xs text-muted">
        Coins with {scoresText(data.scores)} at {ageText(data.age)}
        {data.market === 'simulated' && ' in the simulated market'}
        {data.market === 'replay' && ' in replayed recordings'}, rules version {data.rulesVersion}. At least 0.5 SOL of
        liquidity; range: 95 % interval.
      </p>
    </section>
  );
}

/** Returns a key of the coins that a token is compared with: their scores, their age, and whether it is a runner. */
function useGroup({ createdAt, scamProbability, runner }: ComparedToken): string {
  const now = useAtomValue(serverClockAtom);
  const age = createdAt === null ? null : calibrationAge(now - Date.parse(createdAt));
  return `${scoreBin(scamProbability)?.to} ${age} ${runner}`;
}

/** Returns a sentence with a capital letter and a full stop. */
function written(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
