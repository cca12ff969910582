import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

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

describe('docker-compose.yml', () => {
  /** The lines of each service, by its name. */
  const blocks = Object.fromEntries(
    [...compose.matchAll(/^ {2}(\w+):\n((?: {4}.*\n)+)/gm)].map(([, name = '', lines = '']) => [name, lines]),
  );
  const services = Object.keys(blocks);

  test('builds from a file that exists', () => {
    const files = matches(compose, /^ +dockerfile: (\S+)$/gm);
    expect(files).toEqual(['scripts/Dockerfile']);
  });

  test('waits for a healthy MongoDB, which it names as its own service', () => {
    expect(services).toEqual(['mintwatch', 'mongo']);
    expect(matches(compose, /MONGODB_URI: mongodb:\/\/.+@(\w+):/g)).toEqual(['mongo']);
    expect(compose).toMatch(/depends_on:\n +mongo:\n +condition: service_healthy/);
    expect(compose).toMatch(/image: \$\{MONGO_IMAGE:-mongo:8\}[\s\S]*healthcheck:/);
  });

  test('starts neither service without a password of the database, which no file contains', () => {
    expect(compose).toMatch(/MONGODB_URI: mongodb:\/\/mintwatch:\$\{MONGO_PASSWORD:\?[^}]+\}@mongo/);
    expect(compose).toMatch(
      /MONGO_INITDB_ROOT_USERNAME: mintwatch\n +MONGO_INITDB_ROOT_PASSWORD: \$\{MONGO_PASSWORD\}$/m,
    );
    expect(read('.gitignore').split('\n')).toContain('.env');
    expect(read('.dockerignore').split('\n')).toContain('.env');
  });

  test.each(services)('limits what %s may do and use', (service) => {
    const own = blocks[service];
    expect(own).toContain('    read_only: true\n    tmpfs: [/tmp]\n    cap_drop: [ALL]\n');
    expect(own).toContain('    security_opt: ["no-new-privileges:true"]\n');
    expect(own).toMatch(/^ {4}mem_limit: \$\{\w+:-2g\}$/m);
  });

  test('publishes to this machine only', () => {
    const ports = matches(compose, /ports:\n(?: +#.*\n)* +- "([^"]+)"/g);
    expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:3000$/)]);
  });

  test('declares the volumes that it uses', () => {
    const declared = matches(compose.slice(compose.indexOf('\nvolumes:')), /^ {2}([\w-]+):$/gm);
    expect(new Set(matches(compose, /^ +- ([a-z-]+):\//gm))).toEqual(new Set(declared));
  });

  const passed = matches(blocks.mintwatch ?? '', /^ {6}([A-Z_]+):/gm);

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
