import type { Change } from "../../model/plan.ts";
import type { ReasonOf } from "../../model/reason.ts";
import type { BalancerOwner, CloudChange } from "../../provider/load-balancers.ts";
import type { HoldPart } from "../hold/hold.ts";
import type { Published, ReadyCondition, WantedReady } from "./service-object.ts";
import type { Unrecorded } from "./unrecorded.ts";

/** The writes of the service loop, each with the fields that it touches before and after. */
export type ServiceChange =
  | FinalizerWrite
  | StatusWrite
  | ConditionWrite
  | CloudWrite
  | HoldWrite
  | Release;

export type FinalizerWrite = Change & {
  readonly kind: "service.finalizer.add" | "service.finalizer.remove";
  readonly before: FinalizerPart;
  readonly after: FinalizerPart;
};

/** The class is absent where it does not change. */
type FinalizerPart = {
  readonly finalizer: string | null;
  readonly loadBalancerClass?: string | null;
};

export type StatusWrite = Change & {
  readonly kind: "service.status.write";
  readonly before: Published;
  /** With the condition where it changes with the address. */
  readonly after: Published & { readonly condition?: WantedReady };
};

/** The condition alone; its message is what the reason says. */
export type ConditionWrite = Change & {
  readonly kind: "service.condition.write";
  readonly before: { readonly condition: ReadyCondition };
  /** Null: it is taken away. */
  readonly after: { readonly condition: WantedReady | null };
};

/** A write to the cloud; `before` and `after` name its parts, so that the plan's hash covers them. */
export type CloudWrite = Change & {
  readonly kind: `balancer.${CloudChange["action"]}`;
  readonly cloud: Unrecorded<CloudWork>;
};

/** What a provider needs to make the change. */
export interface CloudWork {
  readonly owner: BalancerOwner;
  readonly change: CloudChange;
}

/** Who holds it and why is in the reason, so that it does not count in the plan's hash. */
export type HoldWrite = Change & {
  readonly kind: "service.hold";
  readonly before: HoldPart;
  readonly after: { readonly hold: { readonly until: number } };
  readonly reason: ReasonOf<"PersonAsked">;
};

export type Release = Change & {
  readonly kind: "service.release";
  readonly before: HoldPart;
  readonly after: { readonly hold: null };
};

export function isCloudWrite(change: ServiceChange): change is CloudWrite {
  return change.system === "cloud";
}
