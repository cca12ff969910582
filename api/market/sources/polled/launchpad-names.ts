/** The names that launchpads go by in the payloads of data services, in small letters without blanks, dots and dashes. */
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
 * The one name of a launchpad, as `metadata.source` has it: `https://pump.fun`, `pumpfun` and `Pump.fun` are `pump.fun`. An
 * unknown one keeps its own name, in small letters and at most 40 characters; null without any.
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
