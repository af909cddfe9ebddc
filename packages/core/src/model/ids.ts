/** A UUID of version 7 (RFC 9562): sorts by the millisecond it was made in. `random` fills its 74 random bits. */
export function uuidV7(nowMs: number, random: () => number): string {
  const bytes = new Uint8Array(16);
  let time = nowMs;
  for (let index = 5; index >= 0; index--) {
    bytes[index] = time % 256;
    time = Math.floor(time / 256);
  }
  for (let index = 6; index < 16; index++) bytes[index] = Math.floor(random() * 256);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

/** The millisecond that a version 7 UUID was made in. */
export function uuidV7Time(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
