import { z } from "zod/mini";
import { type MemberVerdict, memberVerdictSchema } from "../records/load-balancer-record.ts";
import type { Json } from "../values/json.ts";

/**
 * Returns the verdicts by node in few bytes: every load balancer has one for every node, and a node's page reads its own in all
 * of them. A node that is simply in is 1.
 */
export function compactVerdicts(members: readonly MemberVerdict[]): Json {
  return Object.fromEntries(members.map((member) => [member.node, compact(member)]));
}

/** Returns the stored verdict on a node; undefined if there is none, or a newer version has written it. */
export function verdictOf(node: string, kept: unknown): MemberVerdict | undefined {
  if (kept === PLAIN) return { node, verdict: "in", why: "eligible" };
  const reported = KEPT.safeParse(kept).data;
  if (reported === undefined) return undefined;
  const [verdict, why, evidence, health] = reported;
  return {
    ...{ node, verdict, why },
    ...(evidence == null ? {} : { evidence }),
    ...(health == null ? {} : { health }),
  };
}

const PLAIN = 1;
const { verdict: VERDICT, why: WHY } = memberVerdictSchema.def.innerType.shape;
const KEPT = z.tuple([VERDICT, WHY, z.nullish(z.string()), z.nullish(z.string())]);

function compact({ verdict, why, evidence, health }: MemberVerdict): Json {
  const isPlain = verdict === "in" && why === "eligible";
  if (isPlain && evidence === undefined && health === undefined) return PLAIN;
  return [verdict, why, evidence ?? null, health ?? null];
}
