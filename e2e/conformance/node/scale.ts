import { demand, eventually, same } from "../../harness/wait.ts";
import {
  createInstance,
  createNode,
  hasTaint,
  initialised,
  internal,
  nodeStays,
  seen,
  UNINITIALIZED,
  untilNode,
} from "../environment/objects.ts";
import { row, type Scenario, type SharedEnvironment, Skip } from "../environment/scenario.ts";

export const CONCURRENT_INITIALISATION: Scenario = row(
  "N-31",
  "100 nodes with a cloud that takes 50 ms: at most 10 calls at once, all within 10 s",
  async (env) => {
    const names = Array.from({ length: 100 }, (_, index) => `n-31-${index}`);
    await Promise.all(
      names.map((name, index) =>
        createInstance(env, name, { addresses: [internal(`10.31.1.${index}`)] }),
      ),
    );
    await env.cloud.faultOnReads({ latencyMs: 50 });
    await env.cloud.forgetCalls();
    await Promise.all(names.map((name) => createNode(env, name)));
    await Promise.all(names.map((name) => initialised(env, name, 10_000)));
    same((await mostAtOnce(env)) <= 10, true, "at most 10 calls at once");
  },
);

export const CONCURRENT_REFRESH: Scenario = row(
  "N-32",
  "a refresh of 50 nodes with a cloud that takes 100 ms passes within 2 s",
  async (env) => {
    const names = Array.from({ length: 50 }, (_, index) => `n-32-${index}`);
    const made = await Promise.all(
      names.map((name, index) =>
        createInstance(env, name, { addresses: [internal(`10.32.1.${index}`)] }),
      ),
    );
    await Promise.all(names.map((name) => createNode(env, name)));
    await Promise.all(names.map((name) => initialised(env, name)));
    await env.cloud.faultOnReads({ latencyMs: 100 });
    await Promise.all(
      made.map((instance, index) =>
        env.cloud.change(instance.id, { addresses: [internal(`10.32.2.${index}`)] }),
      ),
    );
    const refreshPeriodMs = 2_000;
    await Promise.all(
      names.map((name, index) =>
        untilNode(env, name, {
          withinMs: refreshPeriodMs + 2_000,
          check: (node) =>
            same(
              node.status.addresses?.[0],
              internal(`10.32.2.${index}`),
              `the address of ${name}`,
            ),
        }),
      ),
    );
  },
);

export const BATCHED_REFRESH: Scenario = row(
  "N-53",
  "a refresh of 1,000 nodes takes at most 10 reads of the cloud",
  async (env) => {
    const names = Array.from({ length: 1_000 }, (_, index) => `n-53-${index}`);
    await inBatches(names, (name) =>
      createInstance(env, name, { addresses: [internal(addressOf(name))] }),
    );
    await inBatches(names, (name) => createNode(env, name));
    await allInitialised(env, names);
    await env.cloud.forgetCalls();
    const probe = names[500] ?? "";
    const instance = await env.cloud.put({
      name: "n-53-clock",
      addresses: [internal("10.53.99.1")],
    });
    await env.cloud.remove(instance.id);
    const periods = 2;
    await nodeStays(env, probe, { forMs: periods * REFRESH_PERIOD_MS, check: () => undefined });
    const { recent } = await env.cloud.calls();
    const reads = recent.filter((call) => call.method === "GET").length;
    demand(reads >= 1, "the cloud was not asked at all");
    // A window of two periods may overlap a third pass.
    demand(reads <= (periods + 1) * 10, `${reads} reads in ${periods} periods`);
  },
);
export const REFRESH_PERIOD_MS = 8_000;

/** Checks all nodes at once: a thousand separate checks at each change would overload a busy machine. */
async function allInitialised(env: SharedEnvironment, names: readonly string[]): Promise<void> {
  await eventually(
    () => {
      const late = names.find((name) => hasTaint(seen(env, name), UNINITIALIZED.key));
      demand(late === undefined, `${late} keeps the uninitialized taint`);
    },
    { withinMs: 60_000, on: env.nodes },
  );
}

async function mostAtOnce(env: SharedEnvironment): Promise<number> {
  const { recent } = await env.cloud.calls();
  const reads = recent.filter((call) => call.method === "GET");
  if (reads.length === 0) throw new Skip("the cloud recorded no read");
  const edges = reads.flatMap((call) => {
    const at = new Date(call.at).getTime();
    return [
      { at, step: 1 },
      { at: at + call.ms, step: -1 },
    ];
  });
  edges.sort((left, right) => left.at - right.at || left.step - right.step);
  let now = 0;
  return edges.reduce((most, edge) => {
    now += edge.step;
    return Math.max(most, now);
  }, 0);
}

function addressOf(name: string): string {
  const index = Number(name.split("-").at(-1));
  return `10.53.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}

async function inBatches(
  names: readonly string[],
  work: (name: string) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < names.length; from += 50) {
    await Promise.all(names.slice(from, from + 50).map(work));
  }
}
