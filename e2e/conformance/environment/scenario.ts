import type { Cloud } from "../../harness/cloud.ts";
import type { Flags } from "../../harness/controller.ts";
import type { Kube, KubeEvent, Node, View } from "../../harness/kube.ts";
import type { Started } from "../../harness/processes.ts";
import type { CloudRelay } from "../../harness/relays/cloud-relay.ts";
import type { Service } from "../../harness/service.ts";
import type { ClusterUnderTest } from "../clusters/cluster-under-test.ts";

/** One row of spec/90. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Throws with what was seen instead. Throws `Skip` if the cluster cannot show it. */
  run(env: SharedEnvironment): Promise<void>;
}

/** Creates a row in the environment that its group shares. */
export function row(id: string, title: string, run: Scenario["run"]): Scenario {
  return { id, title, run };
}

/** Creates several rows, each under its id and title: `"N-01 a new node is initialised": async (env) => …`. */
export function rows(runs: Readonly<Record<string, Scenario["run"]>>): readonly Scenario[] {
  return Object.entries(runs).map(([idAndTitle, run]) => {
    const [id = "", ...title] = idAndTitle.split(" ");
    return row(id, title.join(" "), run);
  });
}

/** Rows that share flags: they share one controller and one cloud, and run at once on their own objects. */
export interface Group {
  readonly name: string;
  /** Added to the default flags of spec/90 §0, or replacing them. */
  readonly flags: Flags;
  /** Whether there is a ledger in PostgreSQL. */
  readonly ledger?: boolean;
  /** Whether its controller calls the cloud through a relay, which tells Services' requests apart. */
  readonly relayed?: boolean;
  /** Whether its controller hosts the volume webhook, and the API server calls it. */
  readonly webhook?: boolean;
  /** Whether its rows start their own controllers. */
  readonly ownControllers?: boolean;
  /** How many of its rows run at once; all if absent. */
  readonly atOnce?: number;
  readonly scenarios: readonly Scenario[];
}

/** What kubectl shows to anybody, whatever the cluster's cloud. */
export interface ClusterSide {
  readonly kube: Kube;
  readonly nodes: View<Node>;
  readonly events: View<KubeEvent>;
  /** Those in the namespace `default`. */
  readonly services: View<Service>;
}

/** What a row can see: only what any user has with kubectl, the cloud's console and the command. */
export interface Environment extends ClusterSide {
  readonly cluster: ClusterUnderTest;
  readonly cloud: Cloud;
  /** The ledger's PostgreSQL, in groups with a ledger. */
  readonly databaseUrl: string | undefined;
  /** The folder of the group's logs and files. */
  readonly dir: string;
  /** Runs `cloudwright history` with these arguments, and parses its output. */
  history(args: readonly string[]): Promise<readonly HistoryRow[]>;
}

/** Includes the group's running controller. */
export interface SharedEnvironment extends Environment {
  readonly controller: Started;
  readonly securePort: number;
  /** The webhook's port, in groups that have one. */
  readonly webhookPort: number;
  /** The serving certificate of controllers that rows start themselves. */
  readonly servingPair: Flags;
  /** The relay to the cloud in a relayed group. */
  readonly relay: CloudRelay;
  /** Runs `cloudwright controller` with additional flags and words; returns its exit code and output. */
  startsAndEnds(flags: Flags, words?: readonly string[]): Promise<Ending>;
}

export interface Ending {
  readonly code: number | string;
  readonly output: string;
}

/** A run in the output of `cloudwright history --output json`, with the fields that rows check. */
export interface HistoryRow {
  readonly id: string;
  readonly controller: string;
  readonly object: { readonly kind: string; readonly name: string; readonly uid?: string };
  readonly trigger: { readonly kind: string };
  readonly attempt: number;
  readonly outcome: string;
  readonly reason?: { readonly code: string } & Readonly<Record<string, unknown>>;
  readonly startedAt: number;
  readonly durationMs?: number;
  readonly cloudCalls: number;
  readonly kubeCalls: number;
  readonly changes: number;
}

export { Skip } from "../../harness/verdicts.ts";

/** The default flags of spec/90 §0. The rows together delete more than the guard would allow. */
export const DEFAULT_FLAGS: Flags = {
  "--node-monitor-period": "1s",
  "--node-status-update-frequency": "2s",
  "--route-reconciliation-period": "1s",
  "--configure-cloud-routes": "false",
  "--leader-elect": "false",
  "--node-deletion-guard": "off",
};
