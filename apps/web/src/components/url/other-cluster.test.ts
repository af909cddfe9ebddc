import { expect, it } from "vitest";
import { inOtherCluster } from "./other-cluster.ts";

it.each([
  ["the overview", "/c/a", "/c/b"],
  ["a list", "/c/a/nodes", "/c/b/nodes"],
  ["a filter", "/c/a/nodes?state=stuck&q=w-1%2C2", "/c/b/nodes?state=stuck&q=w-1%2C2"],
  [
    "a list without what is open beside it",
    "/c/a/nodes?peek=w-1&state=stuck",
    "/c/b/nodes?state=stuck",
  ],
  [
    "routes without the table of one cluster",
    "/c/a/routes?table=rtb-1&show=stale",
    "/c/b/routes?show=stale",
  ],
  [
    "a filter of runs",
    "/c/a/runs?q=outcome%3Afailed&from=all",
    "/c/b/runs?q=outcome%3Afailed&from=all",
  ],
  ["the incidents", "/c/a/incidents", "/c/b/incidents"],
  ["a range", "/c/a/budget?range=day", "/c/b/budget?range=day"],
  ["the list of a node", "/c/a/nodes/w-1?tab=facts", "/c/b/nodes"],
  ["the list of a Service", "/c/a/load-balancers/shop/web", "/c/b/load-balancers"],
  ["the list of a run", "/c/a/runs/0190", "/c/b/runs"],
  ["no request of another cluster", "/c/a/requests/req-1", "/c/b"],
  ["no object of a kind that the other may not have", "/c/a/objects/Namespace/shop", "/c/b"],
  ["no page that is about no cluster", "/settings/flags", "/c/b"],
])("keeps %s", (_, from, to) => {
  const { pathname, search } = new URL(from, "http://x");
  expect(inOtherCluster({ pathname, search }, "b")).toBe(to);
});
