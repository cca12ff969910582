import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const css = readFileSync(path.join(import.meta.dirname, 'app.css'), 'utf8');
const dark = coloursOf(css.slice(css.indexOf('@theme'), css.indexOf(':root {')));
const light = {
  ...dark,
  ...coloursOf(css.slice(css.indexOf(':root[data-theme="light"]'), css.indexOf('@custom-variant'))),
};

const grounds = ['bg', 'surface', 'raised'];
/** Text colors on every ground; WCAG AA requires 4.5:1. */
const texts = [
  'text',
  'muted',
  'faint',
  'accent',
  'up',
  'down',
  'risk-low',
  'risk-medium',
  'risk-high',
  'risk-unknown',
  'runner',
  'might-run',
];
/** Text on a tenth of its own color: badges and pills. */
const tinted = ['accent', 'up', 'down', 'risk-low', 'risk-high', 'runner', 'might-run'];
const TINT = 0.1;
/** The same for warnings, which have a color for their tint. */
const CAUTION_TINT = 0.12;

describe.each([
  ['dark', dark],
  ['light', light],
])('in the %s theme', (_name, colours) => {
  test.each(texts.flatMap((text) => grounds.map((ground) => [text, ground])))('%s on %s is 4.5:1', (text, ground) => {
    expect(contrast(colour(colours, text), colour(colours, ground))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(tinted.flatMap((text) => grounds.map((ground) => [text, ground])))(
    '%s on its tint on %s is 4.5:1',
    (text, ground) => {
      const own = colour(colours, text);
      expect(contrast(own, mixed(own, colour(colours, ground), TINT))).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(grounds)('a warning on its tint on %s is 4.5:1', (ground) => {
    const tint = mixed(colour(colours, 'caution'), colour(colours, ground), CAUTION_TINT);
    expect(contrast(colour(colours, 'risk-medium'), tint)).toBeGreaterThanOrEqual(4.5);
  });

  test.each([
    ['on-accent', 'accent'],
    ['on-destructive', 'down'],
  ])('%s on %s is 4.5:1', (text, ground) => {
    expect(contrast(colour(colours, text), colour(colours, ground))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(grounds)('the border of an input on %s is 3:1', (ground) => {
    expect(contrast(colour(colours, 'control'), colour(colours, ground))).toBeGreaterThanOrEqual(3);
  });
});

test('the light theme defines every color', () => {
  const own = coloursOf(css.slice(css.indexOf(':root[data-theme="light"]'), css.indexOf('@custom-variant')));
  expect(new Set(Object.keys(own))).toEqual(new Set(Object.keys(dark)));
});

test('black on white is 21:1, a color on itself 1:1', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
  expect(contrast([9, 99, 9], [9, 99, 9])).toBe(1);
});

type Rgb = [number, number, number];

function coloursOf(block: string): Record<string, Rgb> {
  const found = [...block.matchAll(/--color-([\w-]+): #(\w\w)(\w\w)(\w\w);/g)];
  return Object.fromEntries(
    found.map(([, name = '', red = '', green = '', blue = '']): [string, Rgb] => [
      name,
      [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)],
    ]),
  );
}

function colour(colours: Record<string, Rgb>, name: string): Rgb {
  const found = colours[name];
  if (found === undefined) throw new Error(`app.css has no colour ${name}`);
  return found;
}

function mixed(over: Rgb, under: Rgb, share: number): Rgb {
  const mix = (a: number, b: number) => a * share + b * (1 - share);
  return [mix(over[0], under[0]), mix(over[1], under[1]), mix(over[2], under[2])];
}

/** Returns the contrast ratio by WCAG 2.2, 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dim + 0.05);
}

/** Returns the relative luminance by WCAG 2.2. */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
