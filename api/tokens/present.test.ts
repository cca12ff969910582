import { describe, expect, test } from 'vitest';
import { sampleSchema, tokenDetailSchema, tokenSchema, tradeSchema } from '../../common/tokens/model.ts';
import { RISK_RULES_VERSION } from '../../common/tokens/risk/score.ts';
import { addressNumber, sampleRecord, tokenRecord, tradeRecord } from '../testing/tokens.ts';
import { presentDetail, presentSample, presentToken, presentTrade } from './present.ts';

const AT = Date.UTC(2026, 8, 1, 12);

describe('presenters', () => {
  test('a token has exactly the fields of its contract [S3-01, S3-02]', () => {
    const token = presentToken(tokenRecord(1, { createdAt: AT }));
    expect(tokenSchema.parse(token)).toEqual(token);
    expect(token).toMatchObject({
      id: addressNumber(1),
      address: addressNumber(1),
      createdAt: '2026-09-01T12:00:00.000Z',
    });
  });

  test('converts lamports to SOL, keeps dollars and rounds both to six significant digits [S3-03, S3-04]', () => {
    const token = presentToken(
      tokenRecord(1, {
        price: 0.0000000123456789,
        initialLiquidityLamports: 1_234_567_891,
        liquidityLamports: 85_005_359_057,
        marketCapUsd: 1_234_567.89,
        volumeUsd: 0.12345678,
      }),
    );
    expect(token).toMatchObject({
      price: 0.0000000123457,
      initialLiquidity: 1.23457,
      currentLiquidity: 85.0054,
      marketCap: 1_234_570,
      volume: 0.123457,
    });
  });

  test('unknown figures stay null [S3-05, S3-06]', () => {
    const unknown = { price: null, initialLiquidityLamports: null, liquidityLamports: null, holderCount: null };
    const token = presentToken(tokenRecord(1, { ...unknown, marketCapUsd: null, volumeUsd: null, riskScore: null }));
    const { price, initialLiquidity, currentLiquidity, marketCap, volume, holderCount, scamProbability } = token;
    expect([price, initialLiquidity, currentLiquidity, marketCap, volume, holderCount, scamProbability]).toEqual(
      Array(7).fill(null),
    );
  });

  test('the risk is on the scale 0–100 [S3-06]', () => {
    expect(presentToken(tokenRecord(1, { riskScore: 85 })).scamProbability).toBe(85);
  });

  test('a score of earlier rules is unknown, in lists and with the factors', () => {
    const old = { riskScore: 12, riskReason: null, riskRulesVersion: RISK_RULES_VERSION - 1, rugged: true };
    const unknown = { scamProbability: null, riskReason: 'too-little-known' };
    for (const record of [tokenRecord(1, old), tokenRecord(1, { ...old, riskRulesVersion: null })]) {
      expect(presentToken(record)).toMatchObject(unknown);
      const detail = presentDetail(record, null);
      expect(tokenDetailSchema.parse(detail)).toMatchObject({
        ...unknown,
        risk: { score: null, reason: 'too-little-known' },
      });
    }
  });

  test('metadata names the launchpad and the detecting source [S3-09]', () => {
    expect(presentToken(tokenRecord(1)).metadata).toMatchObject({ source: 'pump.fun', detectedBy: 'solana' });
  });

  test('a placeholder name or symbol becomes null [S3-11]', () => {
    const token = presentToken(tokenRecord(1, { name: 'Unknown Token (Mint1111...)', symbol: 'Unknown' }));
    expect(token).toMatchObject({ name: null, symbol: null });
  });

  test('names the older coin of the same symbol; null without one and while unknown', () => {
    const record = tokenRecord(1, {});
    const twin = (value: string) => ({
      ...record,
      facts: { ...record.facts, symbolTwin: { value, at: 0, source: 'test' } },
    });
    expect(presentToken(twin('older')).copyOf).toBe('older');
    expect(presentToken(twin('')).copyOf).toBeNull();
    expect(presentToken({ ...record, facts: { ...record.facts, symbolTwin: null } }).copyOf).toBeNull();
  });

  test('names carry no invisible characters', () => {
    const token = presentToken(tokenRecord(1, { name: 'U\u200BSD\u0000 \u202ECoin', symbol: '\u2066\u200B' }));
    expect(token).toMatchObject({ name: 'USD Coin', symbol: null });
    expect(presentToken(tokenRecord(1, { name: '👩\u200D🚀 Coin' })).name).toBe('👩\u200D🚀 Coin');
  });

  test('the detail has the risk factors, and trade counts only when the creation was observed', () => {
    const solUsd = { rate: 150, at: '2026-09-01T12:00:00.000Z', source: 'SOL_USD' };
    const reserves = { virtualQuote: 1, virtualToken: 1, realQuote: 1, realToken: 793_100_000_000_000 / 4 };
    const detail = presentDetail(tokenRecord(1, { reserves, buys: 3, riskScore: 12, riskCoverage: 60 }), solUsd);
    expect(tokenDetailSchema.parse(detail)).toEqual(detail);
    expect(detail).toMatchObject({ curveProgress: 75, buys: 3, risk: { score: 12, coverage: 60 }, solUsd });
    expect(presentDetail(tokenRecord(1, { complete: false, stage: 'pool', reserves }), null)).toMatchObject({
      buys: null,
      sells: null,
      curveProgress: null,
    });
  });

  test('a trade carries SOL and whole tokens', () => {
    const trade = presentTrade({ ...tradeRecord(addressNumber(1), 7, new Date(AT)), amount: 1_500, lamports: 5e8 }, 3);
    expect(tradeSchema.parse(trade)).toEqual(trade);
    expect(trade).toMatchObject({ tokens: 1.5, sol: 0.5, id: 'signature7:0' });
    expect(presentTrade({ ...tradeRecord(addressNumber(1), 7, new Date(AT)), lamports: null }, 6).sol).toBeNull();
  });

  test('a sample carries SOL', () => {
    const sample = presentSample({ ...sampleRecord(addressNumber(1), 'full', new Date(AT)), volumeLamports: 5e8 });
    expect(sampleSchema.parse(sample)).toEqual(sample);
    expect(sample.volume).toBe(0.5);
  });
});
