import { calibrationCalls } from '../../common/calibration/http.ts';
import { ageText, lostSentence, runnerSentence, scoresText } from '../../common/calibration/sentence.ts';
import { usePolledQuery } from './use-polled-query.ts';

/** Polling interval, ms: the age that is compared changes at two and at ten minutes. */
const POLL_MS = 30_000;

/** Says what happened to coins that were scored like this token at its age; nothing while that is not measured. */
export function TokenCalibrationCard({ address }: { address: string }) {
  const { data } = usePolledQuery(calibrationCalls.token, { params: { address } }, POLL_MS);
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

/** Returns a sentence with a capital letter and a full stop. */
function written(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
