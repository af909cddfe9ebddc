import { randomBytes, scryptSync } from "node:crypto";

const COST = { cost: 16, blockSize: 8, parallelization: 1 };

/**
 * What is kept of a password, as `hashPassword` makes it but at hardly any cost: comparing with one of today's takes a quarter of a
 * second of the processor, which only the tests of passwords themselves are about.
 */
export function quickHash(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, COST);
  const { cost, blockSize, parallelization } = COST;
  const parts = [cost, blockSize, parallelization, salt.toString("base64url")];
  return `scrypt$${parts.join("$")}$${key.toString("base64url")}`;
}
