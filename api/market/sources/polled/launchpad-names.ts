/** Names of launchpads in the payloads of data services, in lower case without blanks, dots and dashes. */
const names: Readonly<Record<string, string>> = {
  pumpfun: 'pump.fun',
  pump: 'pump.fun',
  pumpswap: 'pump.fun',
  pumpamm: 'pump.fun',
  pumpfunamm: 'pump.fun',
  letsbonkfun: 'letsbonk.fun',
  letsbonk: 'letsbonk.fun',
  letsbonkfunlaunchpad: 'letsbonk.fun',
  bonkfun: 'letsbonk.fun',
  bonk: 'letsbonk.fun',
  raydiumlaunchlab: 'raydium-launchlab',
  raydiumlaunchpad: 'raydium-launchlab',
  launchlab: 'raydium-launchlab',
  raydium: 'raydium',
  raydiumcpmm: 'raydium',
  raydiumclmm: 'raydium',
  meteora: 'meteora',
  meteoradbc: 'meteora',
  meteoracurve: 'meteora',
  moonshot: 'moonshot',
  moonit: 'moonshot',
  orca: 'orca',
  boop: 'boop.fun',
  boopfun: 'boop.fun',
  believe: 'believe',
  believeapp: 'believe',
};

/**
 * Returns the name of a launchpad as in `metadata.source`: `https://pump.fun`, `pumpfun` and `Pump.fun` become `pump.fun`. An
 * unknown launchpad keeps its name, in lower case and at most 40 characters; null without a name.
 */
export function launchpadName(text: string | null | undefined): string | null {
  const name = (text ?? '')
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/.*$/, '');
  if (!/^[a-z0-9][a-z0-9 ._-]*$/.test(name)) return null;
  return names[name.replaceAll(/[ ._-]/g, '')] ?? name.slice(0, 40);
}
