import type { ObjectRef } from "../../model/object-ref.ts";
import type { Change } from "../../model/plan.ts";
import type { Hold, Reason, ReasonOf } from "../../model/reason.ts";
import { type HoldPart, holdPart } from "./hold.ts";

/** Who holds the object and why is in the reason, so that it does not affect the plan's hash. */
export type HoldWrite<Kind extends Change["kind"]> = Change & {
  readonly kind: Kind;
  readonly before: HoldPart;
  readonly after: { readonly hold: { readonly until: number } };
  readonly reason: ReasonOf<"PersonAsked">;
};

export type Release<Kind extends Change["kind"]> = Change & {
  readonly kind: Kind;
  readonly before: HoldPart;
  readonly after: { readonly hold: null };
};

interface HoldChange<Why extends Reason> {
  readonly target: ObjectRef;
  /** The object's current hold. */
  readonly hold: Hold | undefined;
  readonly reason: Why;
}

export function holdWrite<Kind extends Change["kind"]>(
  kind: Kind,
  { target, hold, reason, until }: HoldChange<ReasonOf<"PersonAsked">> & { readonly until: number },
): HoldWrite<Kind> {
  return {
    kind,
    system: "cluster",
    target,
    before: holdPart(hold),
    after: { hold: { until } },
    reason,
  };
}

export function release<Kind extends Change["kind"]>(
  kind: Kind,
  { target, hold, reason }: HoldChange<Reason>,
): Release<Kind> {
  return {
    kind,
    system: "cluster",
    target,
    before: holdPart(hold),
    after: { hold: null },
    reason,
  };
}
