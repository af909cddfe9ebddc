import { ProviderError, type ProviderErrorCode } from "@cloudwright/provider-api";
import { KubeError } from "../../kube/errors.ts";
import type { ObjectAction } from "../../model/actions/action.ts";
import type { Next } from "../../model/plan.ts";
import type { RunContext } from "../reconciler.ts";

export function kubeError(code: ConstructorParameters<typeof KubeError>[0], retryAfterMs?: number) {
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new KubeError(code, "said the API server", { verb: "patch", resource: "nodes", ...wait });
}

export function providerError(code: ProviderErrorCode, retryAfterMs?: number) {
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new ProviderError(code, "said the cloud", {
    provider: "sandbox",
    operation: "GET /v1/instances",
    status: 500,
    requestId: "r-1",
    ...wait,
  });
}

/** Makes a call that ends only with its run. */
export function hang(_key: unknown, run: RunContext): Promise<never> {
  return new Promise((_resolve, reject) => {
    run.signal.addEventListener("abort", () => reject(run.signal.reason), { once: true });
  });
}

export const HELD: Next = { kind: "settled", reason: { code: "HeldByAnnotation", why: "repair" } };
export const REFUSED = { provider: "sandbox", operation: "GET /v1/instances", status: 400 };
export const FAILING: Next = {
  kind: "failed",
  reason: { code: "ProviderIDMissing", provider: "sandbox" },
};

/** A `next` whose cause may pass by itself. */
export const PASSING: Next = {
  kind: "failed",
  reason: { code: "Unexplained", message: "it rained" },
};

export function requestOf(
  intentId: string,
  actor: string,
  action: ObjectAction = { kind: "retry" },
) {
  return { intentId, actor, requested: { action, intentId, by: actor, why: "INC-88" } };
}
