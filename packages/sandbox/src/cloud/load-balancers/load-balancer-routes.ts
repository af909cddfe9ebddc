import { invalidField, parseInput } from "../http/api-error.ts";
import { type ApiRequest, param, type Route } from "../http/router.ts";
import { listTagged } from "../http/tagged-page.ts";
import type { NextStatus } from "../instances/next-status.ts";
import { loadBalancerCreationSchema, loadBalancerEditSchema } from "./load-balancer.ts";
import type { LoadBalancerStore } from "./load-balancer-store.ts";
import { shownLoadBalancer } from "./load-balancer-view.ts";

/** The routes for load balancers (spec/70, "Resources"). */
export function loadBalancerRoutes(store: LoadBalancerStore, next: NextStatus): Route[] {
  return [
    {
      method: "GET",
      path: "/v1/load-balancers",
      handle: ({ search }) => {
        const page = listTagged({ entries: store.entries(), by: "name" }, search);
        return { status: 200, body: { ...page, items: page.items.map(shownLoadBalancer) } };
      },
    },
    {
      method: "GET",
      path: "/v1/load-balancers/{id}",
      handle: (request) => ({
        status: 200,
        body: shownLoadBalancer(store.get(param(request, "id"))),
      }),
    },
    {
      method: "POST",
      path: "/v1/load-balancers",
      handle: async (request) => {
        const creation = parseInput(loadBalancerCreationSchema, await request.readBody());
        const made = { key: idempotencyKey(request), told: next.read() };
        const { balancer: loadBalancer, isNew } = await store.create(creation, made);
        return { status: isNew ? 201 : 200, body: shownLoadBalancer(loadBalancer) };
      },
    },
    {
      method: "PATCH",
      path: "/v1/load-balancers/{id}",
      handle: async (request) => {
        const id = param(request, "id");
        store.get(id);
        const edit = parseInput(loadBalancerEditSchema, await request.readBody());
        return { status: 200, body: shownLoadBalancer(await store.edit(id, edit)) };
      },
    },
    {
      method: "DELETE",
      path: "/v1/load-balancers/{id}",
      handle: async (request) => ({
        status: 202,
        body: shownLoadBalancer(await store.delete(param(request, "id"))),
      }),
    },
  ];
}

const KEY_LIMIT = 255;

function idempotencyKey({ header }: ApiRequest): string | undefined {
  const key = header("Idempotency-Key");
  if (key !== undefined && (key === "" || key.length > KEY_LIMIT)) {
    throw invalidField("Idempotency-Key", `it must have 1 to ${KEY_LIMIT} characters`);
  }
  return key;
}
