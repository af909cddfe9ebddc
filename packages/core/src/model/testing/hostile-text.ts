/** What patterns for secrets look for, and what misleads them. */
export const PIECES: readonly string[] = [
  ...["a-", "a", "-", ".", " ", "\n", '"', "\\", ":", "://", "@", "/", "=", "1", "é"],
  ...["eyJ", "eyJ-", "eyJa.", "token", "token:", "token: ", "token=", "https://", "a+b://c:d"],
  ...["authorization ", "Authorization: ", "Bearer ", "bearer", "basic ", "api_key"],
  ...['"password', '"password":', '"password": "'],
];

/**
 * Returns the pairs of pieces whose repetition takes superlinear time. It measures CPU time, as others use the
 * processor, too, and counts a pair only if all measurements agree.
 */
export function slowPieces(
  work: (text: string) => unknown,
  pieces: readonly string[] = PIECES,
): readonly string[] {
  const pairs = pieces.flatMap((left) => pieces.map((right) => left + right));
  return pairs.filter((piece) => Array.from({ length: 3 }).every(() => isSlow(work, piece)));
}

const SHORTEST = 2_048;
/** Doubling the text doubles a linear time, and quadruples a quadratic one. */
const MOST_PER_DOUBLING = 3;
/** Below this, in CPU microseconds, a measurement says more about the clock than about the text. */
const LEAST_MICROS = 3_000;

function isSlow(work: (text: string) => unknown, piece: string): boolean {
  const sizes = [1, 2, 4, 8].map((times) => SHORTEST * times);
  const costs = sizes.map((size) => median(work, piece.repeat(Math.ceil(size / piece.length))));
  const last = costs.at(-1) ?? 0;
  if (last < LEAST_MICROS) return false;
  const growths = costs.slice(1).map((cost, index) => cost / Math.max(1, costs[index] ?? 1));
  return middle(growths) > MOST_PER_DOUBLING;
}

function median(work: (text: string) => unknown, text: string): number {
  return middle(
    Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      work(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    }),
  );
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
