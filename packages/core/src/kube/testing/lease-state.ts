import type { ServerResponse } from "node:http";
import type { Lease } from "../client.ts";
import { type SeenRequest, sendJson, sendStatus } from "./api-server.ts";

const LEASE_PATH = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

/** One Lease with the API server's rules. */
export class LeaseState {
  lease: Lease | undefined;
  renewedAt = 0;
  /** Whether writes of the Lease fail and its readers then wait for `letRead`. */
  isAiling: boolean = false;
  readonly #readers: ServerResponse[] = [];
  #version = 0;

  get readers(): number {
    return this.#readers.length;
  }

  read(response: ServerResponse): void {
    if (this.isAiling) this.#readers.push(response);
    else sendFound(response, this.lease, [404, "NotFound"]);
  }

  letRead(): void {
    this.isAiling = false;
    for (const response of this.#readers) this.read(response);
  }

  store(lease: Lease): Lease {
    this.#version += 1;
    const resourceVersion = `${this.#version}`;
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion } };
    this.renewedAt = performance.now();
    return this.lease;
  }

  takeOver(): void {
    this.store({ ...this.lease, spec: { ...this.lease?.spec, holderIdentity: "two" } });
  }

  write(wanted: Lease): Lease | undefined {
    const isCurrent = wanted.metadata?.resourceVersion === this.lease?.metadata?.resourceVersion;
    return isCurrent ? this.store(wanted) : undefined;
  }
}

export function isForLease({ path }: SeenRequest): boolean {
  return path.startsWith(LEASE_PATH);
}

/** Answers like an API server that has one Lease; its changes cannot be watched. */
export function answerForLease(
  state: LeaseState,
  request: SeenRequest,
  response: ServerResponse,
): void {
  if (request.method !== "GET" && state.isAiling) {
    sendStatus(response, 500, "InternalError");
  } else if (request.method !== "GET") {
    sendFound(response, state.write(JSON.parse(request.body)), [409, "Conflict"]);
  } else if (request.path === LEASE_PATH) {
    const isWatch = request.query.has("watch");
    if (!isWatch) sendJson(response, { items: [], metadata: { resourceVersion: "1" } });
  } else {
    state.read(response);
  }
}

function sendFound(
  response: ServerResponse,
  lease: Lease | undefined,
  [status, reason]: readonly [number, string],
): void {
  if (lease === undefined) sendStatus(response, status, reason);
  else sendJson(response, lease);
}
