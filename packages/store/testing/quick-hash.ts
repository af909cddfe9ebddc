import { randomBytes, scryptSync } from "node:crypto";

const COST = { cost: 16, blockSize: 8, parallelization: 1 };

/**
 * Returns a password hash like `hashPassword`'s, but at hardly any cost: checking a real one takes a quarter of a second of CPU time, which
 * only the tests of passwords need.
 */
export function quickHash(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, COST);
  const { cost, blockSize, parallelization } = COST;
  const parts = [cost, blockSize, parallelization, salt.toString("base64url")];
  return `scrypt$${parts.join("$")}$${key.toString("base64url")}`;
}
