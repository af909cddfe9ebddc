import { metrics } from "../../harness/controller.ts";
import { allRoutes, dropRoute, putRoute } from "../../harness/routes.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { countOf, eventsOf, nodeStays, untilNode } from "../environment/objects.ts";
import { warned } from "../environment/reported.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import {
  CREATE,
  CREATED,
  callsOf,
  condition,
  conditionOf,
  hasCondition,
  join,
  LIST,
  leadsTo,
  NOT_CREATED,
  noRouteTo,
  PERIOD_MS,
  putOurs,
  routeTo,
  setCondition,
} from "./objects.ts";

const ROUTES = "/v1/routes";
const FAILED = "FailedToCreateRoute";

/** Rows, one after the other: a fault affects every row. */
const ROWS: readonly Scenario[] = [
  ...rows({
    "R-30 the metric counts passes that changed something, and those that did not": async (env) => {
      await join(env, "r-30", ["10.120.60.0/24"]);
      await condition(env, "r-30", CREATED);
      for (const outcome of ["changed", "noop"]) {
        const line = `route_controller_route_sync_total{outcome="${outcome}",trigger="periodic"}`;
        await eventually(async () => {
          const count = sampleOf(await metrics(env.securePort), line);
          demand(count >= 1, `${line} is ${count}`);
        });
      }
    },
    "R-13 a creation that fails twice is reported and succeeds in the end": async (env) => {
      await env.cloud.fault({ method: "POST", path: ROUTES, times: 2, status: 500 });
      const { instance } = await join(env, "r-13", ["10.120.26.0/24"]);
      const refused = await condition(env, "r-13", NOT_CREATED);
      same(
        conditionOf(refused)?.message,
        "RouteController failed to create a route",
        "the message",
      );
      await warned(env, "r-13", [FAILED, "10.120.26.0/24"]);
      await leadsTo(env, "10.120.26.0/24", instance);
      await condition(env, "r-13", CREATED);
    },
    "R-14 while routes cannot be listed nothing is written, and all comes right afterwards": async (
      env,
    ) => {
      await join(env, "r-14-old", ["10.120.28.0/24"]);
      await condition(env, "r-14-old", CREATED);
      await env.cloud.forgetCalls();
      const heal = await env.cloud.fault({ method: "GET", path: ROUTES, status: 500 });
      await eventually(async () => {
        const { byOperation } = await env.cloud.calls();
        demand((byOperation[LIST]?.errors ?? 0) > 0, "nobody has tried to list them");
      });
      const { instance } = await join(env, "r-14", ["10.120.29.0/24"]);
      await nodeStays(env, "r-14", {
        check: (node) => hasCondition(node, undefined),
        forMs: 4 * PERIOD_MS,
      });
      await heal();
      await leadsTo(env, "10.120.29.0/24", instance);
      await condition(env, "r-14", CREATED);
    },
    "R-15 a deletion that fails once is made with the next look, and no other node minds": async (
      env,
    ) => {
      await join(env, "r-15", ["10.120.30.0/24"]);
      await condition(env, "r-15", CREATED);
      const path = `${ROUTES}/*`;
      await env.cloud.fault({ method: "DELETE", path, times: 1, status: 500 });
      await putOurs(env, { destination: "10.120.31.0/24" });
      await noRouteTo(env, "10.120.31.0/24");
      await untilNode(env, "r-15", { check: (node) => hasCondition(node, CREATED) });
    },
    "R-17 a node without a route for one of its families has a condition that says so until it has one":
      async (env) => {
        const taken = await putRoute(env.cloud, { destination: "fd00:120:0:17::/64" });
        const { instance } = await join(env, "r-17", ["10.120.34.0/24", "fd00:120:0:17::/64"]);
        await leadsTo(env, "10.120.34.0/24", instance);
        await condition(env, "r-17", NOT_CREATED);
        await dropRoute(env.cloud, taken.id);
        await leadsTo(env, "fd00:120:0:17::/64", instance);
        await condition(env, "r-17", CREATED);
      },
    "R-23 a condition that somebody else wrote gives way to that there is no route": async (
      env,
    ) => {
      const heal = await env.cloud.fault({ method: "POST", path: ROUTES, status: 500 });
      await join(env, "r-23", ["10.120.46.0/24"]);
      await setCondition(env, "r-23", { status: "True", reason: "Other" });
      await condition(env, "r-23", NOT_CREATED);
      await heal();
      await condition(env, "r-23", CREATED);
    },
    "R-43 a full table is reported with its quota, and a freed route is used without a restart":
      async (env) => {
        const spare = await putRoute(env.cloud, { destination: "10.1.43.0/24" });
        const used = (await allRoutes(env.cloud)).length;
        await env.cloud.setFaults({ quotas: { routes: used } });
        const { instance } = await join(env, "r-43", ["10.120.86.0/24"]);
        await condition(env, "r-43", NOT_CREATED);
        await warned(env, "r-43", [FAILED, "10.120.86.0/24", "quota"]);
        await dropRoute(env.cloud, spare.id);
        await leadsTo(env, "10.120.86.0/24", instance);
        await condition(env, "r-43", CREATED);
      },
    "R-44 a creation whose answer was lost makes one route, and no lasting failure": async (
      env,
    ) => {
      await env.cloud.fault({ method: "POST", path: ROUTES, times: 1, loseResponse: true });
      const { instance } = await join(env, "r-44", ["10.120.88.0/24"]);
      await leadsTo(env, "10.120.88.0/24", instance);
      await condition(env, "r-44", CREATED);
      const reported = countOf(eventsOf(env, "r-44"), FAILED);
      await always(
        async () => {
          demand((await routeTo(env, "10.120.88.0/24")) !== undefined, "the route is gone");
          same(countOf(eventsOf(env, "r-44"), FAILED), reported, `Events ${FAILED}`);
        },
        { forMs: 3 * PERIOD_MS },
      );
    },
    "R-29 looks that take longer than the period never overlap": async (env) => {
      const heal = await env.cloud.fault({ method: "GET", path: ROUTES, latencyMs: 3_000 });
      await env.cloud.forgetCalls();
      await eventually(async () => demand((await callsOf(env, LIST)) >= 3, "too few looks"));
      await heal();
      const { recent } = await env.cloud.calls();
      const previews = recent.filter(({ method, path }) => method === "GET" && path === ROUTES);
      const spans = previews
        .filter(({ ms }) => ms >= 2_900)
        .map(({ at, ms }) => ({ from: Date.parse(String(at)), ms }))
        .toSorted((left, right) => left.from - right.from);
      demand(spans.length >= 2, "fewer than two slow looks");
      for (const [index, span] of spans.slice(1).entries()) {
        const before = spans[index];
        if (before === undefined) continue;
        const apart = Math.abs(span.from - before.from);
        demand(apart >= before.ms - 100, `two looks began ${apart} ms apart, of ${before.ms} ms`);
      }
    },
  }),
  {
    id: "R-28",
    title: "of 300 nodes never more than 200 routes are created at once, and all are",
    run: manyAtOnce,
  },
];

/** Removes the faults after each row, however it ends. */
export const ROUTE_FAULTS: readonly Scenario[] = ROWS.map(({ run, ...row }) => ({
  ...row,
  run: async (env) => {
    try {
      await run(env);
    } finally {
      await env.cloud.setFaults({});
    }
  },
}));

const MANY = 300;

async function manyAtOnce(env: SharedEnvironment): Promise<void> {
  await env.cloud.fault({ method: "POST", path: ROUTES, latencyMs: 200 });
  await env.cloud.forgetCalls();
  const names = Array.from({ length: MANY }, (_, index) => `r-28-${index}`);
  for (let from = 0; from < MANY; from += 50) {
    const some = names.slice(from, from + 50);
    await Promise.all(
      some.map((name, index) => join(env, name, [`fd00:120:0:${2_800 + from + index}::/64`])),
    );
  }
  await eventually(
    () => {
      const served = names.filter((name) => {
        const node = env.nodes.get(name);
        return node !== undefined && conditionOf(node)?.status === "False";
      });
      same(served.length, MANY, "nodes with their route");
    },
    { withinMs: 120_000, on: env.nodes },
  );
  same(await callsOf(env, CREATE), MANY, "creations");
  const { recent } = await env.cloud.calls();
  const creations = recent
    .filter(({ method, path }) => method === "POST" && path === ROUTES)
    .map(({ at, ms }) => ({ end: Date.parse(String(at)), ms }));
  demand(mostAtOnce(creations) <= 200, `${mostAtOnce(creations)} creations at once`);
}

/** Returns how many of these were in progress at the same time. */
function mostAtOnce(calls: readonly { readonly end: number; readonly ms: number }[]): number {
  const moments = calls.flatMap(({ end, ms }) => [
    { at: end - ms, change: 1 },
    { at: end, change: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { change } of moments.toSorted(
    (left, right) => left.at - right.at || left.change - right.change,
  )) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

function sampleOf(text: string, line: string): number {
  const found = text.split("\n").find((one) => one.startsWith(`${line} `));
  return found === undefined ? 0 : Number(found.slice(line.length + 1));
}
