import type Koa from 'koa';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { SystemStatus } from '../../common/admin/model.ts';
import { SECOND } from '../../common/time.ts';
import type { TradingStatus } from '../../common/trading/status.ts';
import { secretComparison } from '../http/admin-key.ts';
import { figures } from './figures.ts';

/** Seconds: from a cached list to a search of everything. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What the page reads at each request. `system` and `trading` are those of System Status. */
export interface MetricsDeps {
  /** What a reader sends as `Authorization: Bearer`. */
  token: string;
  system(): Promise<SystemStatus>;
  trading(): Promise<TradingStatus>;
}

/** The page `/metrics` for Prometheus, and the count of requests that it shows. */
export type Metrics = Record<'count' | 'page', Koa.Middleware>;

/**
 * Creates the page `/metrics`: figures of System Status, of the process, and the times of requests. It lets a reader without the
 * token pass, who then gets 404, as if there were no such page.
 */
export function createMetrics({ token, system, trading }: MetricsDeps): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'mintwatch_http_request_seconds',
    help: 'Time of requests, by route and class of status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_SECONDS,
    registers: [register],
  });
  const metrics = figures.map((figure) => {
    const { name, help, labelNames = [], kind = 'gauge' } = figure;
    const options = { name: `mintwatch_${name}`, help, labelNames: [...labelNames], registers: [register] };
    return { figure, metric: kind === 'counter' ? new Counter(options) : new Gauge(options) };
  });
  const isRight = secretComparison(`Bearer ${token}`);

  async function page(): Promise<string> {
    const status = { system: await system(), trading: await trading().catch(() => null) };
    for (const { figure, metric } of metrics) {
      metric.reset();
      for (const { value, labels = {} } of figure.read(status)) {
        if (value !== null) metric.inc(labels, value);
      }
    }
    return register.metrics();
  }

  return {
    async count(ctx, next) {
      const startedAt = performance.now();
      await next();
      const route = String(ctx._matchedRoute ?? 'other');
      const status = `${Math.floor(ctx.status / 100)}xx`;
      requests.observe({ method: ctx.method, route, status }, (performance.now() - startedAt) / SECOND);
    },
    async page(ctx, next) {
      if (ctx.path !== '/metrics' || ctx.method !== 'GET' || !isRight(ctx.get('Authorization'))) return next();
      ctx.body = await page();
      ctx.set('Content-Type', register.contentType);
      ctx.set('Cache-Control', 'no-store');
    },
  };
}
