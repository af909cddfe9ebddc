/**
 * Returns a UUID of version 7 (RFC 9562), which sorts by the millisecond of its creation. `random` fills its 74
 * random bits.
 */
export function uuidV7(nowMs: number, random: () => number): string {
  const time = hex(nowMs, 12);
  const version = hex(0x7000 + Math.floor(random() * 0x1000), 4);
  const variant = hex(0x8000 + Math.floor(random() * 0x4000), 4);
  const rest = hex(Math.floor(random() * 2 ** 24), 6) + hex(Math.floor(random() * 2 ** 24), 6);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** Returns the millisecond in which a version 7 UUID was created. */
export function uuidV7Time(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
