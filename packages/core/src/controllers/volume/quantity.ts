/** The factors of the suffixes of a Kubernetes quantity. */
const SUFFIXES: Readonly<Record<string, bigint>> = {
  "": 1n,
  k: 10n ** 3n,
  M: 10n ** 6n,
  G: 10n ** 9n,
  T: 10n ** 12n,
  P: 10n ** 15n,
  E: 10n ** 18n,
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
};
const THOUSANDTHS: Readonly<Record<string, bigint>> = {
  n: 10n ** 9n,
  u: 10n ** 6n,
  m: 10n ** 3n,
};
const QUANTITY = /^\+?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i))?$/;
const GIB = 2n ** 30n;

/** Returns the bytes of a Kubernetes quantity such as `1500Mi`, rounded up; undefined for anything else. */
export function bytesOf(quantity: string | undefined): bigint | undefined {
  const match = QUANTITY.exec(quantity ?? "");
  if (match === null) return undefined;
  const [, whole = "", fraction = "", exponent = "0", suffix = ""] = match;
  const digits = BigInt(whole + fraction);
  const power = Number(exponent);
  const factor = (SUFFIXES[suffix] ?? 1n) * 10n ** BigInt(Math.max(power, 0));
  const divisor =
    (THOUSANDTHS[suffix] ?? 1n) * 10n ** BigInt(fraction.length + Math.max(-power, 0));
  return dividedUp(digits * factor, divisor);
}

/** Returns the GiB of a quantity, rounded up to whole ones as disks are sold; undefined for anything else. */
export function gibibytesOf(quantity: string | undefined): number | undefined {
  const bytes = bytesOf(quantity);
  return bytes === undefined ? undefined : Number(dividedUp(bytes, GIB));
}

export function quantityOf(gibibytes: number): string {
  return `${gibibytes}Gi`;
}

function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
