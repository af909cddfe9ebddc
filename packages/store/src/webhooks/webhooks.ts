import { randomUUID } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import {
  type Rules,
  rulesSchema,
  type WebhookForm,
  webhookFormSchema,
} from "@cloudwright/core/model/notifications";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { Json } from "@cloudwright/core/model/values/json";
import { sameJson } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import type { Prisma, Webhook } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { type Attempt, carryOut, type Done, type VerbContext } from "../operations/verb.ts";
import { lockUntilEnd } from "../sql/intents.ts";
import { readJson } from "../sql/stored-json.ts";
import { storableText } from "../text/storable-text.ts";
import { unknownCluster } from "../users/cluster-access.ts";
import { whySchema } from "../users/user.ts";

/** Most webhooks of one user, and of one cluster. */
const WEBHOOKS_MOST = 20;
/** How long the previous secret also signs after a rotation. */
const ROTATION_MS = 86_400_000;

const idSchema = z.uuid();
const nameSchema = storableText(80).trim().min(1, "Give it a name.");

/** A URL sealed by the dashboard, with the part that pages may show. */
export interface SealedAddress {
  readonly origin: string;
  readonly sealed: string;
}

const settingsShape = {
  name: nameSchema,
  form: webhookFormSchema,
  rules: z.readonly(rulesSchema).refine((rules) => Object.keys(rules).length > 0, {
    error: "Choose at least one condition.",
  }),
  why: whySchema,
};

export const createWebhookSchema = z.object({
  ...settingsShape,
  /** Absent for a user's own webhook. */
  cluster: storableText(200).min(1).optional(),
});
export type CreateWebhookInput = z.infer<typeof createWebhookSchema> & {
  readonly address: SealedAddress;
  /** The sealed secret. */
  readonly secret: string;
};

/** Creates a user's own webhook, or as an admin one of a cluster. Throws OperationError Forbidden, NotFound and Limit. */
export function createWebhook(
  context: VerbContext,
  { cluster, name, form, rules, address, secret, why = "Added" }: CreateWebhookInput,
): Promise<{ readonly id: string }> {
  const id = randomUUID();
  const after = { name, form, url: address.origin, rules: plainRules(rules) };
  const attempt = {
    ...attemptOf("account.webhook-create", { id, name, clusterId: cluster ?? null }, why),
    needs: cluster === undefined ? undefined : "admin",
    wanted: after,
  } as const;
  return carryOut(context, attempt, async (tx) => {
    const owner = cluster === undefined ? { ownerId: context.actor.id } : { clusterId: cluster };
    if (cluster !== undefined) await requireCluster(tx, cluster);
    await lockUntilEnd(tx, `webhooks of ${cluster ?? context.actor.id}`);
    await requireRoom(tx, owner);
    const at = new Date();
    await tx.webhook.create({
      data: {
        ...{ id, ...owner, name, form, rules: plainRules(rules) },
        ...{ origin: address.origin, address: address.sealed, secret },
        ...{ createdBy: context.actor.name, createdAt: at, updatedAt: at },
      },
    });
    return { result: { id }, audit: { before: null, after } };
  });
}

async function requireCluster(tx: Prisma.TransactionClient, id: string): Promise<void> {
  if ((await tx.cluster.count({ where: { id } })) === 1) return;
  throw new OperationError("NotFound", unknownCluster);
}

async function requireRoom(
  tx: Prisma.TransactionClient,
  where: Prisma.WebhookWhereInput,
): Promise<void> {
  if ((await tx.webhook.count({ where })) < WEBHOOKS_MOST) return;
  throw new OperationError(
    "Limit",
    () => t`There are ${WEBHOOKS_MOST} webhooks already: remove one that is not needed.`,
  );
}

export const changeWebhookSchema = z.object({ id: idSchema, ...settingsShape });
export type ChangeWebhookInput = z.infer<typeof changeWebhookSchema> & {
  /** Absent: unchanged. */
  readonly address?: SealedAddress | undefined;
};

/** Changes a webhook. Throws OperationError Forbidden, and NotFound for another user's. */
export function changeWebhook(
  context: VerbContext,
  { id, name, form, rules, address, why = "Changed" }: ChangeWebhookInput,
): Promise<void> {
  const change = { id, action: "account.webhook-change", why } as const;
  return changeOwn(context, { ...change, wanted: { name, form } }, async (tx, webhook) => {
    const before = shownOf(webhook);
    const origin = address?.origin ?? webhook.origin;
    const after = { name, form, url: origin, rules: plainRules(rules) };
    if (sameJson(before, after) && address === undefined) return { result: undefined };
    const data = { name, form, origin, rules: plainRules(rules), updatedAt: new Date() };
    await tx.webhook.update({
      where: { id },
      data: { ...data, ...(address === undefined ? {} : { address: address.sealed }) },
    });
    const changed = address === undefined ? after : { ...after, newAddress: true };
    return { result: undefined, audit: { before, after: changed } };
  });
}

export const pauseWebhookSchema = z.object({
  id: idSchema,
  paused: z.boolean(),
  why: whySchema,
});
export type PauseWebhookInput = z.infer<typeof pauseWebhookSchema>;

/**
 * Pauses or resumes a webhook. Nothing is sent while it is paused; conditions that persist when it resumes are sent then. Throws
 * OperationError Forbidden and NotFound.
 */
export function pauseWebhook(
  context: VerbContext,
  { id, paused, why = paused ? "Paused" : "Resumed" }: PauseWebhookInput,
): Promise<void> {
  const change = { id, action: "account.webhook-change", why, wanted: { paused } } as const;
  return changeOwn(context, change, async (tx, webhook) => {
    const before = webhook.pausedAt !== null;
    if (before === paused) return { result: undefined };
    const at = new Date();
    await tx.webhook.update({
      where: { id },
      data: { pausedAt: paused ? at : null, updatedAt: at },
    });
    return { result: undefined, audit: { before: { paused: before }, after: { paused } } };
  });
}

export const removeWebhookSchema = z.object({ id: idSchema, why: whySchema });
export type RemoveWebhookInput = z.infer<typeof removeWebhookSchema>;

/** Removes a webhook with its deliveries. Throws OperationError Forbidden and NotFound. */
export function removeWebhook(
  context: VerbContext,
  { id, why = "Removed" }: RemoveWebhookInput,
): Promise<void> {
  const change = { id, action: "account.webhook-remove", why, wanted: {} } as const;
  return changeOwn(context, change, async (tx, webhook) => {
    await tx.webhook.delete({ where: { id } });
    return { result: undefined, audit: { before: shownOf(webhook), after: null } };
  });
}

export const rotateSecretSchema = z.object({ id: idSchema, why: whySchema });

/** Replaces the secret; the previous one also signs for another day. Throws OperationError Forbidden and NotFound. */
export function rotateSecret(
  context: VerbContext,
  input: z.infer<typeof rotateSecretSchema> & { readonly secret: string },
): Promise<void> {
  const { id, secret, why = "New secret" } = input;
  const change = { id, action: "account.webhook-secret", why, wanted: {} } as const;
  return changeOwn(context, change, async (tx, webhook) => {
    const at = new Date();
    const previousUntil = new Date(at.getTime() + ROTATION_MS);
    const data = { secret, previousSecret: webhook.secret, previousUntil, updatedAt: at };
    await tx.webhook.update({ where: { id }, data });
    const after = { newSecret: true, previousUntil: previousUntil.toISOString() };
    return { result: undefined, audit: { before: null, after } };
  });
}

export const testWebhookSchema = z.object({ id: idSchema });

/** Returns the webhook to test, after auditing the test. Throws OperationError Forbidden and NotFound. */
export function beginTest(
  context: VerbContext,
  { id }: z.infer<typeof testWebhookSchema>,
): Promise<Webhook> {
  const change = { id, action: "account.webhook-test", why: "Sent a test", wanted: {} } as const;
  return changeOwn(context, change, async (_tx, webhook) => ({
    result: webhook,
    audit: { before: null, after: { url: webhook.origin } },
  }));
}

interface OwnChange extends Pick<Attempt, "action" | "why" | "wanted"> {
  readonly id: string;
}

/** Changes a webhook of the actor's own, or as an admin one of a cluster, and locks it meanwhile. */
async function changeOwn<Result>(
  context: VerbContext,
  { id, action, why, wanted }: OwnChange,
  change: (tx: Prisma.TransactionClient, webhook: Webhook) => Promise<Done<Result>>,
): Promise<Result> {
  const found = await context.db.prisma.webhook.findUnique({ where: { id } });
  const isOwn = found?.ownerId === context.actor.id;
  const attempt = {
    ...attemptOf(action, found ?? { id, name: id, clusterId: null }, why),
    needs: isOwn ? undefined : "admin",
    wanted,
  } as const;
  return carryOut(context, attempt, async (tx) => {
    await lockUntilEnd(tx, `webhook ${id}`);
    const webhook = await tx.webhook.findUnique({ where: { id } });
    if (webhook === null || (webhook.clusterId === null && !isOwn)) {
      throw new OperationError("NotFound", () => t`This webhook does not exist: reload the list.`);
    }
    return change(tx, webhook);
  });
}

function attemptOf(
  action: Attempt["action"],
  { id, name, clusterId }: Pick<Webhook, "id" | "name" | "clusterId">,
  why: string,
): Pick<Attempt, "action" | "why" | "object" | "cluster"> {
  const object: ObjectRef = { kind: "Webhook", name, uid: id };
  return { action, why, object, ...(clusterId === null ? {} : { cluster: clusterId }) };
}

/** Returns the webhook's audit fields, without the whole URL. */
function shownOf(webhook: Webhook): { readonly [member: string]: Json } {
  const { name, form, origin } = webhook;
  return { name, form, url: origin, rules: plainRules(rulesOf(webhook)) };
}

/** Returns no rules for a row that another release wrote in another form. */
export function rulesOf({ rules }: Pick<Webhook, "rules">): Rules {
  return readJson(rulesSchema, rules, {});
}

export function formOf({ form }: Pick<Webhook, "form">): WebhookForm {
  return readJson(webhookFormSchema, form, "cloudwright");
}

/** Returns the rules in a fixed order, without absent ones. */
function plainRules(rules: Rules): { [name: string]: { afterMinutes?: number } } {
  return Object.fromEntries(
    Object.entries(rules)
      .filter(([, rule]) => rule !== undefined)
      .toSorted(([left], [right]) => left.localeCompare(right))
      .map(([name, rule]) => [name, { ...rule }]),
  );
}
