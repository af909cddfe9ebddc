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
  /** Throws with what was seen instead. Throws `Skip` where the cluster cannot show it. */
  run(env: SharedEnvironment): Promise<void>;
}

/** A row in the environment that it shares with the others of its group. */
export function row(id: string, title: string, run: Scenario["run"]): Scenario {
  return { id, title, run };
}

/** Several of them, each run under its id and title: `"N-01 a new node is initialised": async (env) => …`. */
export function rows(runs: Readonly<Record<string, Scenario["run"]>>): readonly Scenario[] {
  return Object.entries(runs).map(([idAndTitle, run]) => {
    const [id = "", ...title] = idAndTitle.split(" ");
    return row(id, title.join(" "), run);
  });
}

/** Rows that share flags: one controller and one cloud serve them, and they run at once on objects of their own. */
export interface Group {
  readonly name: string;
  /** Added to the default flags of spec/90 §0; a flag given here replaces the default. */
  readonly flags: Flags;
  /** Whether a ledger is kept in PostgreSQL. */
  readonly ledger?: boolean;
  /** Whether its controller goes to the cloud through a relay, which distinguishes one Service's requests from another's. */
  readonly relayed?: boolean;
  /** Whether its controller hosts the webhook of volumes, and the API server calls it. */
  readonly webhook?: boolean;
  /** Whether its rows start controllers of their own. */
  readonly ownControllers?: boolean;
  /** How many of its rows run at once; absent means all. */
  readonly atOnce?: number;
  readonly scenarios: readonly Scenario[];
}

/** What anybody with kubectl sees, whatever cloud the cluster is in. */
export interface ClusterSide {
  readonly kube: Kube;
  readonly nodes: View<Node>;
  readonly events: View<KubeEvent>;
  /** Those of the namespace `default`. */
  readonly services: View<Service>;
}

/** What a row sees: only what any person with kubectl, the cloud's console and the command has. */
export interface Environment extends ClusterSide {
  readonly cluster: ClusterUnderTest;
  readonly cloud: Cloud;
  /** The ledger's PostgreSQL, for groups that keep one. */
  readonly databaseUrl: string | undefined;
  /** Where logs and files of the group are kept. */
  readonly dir: string;
  /** `cloudwright history` with these arguments, parsed. */
  history(args: readonly string[]): Promise<readonly HistoryRow[]>;
}

/** With the running controller of the group. */
export interface SharedEnvironment extends Environment {
  readonly controller: Started;
  readonly securePort: number;
  /** Of the webhook, in a group that has one. */
  readonly webhookPort: number;
  /** With which the controllers serve that rows start themselves. */
  readonly servingPair: Flags;
  /** The way to the cloud of a relayed group. */
  readonly relay: CloudRelay;
  /** Starts `cloudwright controller` with these flags and words added and answers its exit code and output. */
  startsAndEnds(flags: Flags, words?: readonly string[]): Promise<Ending>;
}

export interface Ending {
  readonly code: number | string;
  readonly output: string;
}

/** A run as `cloudwright history --output json` prints it, as far as rows look at it. */
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

/** The flags of spec/90 §0 that hold unless a row says otherwise. The rows together delete more than the guard lets through. */
export const DEFAULT_FLAGS: Flags = {
  "--node-monitor-period": "1s",
  "--node-status-update-frequency": "2s",
  "--route-reconciliation-period": "1s",
  "--configure-cloud-routes": "false",
  "--leader-elect": "false",
  "--node-deletion-guard": "off",
};
