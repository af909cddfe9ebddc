/** One thing that happens to a machine of the demonstration. */
export interface Scene {
  /** Milliseconds after the scene before. */
  readonly afterMs: number;
  readonly does: "join" | "leave" | "stop" | "start" | "hide" | "show";
  readonly name: string;
  readonly zone: string;
}

/** Far from the machines that the sandbox or a person makes. */
const FIRST_NUMBER = 101;
const ZONES = 3;

/**
 * What happens, without end. Each round a machine joins whose lookups fail for a while, the one before it is switched off,
 * comes back and goes for good. A round takes two and a half minutes, so that no more than four nodes are deleted within the deletion
 * guard's ten; the first three events come within 15 seconds.
 */
export function* scenes(namePrefix: string): Generator<Scene, never> {
  const machine = (round: number) => ({
    name: `${namePrefix}${FIRST_NUMBER + round}`,
    zone: `region-1${String.fromCharCode("a".charCodeAt(0) + (round % ZONES))}`,
  });
  yield { afterMs: 2_000, does: "join", ...machine(0) };
  for (let round = 1; ; round++) {
    const old = machine(round - 1);
    const young = machine(round);
    yield { afterMs: 4_000, does: "hide", ...young };
    yield { afterMs: 0, does: "join", ...young };
    yield { afterMs: 8_000, does: "stop", ...old };
    yield { afterMs: 35_000, does: "show", ...young };
    yield { afterMs: 15_000, does: "start", ...old };
    yield { afterMs: 40_000, does: "leave", ...old };
    yield { afterMs: 48_000, does: "show", ...young };
  }
}
