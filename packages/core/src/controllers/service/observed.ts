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

/** Everything from which the plan for one key of the service loop is made. */
export type Observed = ServiceObserved | OrphanObserved;

export interface ServiceObserved {
  readonly kind: "service";
  readonly key: string;
  readonly object: ObjectRef;
  /** Undefined if only its remains exist. */
  readonly service: Service | undefined;
  readonly purpose: Purpose;
  /** The provider's name. */
  readonly provider: string;
  readonly requested: RequestedAction<ObjectAction> | undefined;
  /** Whether this run has already changed the load balancer in the user's name. */
  readonly isCarriedOut: boolean;
  readonly set: MemberSet;
  readonly refused: Refusals;
  /** Provider IDs of the refused members whose machine the cloud no longer has. */
  readonly withoutMachine: ReadonlySet<string>;
  /** The members that were planned last. */
  readonly membersBefore: readonly LoadBalancerMember[];
  /** Undefined if the Service is not to be served. */
  readonly desired: Desired | undefined;
  /** Undefined if the cloud was not asked. */
  readonly comparison: Comparison | undefined;
  /** The trouble of its last runs; undefined if they went well. */
  readonly trouble: Trouble | undefined;
  /** Comparisons for earlier Services of this name, including those that left nothing. */
  readonly remains: readonly Comparison[];
  /** Whether the cloud was asked. */
  readonly isFresh: boolean;
  /** Whether it has, or may have, a load balancer with its mark. */
  readonly mayHaveLoadBalancer: boolean;
  /** The addresses at which its own load balancer was last seen. */
  readonly places: readonly string[];
}

export interface OrphanObserved {
  readonly kind: "orphan";
  readonly orphan: Orphan;
  readonly provider: string;
  readonly requested: RequestedAction<ObjectAction> | undefined;
  readonly isCarriedOut: boolean;
  readonly policy: OrphanPolicy;
  /** Undefined while nobody wants it removed, as the cloud is then not asked. */
  readonly comparison: Comparison | undefined;
}

export interface OrphanPolicy {
  /** `--orphan-grace` in milliseconds; 0 means never removed automatically. */
  readonly graceMs: number;
  /** How often all load balancers are compared. */
  readonly driftPeriodMs: number;
}

export interface ServicePolicy extends OrphanPolicy, ServedClasses {
  readonly adopt: AdoptPolicy;
  /** `--adopt-consent`: for each key, the cloud's id of the load balancer that the Service may adopt with one proof. */
  readonly consents?: ReadonlyMap<string, string>;
}

/** What a run of this loop offers. */
export type ServiceContext = ReconcileContext<
  Observed,
  ServiceChange,
  ServiceMemory,
  Service | undefined
>;

/** Reports whether this run has already changed something in the cloud. */
export function isCarriedOut({ written }: Pick<ServiceContext, "written">): boolean {
  return written.some(({ change }) => change.system === "cloud");
}
