import { z } from "zod";
import { parseInput } from "../http/api-error.ts";
import { param, type Route } from "../http/router.ts";
import type { NextStatus } from "../instances/next-status.ts";
import {
  type LoadBalancerOverride,
  loadBalancerOverrideSchema,
  type OverriddenStatus,
  overriddenStatusSchema,
  type StoredLoadBalancer,
} from "./load-balancer.ts";
import type { LoadBalancerStore } from "./load-balancer-store.ts";
import { shownLoadBalancer } from "./load-balancer-view.ts";

/** The routes for what a user does to load balancers behind the client's back, and for the addresses that the cloud reports for them. */
export function loadBalancerAdminRoutes(store: LoadBalancerStore, next: NextStatus): Route[] {
  return [...userRoutes(store), ...nextStatusRoutes(store, next)];
}

function userRoutes(store: LoadBalancerStore): Route[] {
  return [
    {
      method: "GET",
      path: "/admin/load-balancers",
      handle: () => ({
        status: 200,
        body: { items: [...store.entries()].map(({ item }) => shownLoadBalancer(item)) },
      }),
    },
    {
      method: "PATCH",
      path: "/admin/load-balancers/{id}",
      handle: async (request) => {
        const edit = parseInput(loadBalancerOverrideSchema, await request.readBody());
        const after = await store.overwrite(param(request, "id"), (before) =>
          overridden(before, edit),
        );
        return { status: 200, body: shownLoadBalancer(after) };
      },
    },
    {
      method: "DELETE",
      path: "/admin/load-balancers/{id}",
      handle: async (request) => {
        await store.remove(param(request, "id"));
        return { status: 204 };
      },
    },
  ];
}

const nextStatusSchema = overriddenStatusSchema.extend({ id: z.string().exactOptional() });

function nextStatusRoutes(store: LoadBalancerStore, next: NextStatus): Route[] {
  const path = "/admin/next-load-balancer";
  return [
    { method: "GET", path, handle: () => ({ status: 200, body: next.read() ?? {} }) },
    {
      method: "PUT",
      path,
      handle: async ({ readBody }) => {
        const { id, ...lastReported } = parseInput(nextStatusSchema, await readBody());
        if (id === undefined) {
          next.replace(lastReported);
          return { status: 200, body: lastReported };
        }
        const after = await store.overwrite(id, (before) => ({ ...before, told: lastReported }));
        return { status: 200, body: shownLoadBalancer(after) };
      },
    },
    {
      method: "DELETE",
      path,
      handle: () => {
        next.clear();
        return { status: 204 };
      },
    },
  ];
}

/** Applies a user's change. A state that a user sets is final: no change remains in progress. Only `error` has a message. */
function overridden(
  stored: StoredLoadBalancer,
  override: LoadBalancerOverride,
): StoredLoadBalancer {
  const { address, hostname, ipMode, ports, errorMessage, state, ...fields } = override;
  const { told: lastReported, dueAt, errorMessage: oldMessage, ...before } = stored;
  const message = errorMessage === undefined ? oldMessage : errorMessage;
  const after = state ?? stored.state;
  return {
    ...before,
    ...fields,
    state: after,
    ...(after === "error" && message != null ? { errorMessage: message } : {}),
    ...(state === undefined && dueAt !== undefined ? { dueAt } : {}),
    told: statusAfter(lastReported ?? {}, { address, hostname, ipMode, ports }),
  };
}

type StatusChange = Readonly<Record<"address" | "hostname" | "ipMode" | "ports", unknown>>;

/** Undefined fields stay, null fields are removed; setting an address or a host name ends `nil`. */
function statusAfter(lastReported: OverriddenStatus, change: StatusChange): OverriddenStatus {
  const isReached = change.address != null || change.hostname != null;
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const { nil, ...kept } = { ...lastReported, ...Object.fromEntries(given) };
  const merged = { ...kept, ...(nil === true && !isReached ? { nil } : {}) };
  return overriddenStatusSchema.parse(
    Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)),
  );
}
