import type { WordedCause } from "./worded-cause.ts";

const LIST = "GET /v1/instances";
const failure = { provider: "sandbox", operation: LIST, message: "disk full" };
const refusal = { verb: "patch", resource: "nodes/status", message: "no such right" };

/** Results of calls to the cloud and the API server. */
export const CAUSES_OF_CALLS: readonly WordedCause[] = [
  [
    { code: "ProviderThrottled", provider: "sandbox", operation: LIST, retryAfterMs: 3_000 },
    "Sandbox allows no more calls for now (429 on GET /v1/instances, retry after 3 s)",
  ],
  [
    { code: "ProviderThrottled", provider: "sandbox", operation: LIST, requestId: "r-4" },
    "Sandbox allows no more calls for now (429 on GET /v1/instances, request r-4)",
  ],
  [
    { code: "ProviderUnauthorized", ...failure, status: 401, requestId: "r-2" },
    "Sandbox rejected our credentials for GET /v1/instances (status 401, request r-2)",
  ],
  [
    { code: "ProviderUnavailable", ...failure, status: 500 },
    "Sandbox failed on GET /v1/instances: disk full (status 500)",
  ],
  [
    { code: "ProviderUnavailable", ...failure, message: "no answer came:\n  connection refused." },
    "Sandbox failed on GET /v1/instances: no answer came: connection refused",
  ],
  [
    { code: "ProviderTimedOut", provider: "sandbox", operation: LIST, afterMs: 10_000 },
    "Sandbox did not answer GET /v1/instances within 10 s",
  ],
  [
    { code: "ProviderTimedOut", provider: "sandbox", operation: LIST, afterMs: 0 },
    "Sandbox did not answer GET /v1/instances in time",
  ],
  [
    { code: "ProviderQuotaExceeded", ...failure, status: 409 },
    "A quota of sandbox is used up: disk full (status 409)",
  ],
  [
    { code: "ProviderRefused", ...failure, requestId: "r-5" },
    "Sandbox refused GET /v1/instances: disk full (request r-5)",
  ],
  [
    { code: "ProviderUnsupported", provider: "sandbox", operation: "routes" },
    "Sandbox does not offer routes",
  ],
  [
    { code: "LeaseLost", operation: "POST /v1/routes" },
    "POST /v1/routes was not sent, because this process no longer holds the Lease",
  ],
  [
    { code: "NotReportedYet", controller: "cloud-node-lifecycle-controller" },
    "It is waiting for its first check: the node lifecycle controller has not observed it yet",
  ],
  [
    { code: "NotReportedYet", controller: "moon-controller" },
    "It is waiting for its first check: moon-controller has not observed it yet",
  ],
  [
    { code: "CloudListsNothing", provider: "sandbox", nodes: 12 },
    "Sandbox lists no instances at all, while 12 nodes say that they run there",
  ],
  [
    { code: "KubeForbidden", ...refusal },
    "The Kubernetes API forbids us to patch nodes/status: no such right",
  ],
  [
    { code: "KubeConflict", ...refusal },
    "Another client changed the object at the same time (patch nodes/status)",
  ],
  [
    { code: "KubeRefused", ...refusal },
    "The Kubernetes API refused to patch nodes/status: no such right",
  ],
  [
    { code: "KubeUnavailable", ...refusal },
    "The Kubernetes API failed to patch nodes/status: no such right",
  ],
  [
    { code: "KubeThrottled", ...refusal },
    "The Kubernetes API allows no more calls for now (patch nodes/status)",
  ],
];
