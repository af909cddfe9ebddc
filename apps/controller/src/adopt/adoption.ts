import { randomUUID } from "node:crypto";
import { type Intent, isFinal } from "@cloudwright/core/model/intent";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { WishOf } from "@cloudwright/core/model/wish";
import { isOperationError } from "@cloudwright/store/errors";
import { intentById, openIntentsOf } from "@cloudwright/store/queries/intents";
import { type IntentContext, requestIntent } from "@cloudwright/store/request-intent";
import type { WaitingAdoption } from "@cloudwright/store/takeover-views";

/** In whose name, of which cluster, and why. */
export interface AdoptContext extends IntentContext {
  readonly cluster: string;
  readonly why: string;
}

/** What a preview says, or why there is none. */
export type Previewed =
  | { readonly kind: "planned"; readonly plan: NonNullable<Intent["preview"]> }
  | { readonly kind: "unanswered"; readonly why: string };

const LOOK_EVERY_MS = 250;
/** A person may ask for so many things a minute: who asks for more waits. */
const ROOM_EVERY_MS = 2_000;

/** Asks the leader what an adoption would change; it changes nothing. */
export async function previewAdoption(
  context: AdoptContext,
  waiting: WaitingAdoption,
): Promise<Previewed> {
  const asked = await withRoom(() => ask(context, waiting, { kind: "preview" }));
  const { state, preview, result } = await ended(context, asked.id);
  if (preview !== undefined) return { kind: "planned", plan: preview };
  const why = result ?? `no leader answered (${state}); look whether a controller runs`;
  return { kind: "unanswered", why };
}

/**
 * Asks for the adoption by the plan that was shown, and waits for its end. One that is under way already is waited for: a command
 * that was cut short goes on where it was.
 */
export async function carryOutAdoption(
  context: AdoptContext,
  waiting: WaitingAdoption,
  planHash: string,
): Promise<Intent> {
  const { kind, namespace, name } = objectOf(waiting);
  const [open] = await openIntentsOf(context.db, {
    cluster: context.cluster,
    kind,
    namespace,
    name,
  });
  if (open?.kind === "adopt") return ended(context, open.id);
  const asked = await withRoom(() => ask(context, waiting, { kind: "adopt", planHash }));
  return ended(context, asked.id);
}

export function objectOf({ kind, name, uid }: WaitingAdoption): ObjectRef {
  const slash = name.indexOf("/");
  if (kind === "Node" || slash === -1) return { kind, name, uid };
  return { kind, namespace: name.slice(0, slash), name: name.slice(slash + 1), uid };
}

function ask(
  context: AdoptContext,
  waiting: WaitingAdoption,
  how: { readonly kind: "preview" } | { readonly kind: "adopt"; readonly planHash: string },
): Promise<Intent> {
  const { cluster, why } = context;
  const { id } = waiting.reason;
  const isRoute = waiting.kind === "Node";
  const wish: WishOf<"adopt"> = { kind: "adopt", ...(isRoute ? { route: id } : { balancer: id }) };
  return requestIntent(context, {
    id: randomUUID(),
    cluster,
    wish,
    controller: isRoute ? "node-route-controller" : "service-lb-controller",
    object: objectOf(waiting),
    why,
    ...how,
    ...(how.kind === "adopt" ? { confirmation: id } : {}),
  });
}

async function ended({ db, cluster }: AdoptContext, id: string): Promise<Intent> {
  for (;;) {
    const intent = await intentById(db, { cluster, id });
    if (isFinal(intent.state) || Date.now() > intent.expiresAt + ROOM_EVERY_MS) return intent;
    await pause(LOOK_EVERY_MS);
  }
}

async function withRoom<Value>(work: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOperationError(error) || error.code !== "Limit") throw error;
      await pause(ROOM_EVERY_MS);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
