import type { Cloud } from "../harness/cloud.ts";
import type { Kube, KubeEvent, Node, View } from "../harness/kube.ts";
import type { Started } from "../harness/processes.ts";
import type { ClusterUnderTest } from "./cluster-under-test.ts";

/** One row of spec/90. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Throws with what was seen instead. Throws `Skip` where the cluster cannot show it. */
  run(world: World): Promise<void>;
}

/** Rows that share flags: one controller and one cloud serve them, and they run at once on objects of their own. */
export interface Group {
  readonly name: string;
  /** Added to the default flags of spec/90 §0; a flag given here replaces the default. */
  readonly flags: Readonly<Record<string, string>>;
  /** Whether a ledger is kept in PostgreSQL. */
  readonly ledger?: boolean;
  /** Whether its rows start controllers of their own. */
  readonly ownControllers?: boolean;
  readonly scenarios: readonly Scenario[];
}

/** What a row sees: only what any person with kubectl, the cloud's console and the command has. */
export interface World {
  readonly cluster: ClusterUnderTest;
  readonly kube: Kube;
  readonly cloud: Cloud;
  readonly nodes: View<Node>;
  readonly events: View<KubeEvent>;
  /** The running controller of the group. */
  readonly controller: Started;
  readonly securePort: number;
  /** `cloudwright history` with these arguments, parsed. */
  history(args: readonly string[]): Promise<readonly Record<string, unknown>[]>;
  /** Starts `cloudwright controller` with these flags alone and answers its exit code and output. */
  startsAndEnds(flags: readonly string[]): Promise<{ code: number | string; output: string }>;
}

/** Says that a row cannot be shown on this cluster, and why. */
export class Skip extends Error {}
