import { balancerDetailSchema, orphanDetailSchema } from "@cloudwright/core/model/balancer-record";
import { compactVerdicts } from "@cloudwright/core/model/kinds/compact-verdicts";
import type { KnownObject } from "@cloudwright/core/model/kinds/known-object";
import { z } from "zod";
import { readJson } from "../queries/stored-json.ts";

/**
 * What the list of load balancers shows and is sorted by, out of the detail of a Service or an orphan. A page of the list
 * must not read the details themselves: each holds a verdict for every node.
 */
export function balancerColumns({ name, createdAt, detail }: KnownObject): object {
  const told = readJson(TOLD, detail, undefined);
  const facts = told?.actual;
  const addresses = addressesOf(told);
  return {
    created_at: createdAt ?? cloudCreatedAt(told),
    instance_type: facts?.type ?? "",
    provider_id: facts?.id ?? null,
    addresses,
    members_in: told?.kind === "balancer" ? told.membersIn : null,
    members_wanted: told?.kind === "balancer" ? told.membersWanted : null,
    changed_at: told?.kind === "balancer" ? (told.changedAt ?? null) : null,
    verdicts: told?.kind === "balancer" ? compactVerdicts(told.members) : null,
    search_text: [name, facts?.id ?? "", facts?.name ?? "", ...addresses, ...serviceOf(told)]
      .join(" ")
      .toLowerCase(),
  };
}

const TOLD = z.discriminatedUnion("kind", [
  balancerDetailSchema.unwrap().omit({ aspects: true }),
  orphanDetailSchema.unwrap(),
]);
type Told = z.infer<typeof TOLD>;

/** What the Service publishes; else what its balancer has in the cloud. */
function addressesOf(told: Told | undefined): readonly string[] {
  const published =
    told?.kind === "balancer"
      ? told.published.flatMap(({ ip, hostname }) => ip ?? hostname ?? [])
      : [];
  return published.length > 0 ? published : (told?.actual?.addresses ?? []);
}

/** An orphan is in the cloud alone. */
function cloudCreatedAt(told: Told | undefined): number | null {
  return told?.kind === "orphan" ? (told.actual.createdAt ?? null) : null;
}

function serviceOf(told: Told | undefined): readonly string[] {
  return told?.kind === "orphan" ? [told.service ?? "", told.serviceUid] : [];
}
