import { z } from "zod";
import { DEFAULT_AUDIENCE } from "../auth/tokens.ts";
import { badRequest, invalid, notFound } from "../http/api-error.ts";
import type { Call } from "../http/call.ts";
import { jsonReply, type Reply } from "../http/reply.ts";
import type { ResourceTarget } from "../http/request-info.ts";
import { keyOf, resourceSubject } from "../registry/context.ts";
import { serviceAccounts } from "../resources/service-account.ts";
import { invalidValue } from "../rules/problem.ts";

const SHORTEST_SECONDS = 600;
const DEFAULT_SECONDS = 3_600;

const actionSchema = z.looseObject({
  spec: z
    .looseObject({
      audiences: z.array(z.string()).nullish(),
      expirationSeconds: z.number().int().nullish(),
    })
    .nullish(),
});

/** Answers `serviceaccounts/NAME/token`. Throws ApiError 400, 404, 422. */
export function createToken(call: Call, target: ResourceTarget): Reply {
  const { namespace = "", name = "" } = target;
  const { registry, tokens } = call.services;
  const account = registry.store.get(serviceAccounts.storage, keyOf(namespace, name));
  if (account === undefined) throw notFound(resourceSubject(serviceAccounts, name));
  const options = readOptions(call.body, name);
  const uid = account.object.metadata.uid ?? "";
  const created = new Date(registry.now());
  const expires = new Date(registry.now() + options.seconds * 1_000);
  return jsonReply(201, {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name, namespace, uid, creationTimestamp: toSeconds(created) },
    spec: {
      audiences: options.audiences,
      expirationSeconds: options.seconds,
      boundObjectRef: null,
    },
    status: {
      token: tokens.issue({ namespace, name, uid }, options),
      expirationTimestamp: toSeconds(expires),
    },
  });
}

function readOptions(body: string, name: string) {
  const parsed = actionSchema.safeParse(parse(body));
  if (!parsed.success) throw badRequest("the TokenRequest in the body cannot be read");
  const seconds = parsed.data.spec?.expirationSeconds ?? DEFAULT_SECONDS;
  const audiences = parsed.data.spec?.audiences ?? [];
  if (seconds < SHORTEST_SECONDS) {
    throw invalid({ group: "authentication.k8s.io", kind: "TokenRequest", name }, [
      invalidValue(
        "spec.expirationSeconds",
        seconds,
        "may not specify a duration less than 10 minutes",
      ),
    ]);
  }
  return { seconds, audiences: audiences.length === 0 ? [DEFAULT_AUDIENCE] : audiences };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest("the TokenRequest in the body is not JSON");
  }
}

function toSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
