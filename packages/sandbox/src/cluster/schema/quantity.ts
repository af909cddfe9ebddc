const QUANTITY =
  /^([+-]?)(\d*)\.?(\d*)(?:(m|u|n|k|M|G|T|P|E)|(Ki|Mi|Gi|Ti|Pi|Ei)|[eE]([+-]?\d{1,2}))?$/;
const DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const NANOS = 1_000_000_000n;
const ONE = DECIMAL.indexOf("");

interface Quantity {
  readonly nanos: bigint;
  readonly form: "decimal" | "binary" | "exponent";
}

/** Returns a quantity in billionths, or undefined for an invalid one. Smaller fractions are rounded up, as upstream does. */
export function nanosOf(written: string): bigint | undefined {
  return parse(written)?.nanos;
}

/** Returns upstream's canonical spelling: no fraction, and the largest suffix that allows that. Undefined for an invalid quantity. */
export function canonicalQuantity(written: string): string | undefined {
  const quantity = parse(written);
  if (quantity === undefined) return undefined;
  const { nanos, form } = quantity;
  const whole = nanos / NANOS;
  const isBinary = form === "binary" && nanos % NANOS === 0n && (whole >= 1024n || whole <= -1024n);
  return isBinary ? binaryText(whole) : decimalText(nanos, form === "exponent");
}

function parse(written: string): Quantity | undefined {
  const match = QUANTITY.exec(written);
  const [, sign, whole = "", fraction = "", decimal = "", binary, exponent] = match ?? [];
  if (whole === "" && fraction === "") return undefined;
  const digits = BigInt(`${sign}${whole}${fraction}`.replace("+", ""));
  const scale = 10n ** BigInt(fraction.length);
  const unit = 1024n ** BigInt(BINARY.indexOf(binary ?? ""));
  const power = exponent === undefined ? 3 * (DECIMAL.indexOf(decimal) - ONE) : Number(exponent);
  const factor = 10n ** BigInt(Math.max(power, 0));
  const divisor = 10n ** BigInt(Math.max(-power, 0));
  const nanos = roundedUp(digits * NANOS * factor * unit, scale * divisor);
  return { nanos, form: formOf(binary, exponent) };
}

function formOf(binary: string | undefined, exponent: string | undefined): Quantity["form"] {
  if (binary !== undefined) return "binary";
  return exponent === undefined ? "decimal" : "exponent";
}

function roundedUp(value: bigint, divisor: bigint): bigint {
  const rest = value % divisor;
  if (rest === 0n) return value / divisor;
  return value / divisor + (value > 0n ? 1n : -1n);
}

function binaryText(value: bigint): string {
  const [number, unit] = divided(value, 1024n, { first: 0, last: BINARY.length - 1 });
  return `${number}${BINARY[unit]}`;
}

function decimalText(nanos: bigint, isExponent: boolean): string {
  if (nanos === 0n) return "0";
  const [number, unit] = divided(nanos, 1000n, { first: 0, last: DECIMAL.length - 1 });
  if (!isExponent) return `${number}${DECIMAL[unit]}`;
  return unit === ONE ? String(number) : `${number}e${3 * (unit - ONE)}`;
}

function divided(
  value: bigint,
  base: bigint,
  units: { readonly first: number; readonly last: number },
): readonly [bigint, number] {
  const { first, last } = units;
  if (first === last || value % base !== 0n) return [value, first];
  return divided(value / base, base, { first: first + 1, last });
}
