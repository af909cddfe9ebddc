import { isIP } from "node:net";

/** 4 or 6 for `10.0.0.0/8` and the like, undefined for anything else. */
export function cidrFamily(text: string): 4 | 6 | undefined {
  const [address = "", prefix = "", ...rest] = text.split("/");
  const family = isIP(address);
  const bits = Number(prefix);
  if (family === 0 || rest.length > 0 || !/^\d+$/.test(prefix)) return undefined;
  if (family === 4) return bits <= 32 ? 4 : undefined;
  return bits <= 128 ? 6 : undefined;
}
