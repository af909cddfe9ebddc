import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { ActionOf } from "@cloudwright/core/model/actions/action";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { carrierFor } from "@cloudwright/core/model/controller-names";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import { type BatchAnswer, requestBatch } from "@cloudwright/store/intents/request-batch";
import type { IntentContext } from "@cloudwright/store/intents/request-intent";
import { adoptionKey, openAdoptions } from "@cloudwright/store/queries/adoption/takeover";
import type { WaitingAdoption } from "@cloudwright/store/views/takeover";
import { endsOf } from "../ledger/action-ends.ts";

/** On whose behalf, in which cluster, and why to adopt. */
export interface AdoptContext extends IntentContext {
  readonly cluster: string;
  readonly why: string;
}

/** The leader's preview, or why there is none. */
export type Previewed =
  | { readonly kind: "planned"; readonly plan: NonNullable<Intent["preview"]> }
  | { readonly kind: "unanswered"; readonly why: string };

/** The result of one request of a batch: its id, or why it was refused. */
type Requested =
  | { readonly kind: "requested"; readonly id: string }
  | { readonly kind: "refused"; readonly why: string };

/** How an adoption ended, or why it was refused. */
export type Ended =
  | { readonly kind: "ended"; readonly intent: Intent }
  | { readonly kind: "refused"; readonly why: string };

/** Batches per minute are limited for each user: a command that exceeds the limit waits, this long between attempts. */
const ROOM_EVERY_MS = 2_000;

/** Asks the leader what each adoption would change, in one batch of at most `BATCH_MOST`. Changes nothing. */
export async function previewAdoptions(
  context: AdoptContext,
  waiting: readonly WaitingAdoption[],
): Promise<ReadonlyMap<WaitingAdoption, Previewed>> {
  const ends = await carriedOut(context, waiting, () => ({ kind: "preview" }));
  return new Map([...ends].map(([one, end]) => [one, previewedOf(end)]));
}

/**
 * Requests the adoptions with the plans that were shown, in one batch, and waits until they end. An adoption already in progress
 * is waited for as well, so that an interrupted command continues where it was.
 */
export async function carryOutAdoptions(
  context: AdoptContext,
  planned: ReadonlyMap<WaitingAdoption, string>,
): Promise<ReadonlyMap<WaitingAdoption, Ended>> {
  const open = await openAdoptions(context.db, context.cluster);
  return carriedOut(context, [...planned.keys()], (one) => {
    const id = open.get(adoptionKey(one))?.id;
    return id === undefined ? { kind: "adopt", planHash: planned.get(one) ?? "" } : { id };
  });
}

function objectOf({ kind, name, uid }: WaitingAdoption): ObjectRef {
  const slash = name.indexOf("/");
  if (kind === "Node" || slash === -1) return { kind, name, uid };
  return { kind, namespace: name.slice(0, slash), name: name.slice(slash + 1), uid };
}

type How = { readonly kind: "preview" } | { readonly kind: "adopt"; readonly planHash: string };

async function carriedOut(
  context: AdoptContext,
  waiting: readonly WaitingAdoption[],
  howOf: (one: WaitingAdoption) => How | { readonly id: string },
): Promise<ReadonlyMap<WaitingAdoption, Ended>> {
  const requested = new Map<WaitingAdoption, Requested>();
  const asking = new Map<WaitingAdoption, How>();
  for (const one of waiting) {
    const how = howOf(one);
    if ("id" in how) requested.set(one, { kind: "requested", id: how.id });
    else asking.set(one, how);
  }
  for (const [one, answer] of await request(context, asking)) requested.set(one, answer);
  const ids = [...requested.values()].flatMap((each) =>
    each.kind === "requested" ? [each.id] : [],
  );
  const ends = await endsOf(context, ids);
  return new Map([...requested].map(([one, each]) => [one, endedOf(each, ends)]));
}

function endedOf(each: Requested, ends: ReadonlyMap<string, Intent>): Ended {
  if (each.kind === "refused") return each;
  const intent = ends.get(each.id);
  return intent === undefined
    ? {
        kind: "refused",
        why: "its action is no longer in the ledger, or only a newer release can read it; run the same command again",
      }
    : { kind: "ended", intent };
}

/** Requests all adoptions, waiting only for those over the limit; one refused for another cause does not hold up the others. */
async function request(
  context: AdoptContext,
  asking: ReadonlyMap<WaitingAdoption, How>,
): Promise<ReadonlyMap<WaitingAdoption, Requested>> {
  const requested = new Map<WaitingAdoption, Requested>();
  for (;;) {
    const left = [...asking].filter(([one]) => !requested.has(one));
    for (const [one, answer] of await answersTo(context, left)) requested.set(one, answer);
    if (requested.size === asking.size) return requested;
    await wait(ROOM_EVERY_MS);
  }
}

/** Requests one batch; leaves out the adoptions over the limit. */
async function answersTo(
  context: AdoptContext,
  asking: readonly (readonly [WaitingAdoption, How])[],
): Promise<readonly (readonly [WaitingAdoption, Requested])[]> {
  if (asking.length === 0) return [];
  const requests = asking.map(([one, how]) => requestOf(context, one, how));
  const { cluster } = context;
  const answers = await requestBatch(context, { batch: randomUUID(), cluster, requests });
  return asking.flatMap(([one], index) => {
    const answer = requestedOf(answers[index]);
    return answer === undefined ? [] : [[one, answer] as const];
  });
}

function requestedOf(answer: BatchAnswer | undefined): Requested | undefined {
  if (answer?.kind === "requested") return { kind: "requested", id: answer.intent.id };
  if (answer === undefined || answer.code === "Limit") return undefined;
  return { kind: "refused", why: answer.why };
}

function requestOf({ why }: AdoptContext, one: WaitingAdoption, how: How) {
  const { id } = one.reason;
  const isRoute = one.kind === "Node";
  const options: ActionOf<"adopt"> = {
    kind: "adopt",
    ...(isRoute ? { route: id } : { balancer: id }),
  };
  return {
    ...{ id: randomUUID(), action: options, why },
    controller: carrierFor("adopt", one.kind),
    object: objectOf(one),
    ...how,
    ...(how.kind === "adopt" ? { confirmation: id } : {}),
  };
}

function previewedOf(end: Ended): Previewed {
  if (end.kind === "refused") return { kind: "unanswered", why: end.why };
  const { state, preview, result } = end.intent;
  if (preview !== undefined) return { kind: "planned", plan: preview };
  const why = result ?? `no leader answered (${state}); check that a controller runs`;
  return { kind: "unanswered", why };
}
