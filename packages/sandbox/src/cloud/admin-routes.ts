import type { ServerResponse } from "node:http";
import type { FaultEngine } from "./faults/fault-engine.ts";
import type { CallLog } from "./http/call-log.ts";
import type { Route } from "./http/router.ts";
import type { Instance } from "./instances/instance.ts";
import type { InstanceStore } from "./instances/instance-store.ts";
import type { NextStatus } from "./instances/next-status.ts";
import { loadBalancerAdminRoutes } from "./load-balancers/load-balancer-admin-routes.ts";
import type { LoadBalancerStore } from "./load-balancers/load-balancer-store.ts";

export interface AdminParts {
  readonly faults: FaultEngine;
  readonly calls: CallLog;
  readonly instances: InstanceStore;
  readonly loadBalancers: LoadBalancerStore;
  readonly nextStatus: NextStatus;
  /** Empties the cloud durably. */
  readonly reset: () => Promise<void>;
}

/** The routes for tests and the fake kubelets (spec/70, "Faults and counters"). Their calls are not counted and no fault affects them. */
export function adminRoutes(parts: AdminParts): Route[] {
  const { faults, calls, instances, loadBalancers, nextStatus, reset } = parts;
  return [
    {
      method: "GET",
      path: "/admin/faults",
      handle: () => ({ status: 200, body: faults.read() }),
    },
    {
      method: "PUT",
      path: "/admin/faults",
      handle: async ({ readBody }) => ({ status: 200, body: faults.replace(await readBody()) }),
    },
    { method: "GET", path: "/admin/calls", handle: () => ({ status: 200, body: calls.report() }) },
    {
      method: "DELETE",
      path: "/admin/calls",
      handle: () => {
        calls.clear();
        return { status: 204 };
      },
    },
    {
      method: "POST",
      path: "/admin/reset",
      handle: async () => {
        faults.clear();
        calls.clear();
        nextStatus.clear();
        await reset();
        return { status: 204 };
      },
    },
    {
      method: "GET",
      path: "/admin/watch",
      handle: () => ({ stream: (response) => streamInstances(instances, response) }),
    },
    ...loadBalancerAdminRoutes(loadBalancers, nextStatus),
  ];
}

/** One line of `GET /admin/watch`: every existing machine, `synced`, then each change as it happens. */
type WatchLine =
  | { readonly type: "put" | "delete"; readonly instance: Instance }
  | { readonly type: "synced" };

const BACKLOG_LIMIT = 64 * 1024 * 1024;

/** Streams lines of JSON until the client leaves; a client that does not read is cut off and has to start again. */
function streamInstances(store: InstanceStore, response: ServerResponse): void {
  const send = (line: WatchLine): void => {
    response.write(`${JSON.stringify(line)}\n`);
    if (response.writableLength > BACKLOG_LIMIT) {
      response.destroy();
    }
  };
  response.setHeader("Content-Type", "application/x-ndjson");
  response.statusCode = 200;
  response.once("close", store.subscribe(send));
  for (const { instance } of store.all()) {
    send({ type: "put", instance });
  }
  send({ type: "synced" });
}
