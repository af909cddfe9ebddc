import type { ClusterUnderTest } from "../conformance/clusters/cluster-under-test.ts";

/** What a fault gets: where it may write, its dice and how long it may take. */
export interface Surroundings {
  readonly dir: string;
  readonly cluster: ClusterUnderTest;
  readonly random: () => number;
  /** CI's form: fewer rounds, the same checks. */
  readonly short: boolean;
}

export interface Fault {
  readonly name: string;
  /** Why it cannot be played on this machine, as a sentence; absent where every machine will do. */
  obstacle?(): Promise<string | undefined>;
  /** Answers its figures; throws with what is wrong afterwards. */
  run(surroundings: Surroundings): Promise<string>;
}
