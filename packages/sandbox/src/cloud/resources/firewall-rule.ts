import { randomBytes } from "node:crypto";
import { z } from "zod";
import { parseInput } from "../http/api-error.ts";
import { param, type Route } from "../http/router.ts";
import { listTagged } from "../http/tagged-page.ts";
import { loadBalancerNameSchema } from "../load-balancers/load-balancer.ts";
import type { Collection } from "../state/collection.ts";
import { cidrSchema } from "./cidr.ts";
import { tagsSchema } from "./tags.ts";

const creationSchema = z.strictObject({
  name: loadBalancerNameSchema,
  tags: tagsSchema.default({}),
  /** For information only: the rule is not removed with the load balancer of this name. */
  loadBalancerName: loadBalancerNameSchema.exactOptional(),
  sourceRanges: z.array(cidrSchema).default([]),
});

/** Who may reach a load balancer: a resource of its own, which remains until it is deleted. */
export const firewallRuleSchema = creationSchema.extend({ id: z.string(), createdAt: z.string() });
export type FirewallRule = Readonly<z.infer<typeof firewallRuleSchema>>;

export function firewallRuleRoutes(rules: Collection<FirewallRule>): Route[] {
  return [
    {
      method: "GET",
      path: "/v1/firewall-rules",
      handle: ({ search }) => ({
        status: 200,
        body: listTagged({ entries: rules.entries() }, search),
      }),
    },
    {
      method: "POST",
      path: "/v1/firewall-rules",
      handle: async ({ readBody }) => {
        const creation = parseInput(creationSchema, await readBody());
        const id = `fw-${randomBytes(8).toString("hex")}`;
        const rule = { id, ...creation, createdAt: new Date().toISOString() };
        return { status: 201, body: await rules.put(rule) };
      },
    },
    {
      method: "DELETE",
      path: "/v1/firewall-rules/{id}",
      handle: async (request) => {
        await rules.delete(param(request, "id"));
        return { status: 204 };
      },
    },
  ];
}
