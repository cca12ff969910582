import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig } from '../api/config/config.ts';

// No Docker engine runs these files here, so this checks the files they name: a user must not be the first to notice a moved one.
const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const dockerfile = read('scripts/Dockerfile').replaceAll('\\\n', ' ');
const compose = read('docker-compose.yml');

const instructions = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} +(.*)$`, 'gm'))].map((match) => match[1] ?? '');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

/** The sources of each COPY, apart from its target. */
const copies = instructions('COPY').map((line) => {
  const words = line.split(/ +/);
  const stage = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  return { stage, sources: words.slice(0, -1) };
});

describe('Dockerfile', () => {
  test('copies only what the project has', () => {
    const sources = copies.filter(({ stage }) => stage === undefined).flatMap((copy) => copy.sources);
    expect(sources).toContain('package-lock.json');
    expect(sources.filter((source) => !existsSync(path.join(root, source)))).toEqual([]);
  });

  test('copies from stages that exist', () => {
    const stages = matches(dockerfile, /^FROM \S+ AS (\S+)$/gm);
    const used = copies.flatMap(({ stage }) => stage ?? []);
    expect(used).toEqual(expect.arrayContaining(['build', 'dependencies']));
    expect(used.filter((stage) => !stages.includes(stage))).toEqual([]);
  });

  test('runs the compiled main file of the server, not as root, with a health check', () => {
    expect(instructions('CMD')).toEqual(['["node", ".build/server/api/main.js"]']);
    expect(existsSync(path.join(root, 'api/main.ts'))).toBe(true);
    expect(instructions('USER')).toEqual(['node']);
    expect(dockerfile.indexOf('\nUSER node')).toBeLessThan(dockerfile.indexOf('\nCMD'));
    expect(instructions('HEALTHCHECK')[0]).toContain('/api/health');
  });

  test('has the Node.js that package.json asks for', () => {
    const { engines } = JSON.parse(read('package.json'));
    expect(engines.node).toBe('^20.19 || >=22');
    expect(instructions('ARG')).toEqual(['NODE_IMAGE=node:22-bookworm-slim']);
    // Each stage uses the one image, so that one argument pins them all to a digest.
    expect(new Set(matches(dockerfile, /^FROM \$\{(\S+)\}/gm))).toEqual(new Set(['NODE_IMAGE']));
    expect(dockerfile).not.toMatch(/^FROM [^$]/m);
  });

  test('leaves development packages out of what runs', () => {
    expect(dockerfile).toMatch(/AS dependencies[\s\S]*npm ci --omit=dev --ignore-scripts/);
  });
});

const serviceSchema = z.looseObject({
  profiles: z.array(z.string()).optional(),
  build: z.looseObject({ context: z.string(), dockerfile: z.string() }).optional(),
  image: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.looseObject({}))]).default([]),
  healthcheck: z.looseObject({}).optional(),
  deploy: z.strictObject({ replicas: z.number() }).optional(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  mem_limit: z.string().regex(/^\$\{\w+:-2g\}$/),
});
const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.null()),
  networks: z.record(
    z.string(),
    z.looseObject({ ipam: z.looseObject({ config: z.array(z.looseObject({ subnet: z.string() })) }) }),
  ),
  configs: z.record(z.string(), z.strictObject({ content: z.string() })),
});
const { services, ...others } = composeSchema.parse(parse(compose, { merge: true }));

/** Returns a service, which has to exist. */
const service = (name: string) => services[name] ?? expect.fail(`there is no service ${name}`);
const variablesOf = (name: string) => service(name).environment ?? {};
const dependencies = (name: string): string[] => {
  const { depends_on: of } = service(name);
  return Array.isArray(of) ? of : Object.keys(of);
};
const SCALE = ['worker', 'front', 'proxy', 'redis', 'mongo-1', 'mongo-2', 'mongo-3'];

describe('docker-compose.yml', () => {
  test('builds from a file that exists', () => {
    for (const { build } of Object.values(services)) {
      if (build) expect([build.context, build.dockerfile]).toEqual(['.', 'scripts/Dockerfile']);
    }
  });

  test('starts one process and one MongoDB, and the others in the profile `scale` alone', () => {
    const inProfile = Object.entries(services).filter(([, { profiles }]) => profiles?.includes('scale'));
    expect(inProfile.map(([name]) => name)).toEqual(SCALE);
    expect(Object.keys(services)).toEqual(['mintwatch', 'mongo', ...SCALE]);
  });

  test('waits for a healthy MongoDB, which it names as its own service', () => {
    expect(variablesOf('mintwatch').MONGODB_URI).toMatch(/@mongo:27017/);
    expect(service('mintwatch').depends_on).toEqual({ mongo: { condition: 'service_healthy' } });
    expect(service('mongo').image).toMatch(/^\$\{MONGO_IMAGE:-mongo:8\}$/);
    expect(service('mongo').healthcheck).toBeDefined();
  });

  test('starts neither service without a password of the database, which no file contains', () => {
    expect(variablesOf('mintwatch').MONGODB_URI).toMatch(/^mongodb:\/\/mintwatch:\$\{MONGO_PASSWORD:\?[^}]+\}@mongo/);
    for (const name of ['mongo', 'mongo-1']) {
      expect(variablesOf(name)).toMatchObject({
        MONGO_INITDB_ROOT_USERNAME: 'mintwatch',
        MONGO_INITDB_ROOT_PASSWORD: expect.stringMatching(/^\$\{MONGO_PASSWORD\}$/),
      });
    }
    expect(read('.gitignore').split('\n')).toContain('.env');
    expect(read('.dockerignore').split('\n')).toContain('.env');
  });

  // What each service may do and use is in its schema above.

  test('publishes to this machine only, by the process or by the proxy', () => {
    const ports = Object.entries(services).flatMap(([name, { ports: own = [] }]) => own.map((port) => [name, port]));
    expect(ports).toEqual([
      ['mintwatch', expect.stringMatching(/^127\.0\.0\.1:\$\{PORT:-3000\}:3000$/)],
      ['proxy', expect.stringMatching(/^127\.0\.0\.1:\$\{PORT:-3000\}:8080$/)],
    ]);
  });

  test('declares the volumes that it uses, each for one service', () => {
    const used = Object.values(services).flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    expect(used).toEqual([...new Set(used)]);
    expect(used.toSorted()).toEqual(Object.keys(others.volumes).toSorted());
  });

  const passed = Object.keys(variablesOf('mintwatch'));

  test('passes on only variables that the server knows', () => {
    const declared = read('api/config/config.ts') + read('api/config/sources.ts');
    const known = matches(declared, /^ {2}([A-Z_]+):/gm);
    expect(passed.length).toBeGreaterThan(3);
    expect(passed.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('passes on every variable of the operations page that is not fixed in a container', () => {
    const variables = matches(read('api/docs/operations.md'), /^\| `([A-Z_]+)` \|/gm);
    // The image says where it listens and keeps its data; PORT is the port that is published. It runs no local chain, and no tests.
    const fixed = ['HOST', 'PORT', 'DATA_DIR', 'LOCAL_CHAIN_PORT', 'SOURCE_URLS'];
    expect(variables).toEqual(expect.arrayContaining(fixed));
    expect(variables.filter((name) => !fixed.includes(name) && !passed.includes(name))).toEqual([]);
  });
});

describe('the profile `scale`', () => {
  test('runs two workers, and two processes for clients, on one database and one Redis', () => {
    const [worker, front] = [variablesOf('worker'), variablesOf('front')];
    expect([service('worker').deploy, service('front').deploy]).toEqual([{ replicas: 2 }, { replicas: 2 }]);
    expect([worker.ROLES, front.ROLES]).toEqual(['worker', 'http,realtime']);
    expect(worker.MONGODB_URI).toMatch(
      /@mongo-1:27017,mongo-2:27017,mongo-3:27017\/mintwatch\?replicaSet=mintwatch&authSource=admin$/,
    );
    const { ROLES: _role, TRUSTED_PROXIES: _proxies, ...shared } = worker;
    expect(front).toMatchObject(shared);
    expect(Object.keys(worker)).toEqual(expect.arrayContaining(Object.keys(variablesOf('mintwatch'))));
  });

  test.each(['worker', 'front'])('the server accepts the variables of %s', (name) => {
    const set: Record<string, string> = { MONGO_PASSWORD: 'm'.repeat(48), REDIS_PASSWORD: 'r'.repeat(48) };
    for (const secret of ['CHANNEL_SECRET', 'SESSION_KEYS']) set[secret] = 's'.repeat(48);
    const env = Object.fromEntries(
      Object.entries(variablesOf(name)).map(([variable, text]) => [
        variable,
        text.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, key: string, other = '') => set[key] ?? other),
      ]),
    );
    const config = readConfig(env);
    expect(config.roles).toEqual(new Set(variablesOf(name).ROLES?.split(',')));
    expect(config.redisUrl).toBe(`redis://:${set.REDIS_PASSWORD}@redis:6379`);
    expect(config.channel).toEqual({ secret: set.CHANNEL_SECRET, host: '0.0.0.0', port: 4000 });
    // Each secret is needed: the server says so in one line.
    expect(() => readConfig({ ...env, CHANNEL_SECRET: '' })).toThrow('CHANNEL_SECRET: is needed');
  });

  test('the proxy reaches every process for clients, and is trusted by its network alone', () => {
    const { content } = others.configs.proxy ?? expect.fail('there is no configuration of the proxy');
    expect(content).toContain('dynamic a front 3000');
    const subnet = others.networks.scale?.ipam.config[0]?.subnet;
    expect(subnet).toMatch(/^10\./);
    expect(variablesOf('front').TRUSTED_PROXIES).toBe(subnet);
  });

  test('every service is in the private network, and waits for those that it needs', () => {
    for (const name of SCALE) expect(service(name).networks).toEqual(['scale']);
    expect([dependencies('worker'), dependencies('front')]).toEqual([
      ['mongo-1', 'redis'],
      ['mongo-1', 'redis'],
    ]);
    expect(dependencies('proxy')).toEqual(['front']);
    expect(dependencies('mongo-1')).toEqual(['mongo-2', 'mongo-3']);
  });
});
