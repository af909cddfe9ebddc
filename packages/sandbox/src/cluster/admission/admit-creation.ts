import { randomUUID } from "node:crypto";
import { type Json, jsonSchema } from "@cloudwright/core/model/values/json";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { User } from "../auth/user.ts";
import { ApiError, unexpected } from "../http/api-error.ts";
import type { RequestBody } from "../http/body.ts";
import type { RequestInfo, ResourcePath } from "../http/request-info.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import {
  type MutatingWebhook,
  type MutatingWebhookConfiguration,
  mutatingWebhooks,
  type WebhookRule,
} from "../resources/admission/mutating-webhooks.ts";
import { findResource } from "../resources/catalogue.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import type { ObjectStore } from "../state/object-store.ts";
import { callWebhook, type WebhookResponse } from "./webhook-call.ts";

export interface Creation {
  readonly store: ObjectStore;
  readonly info: RequestInfo;
  readonly url: URL;
  readonly user: User;
  readonly body: RequestBody;
}

export interface Admitted {
  /** The body as changed by the webhooks. */
  readonly body: RequestBody;
  /** Sentences for the Warning header. */
  readonly warnings: readonly string[];
}

/**
 * Calls the mutating webhooks whose rules match a creation, one after the other in the order of their configurations' names, as upstream
 * does. Of the rules' operations only CREATE is supported. Throws ApiError: a webhook's refusal, and 500 for a webhook that cannot be
 * called and must not be skipped.
 */
export async function admitCreation(creation: Creation): Promise<Admitted> {
  const { body, info } = creation;
  const target = targetOf(info);
  const webhooks = target === undefined ? [] : webhooksFor(creation, target.path);
  const written = webhooks.length === 0 ? undefined : asJson(body.text);
  if (target === undefined || !isObject(written)) return { body, warnings: [] };
  const { group, version, kind } = target.definition;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const object = { apiVersion, kind, ...written };
  const { warnings, changed } = await askAll(creation, { target, webhooks, object });
  return { body: { ...body, text: JSON.stringify(changed) }, warnings };
}

interface Question {
  readonly target: Target;
  readonly webhooks: readonly MutatingWebhook[];
  readonly object: Json;
}

async function askAll(creation: Creation, { target, webhooks, object }: Question) {
  const warnings: string[] = [];
  let changed = object;
  for (const webhook of webhooks) {
    const response = await ask(webhook, reviewOf(creation, target, changed));
    if (response === undefined) continue;
    warnings.push(...(response.warnings ?? []));
    if (!response.allowed) throw denied(webhook, response);
    changed = patched(changed, response);
  }
  return { changed, warnings };
}

interface Target {
  readonly path: ResourcePath;
  readonly definition: ResourceDefinition;
}

/** Webhook configurations are never subject to webhooks: otherwise a bad one could not be removed. */
function targetOf({ verb, resource: path }: RequestInfo): Target | undefined {
  if (verb !== "create" || path === undefined || path.subresource !== undefined) return undefined;
  const definition = findResource(path.group, path.version, path.plural);
  return definition === undefined || definition === mutatingWebhooks
    ? undefined
    : { path, definition };
}

function webhooksFor({ store }: Creation, path: ResourcePath): readonly MutatingWebhook[] {
  const { revisions } = store.list({ storage: mutatingWebhooks.storage, prefix: "" });
  // This storage holds only objects decoded by its schema.
  const configurations = revisions.map(({ object }) => object as MutatingWebhookConfiguration);
  return configurations
    .toSorted(byName)
    .flatMap(({ webhooks = [] }) => webhooks)
    .filter(({ rules = [] }) => rules.some((rule) => fits(rule, path)));
}

function byName(left: MutatingWebhookConfiguration, right: MutatingWebhookConfiguration): number {
  return (left.metadata.name ?? "") < (right.metadata.name ?? "") ? -1 : 1;
}

function fits(rule: WebhookRule, { group, version, plural, namespace }: ResourcePath): boolean {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const has = (list: readonly string[], wanted: string) =>
    list.includes("*") || list.includes(wanted);
  const isInScope = scope === "*" || scope === (namespace === undefined ? "Cluster" : "Namespaced");
  return (
    isInScope &&
    has(operations, "CREATE") &&
    has(apiGroups, group) &&
    has(apiVersions, version) &&
    (has(resources, plural) || resources.includes("*/*"))
  );
}

function reviewOf({ user, url }: Creation, { path, definition }: Target, object: Json) {
  const { group, version, plural, namespace } = path;
  const { username, groups, uid, extra } = user;
  const { kind } = definition;
  const metadata = isObject(object) ? object.metadata : undefined;
  const name = isObject(metadata) ? metadata.name : undefined;
  return {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: randomUUID(),
      kind: { group, version, kind },
      resource: { group, version, resource: plural },
      requestKind: { group, version, kind },
      requestResource: { group, version, resource: plural },
      ...(typeof name === "string" ? { name } : {}),
      ...(namespace === undefined ? {} : { namespace }),
      operation: "CREATE",
      userInfo: { username, groups, ...(uid && { uid }), ...(extra && { extra }) },
      object,
      oldObject: null,
      dryRun: url.searchParams.getAll("dryRun").includes("All"),
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
    },
  };
}

/** Returns undefined when the webhook could not be called and may be skipped. */
async function ask(
  webhook: MutatingWebhook,
  review: ReturnType<typeof reviewOf>,
): Promise<WebhookResponse | undefined> {
  try {
    return await callWebhook(webhook, review);
  } catch (error) {
    if (webhook.failurePolicy === "Ignore") return undefined;
    const why = messageOf(error);
    throw unexpected(
      new Error(`failed calling webhook "${webhook.name}": failed to call webhook: ${why}`),
    );
  }
}

/** Ensures that a refusal never looks like a success, whatever code the webhook gives. */
function denied({ name }: MutatingWebhook, { status }: WebhookResponse): ApiError {
  const why = status?.message ?? status?.reason;
  const by = `admission webhook "${name}" denied the request`;
  return new ApiError({
    code: Math.max(status?.code ?? 0, 400),
    ...(status?.reason === undefined ? {} : { reason: status.reason }),
    message: why === undefined ? `${by} without explanation` : `${by}: ${why}`,
  });
}

function patched(object: Json, { patch, patchType }: WebhookResponse): Json {
  if (!patch || patchType !== "JSONPatch") return object;
  try {
    const operations = jsonSchema.parse(JSON.parse(Buffer.from(patch, "base64").toString("utf8")));
    return jsonPatch(object, operations);
  } catch (error) {
    // A patch that does not apply is the webhook's fault, not its caller's.
    throw unexpected(error);
  }
}

function asJson(text: string): Json | undefined {
  try {
    return jsonSchema.parse(JSON.parse(text));
  } catch {
    // Invalid JSON is refused where bodies are read.
    return undefined;
  }
}

function isObject(value: Json | undefined): value is { readonly [member: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
