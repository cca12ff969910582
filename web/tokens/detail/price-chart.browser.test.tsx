import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Sample } from '../../../common/tokens/model.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { AT } from '../../trading/testing/fixtures.ts';
import PriceChart from './price-chart.tsx';

const MINUTE = 60_000;
const [LOW, HIGH] = [0.000_000_03, 0.000_000_05];

/** Samples between the two prices that end with a price at this share of the way up. */
function samplesTo(share: number): Sample[] {
  const prices = [LOW, HIGH, LOW + (HIGH - LOW) * share];
  return prices.map((price, minute) => sampleAt(minute * MINUTE, price));
}

/** `after`: ms after `AT`. */
function sampleAt(after: number, price: number): Sample {
  const at = new Date(Date.parse(AT) + after).toISOString();
  return { at, price, open: price, high: price, low: price, liquidity: 3, volume: 1, holders: 2 };
}

const boxOf = (element: Element) => element.getBoundingClientRect();

test.each([800, 320])('the tag of the last price covers no label of the axis (%i px wide)', async (width) => {
  const shares = Array.from({ length: 21 }, (_, step) => step / 20);
  let hidden = 0;
  for (const share of shares) {
    const { unmount } = renderWithApp(
      <div style={{ width, height: 256 }}>
        <PriceChart samples={samplesTo(share)} marks={[]} />
      </div>,
    );
    await waitFor(() => expect(document.querySelector('[data-last-price]')).not.toBeNull(), { timeout: 15_000 });
    const tag = boxOf(document.querySelector('[data-last-price]') ?? expect.fail());
    const labels = [...document.querySelectorAll('.recharts-yAxis-tick-labels text')].map(boxOf);
    const covered = labels.filter(({ top, bottom }) => top < tag.bottom && bottom > tag.top);
    expect(covered, `last price at ${share}`).toEqual([]);
    expect(labels.length).toBeGreaterThanOrEqual(4);
    if (labels.length < 5) hidden += 1;
    unmount();
  }
  expect(hidden).toBeGreaterThan(0);
  expect(hidden).toBeLessThan(shares.length);
});

test.each([0, 400, 1_000, 1_700, 2_900, 9_000, 44_000, 250_000, 599_000, 600_000, 3_600_000])(
  'labels of a span of %i ms differ from each other',
  async (span) => {
    renderWithApp(
      <div style={{ width: 800, height: 256 }}>
        <PriceChart samples={[300, 300 + span / 2, 300 + span].map((after) => sampleAt(after, LOW))} marks={[]} />
      </div>,
    );
    const labels = () =>
      [...document.querySelectorAll('.recharts-xAxis-tick-labels text')].map((text) => text.textContent);
    await expect.poll(() => labels().length).toBeGreaterThan(0);
    expect(new Set(labels()).size).toBe(labels().length);
  },
);
