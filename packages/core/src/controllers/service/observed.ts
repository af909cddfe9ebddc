import type { LoadBalancerMember } from "@cloudwright/provider-api";
import type { Service } from "../../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { AdoptPolicy } from "../../model/adoption.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { ReconcileContext } from "../../reconcile/reconciler.ts";
import type { ServiceChange } from "./changes.ts";
import type { Comparison } from "./desired/compare.ts";
import type { Desired } from "./desired/desired.ts";
import type { Purpose, ServedClasses } from "./desired/purpose.ts";
import type { MemberSet } from "./members/members.ts";
import type { Refusals, ServiceMemory, Trouble } from "./memory.ts";
import type { Orphan } from "./orphans/orphans.ts";

/** Everything that a plan for one key of the service loop is made of. */
export type Observed = ServiceObserved | OrphanObserved;

export interface ServiceObserved {
  readonly kind: "service";
  readonly key: string;
  readonly object: ObjectRef;
  /** Undefined when only what it left behind is there. */
  readonly service: Service | undefined;
  readonly purpose: Purpose;
  /** The provider's name. */
  readonly provider: string;
  readonly requested: RequestedAction<ObjectAction> | undefined;
  /** Whether this run has changed the load balancer already, in the name of who asked. */
  readonly isCarriedOut: boolean;
  readonly set: MemberSet;
  readonly refused: Refusals;
  /** Provider IDs of those of them of which the cloud has no machine any more. */
  readonly withoutMachine: ReadonlySet<string>;
  /** The members that were planned last. */
  readonly membersBefore: readonly LoadBalancerMember[];
  /** Undefined unless it is to be served. */
  readonly desired: Desired | undefined;
  /** Undefined when the cloud was not asked. */
  readonly comparison: Comparison | undefined;
  /** How its last runs went; undefined when they went well. */
  readonly trouble: Trouble | undefined;
  /** Of Services that were here before under this name, those included of which nothing is left. */
  readonly remains: readonly Comparison[];
  /** Whether the cloud was asked. */
  readonly isFresh: boolean;
  /** Whether it has, or may have, a load balancer with its mark. */
  readonly mayHaveLoadBalancer: boolean;
  /** At which addresses its own load balancer was seen last. */
  readonly places: readonly string[];
}

export interface OrphanObserved {
  readonly kind: "orphan";
  readonly orphan: Orphan;
  readonly provider: string;
  readonly requested: RequestedAction<ObjectAction> | undefined;
  readonly isCarriedOut: boolean;
  readonly policy: OrphanPolicy;
  /** Undefined while nobody wants it removed: then the cloud is not asked. */
  readonly comparison: Comparison | undefined;
}

export interface OrphanPolicy {
  /** `--orphan-grace`, milliseconds; 0: never removed by itself. */
  readonly graceMs: number;
  /** How often all load balancers are compared. */
  readonly driftPeriodMs: number;
}

export interface ServicePolicy extends OrphanPolicy, ServedClasses {
  readonly adopt: AdoptPolicy;
  /** `--adopt-consent`: by key the cloud's id of what a Service may adopt with one proof. */
  readonly consents?: ReadonlyMap<string, string>;
}

/** What the runs of this loop are given. */
export type ServiceContext = ReconcileContext<
  Observed,
  ServiceChange,
  ServiceMemory,
  Service | undefined
>;

/** Whether this run has changed something in the cloud already. */
export function isCarriedOut({ written }: Pick<ServiceContext, "written">): boolean {
  return written.some(({ change }) => change.system === "cloud");
}
