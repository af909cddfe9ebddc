import { rowsOf } from "../../harness/database.ts";
import { allLoadBalancers, CLUSTER_TAG, SERVICE_UID_TAG } from "../../harness/load-balancers.ts";
import { cloudwright, runCloudwright } from "../../harness/processes.ts";
import { demand, eventually, messageOf, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows } from "../environment/isolated.ts";
import { recorded } from "../environment/reported.ts";
import type { Scenario } from "../environment/scenario.ts";
import {
  CREATED,
  condition,
  leadsTo,
  machine,
  NOT_CREATED,
  noRouteTo,
  register,
} from "../route/objects.ts";
import { reported } from "../service/evidence.ts";
import { deleteService, key, serviceGone, untilReady } from "../service/objects.ts";
import { startRoutes, unmarkedRoute } from "./routes.ts";
import {
  type Left,
  leftByUpstream,
  onlyLoadBalancer,
  start,
  staysUntouched,
  untilAdopted,
} from "./services.ts";

const ADMIN = "takeover@example.org";

/** Rows T-12 to T-15: resources with one proof are adopted by consent: on the command line, or without a ledger by a flag. */
export const TAKEOVER_BY_CONSENT: readonly Scenario[] = isolatedRows({
  "T-12 cloudwright adopt shows a plan, and adopts what waits through the leader; it is on the record, and a second time there is nothing to do":
    async (env) => {
      const left = await leftByUpstream(env, env.name, { isPublished: false });
      await start(env);
      await untilReady(env, env.name, "False");
      await untilWaiting(env, 1);
      const shown = await adopts(env, ["--all", "--dry-run"]);
      for (const part of [key(env.name), left.balancer.id, "Adopt load balancer"])
        demand(shown.includes(part), `the plan does not say ${part}: ${shown}`);
      await staysUntouched(env, left);
      await adopts(env, [key(env.name), "--why", "INC-13"]);
      await untilAdopted(env, left.balancer);
      await reported(env, env.name, ["AdoptedLoadBalancer", "INC-13"]);
      await eventually(async () => {
        const audit = await runCloudwright([
          "audit",
          ...whereIs(env),
          "--action",
          "balancer.adopt",
        ]);
        demand(audit.includes("INC-13"), `the audit does not have it: ${audit}`);
      });
      const again = await adopts(env, ["--all"]);
      demand(again.includes("Nothing is waiting for consent"), `there is more to do: ${again}`);
    },
  "T-13 a deleted Service whose load balancer waits is adopted, loses it, and goes; what is another cluster's is refused":
    async (env) => {
      const left = await leftByUpstream(env, env.name, { name: "by-hand" });
      const other = await leftByUpstream(env, `${env.name}-other`, { tags: FOREIGN });
      await deleteService(env, env.name);
      await deleteService(env, `${env.name}-other`);
      await start(env);
      for (const name of [env.name, `${env.name}-other`]) await untilReady(env, name, "False");
      await untilWaiting(env, 2);
      const refused = await adopts(env, ["--all"]).then(
        () => "nothing was refused",
        (error: unknown) => messageOf(error),
      );
      demand(refused.includes(`Not adopted: ${key(`${env.name}-other`)}`), refused);
      await serviceGone(env, env.name);
      const kept = await allLoadBalancers(env.cloud);
      same(
        kept.map(({ id }) => id),
        [other.balancer.id],
        `what is left beside ${left.balancer.id}`,
      );
    },
  "T-14 routes with one proof are adopted one by one": async (env) => {
    const [first, theirs] = [await machine(env, "t-14-a"), await machine(env, "t-14-x")];
    await unmarkedRoute(env, "10.120.220.0/24", theirs);
    await unmarkedRoute(env, "10.120.229.0/24", first);
    await register(env, first, { podCIDRs: ["10.120.220.0/24"] });
    await startRoutes(env);
    await condition(env, "t-14-a", NOT_CREATED);
    await recorded(env, "t-14-a", { code: "RouteUnowned", cidr: "10.120.220.0/24" });
    await adopts(env, ["t-14-a"]);
    await leadsTo(env, "10.120.220.0/24", first);
    await condition(env, "t-14-a", CREATED);
    await recorded(env, "t-14-a", { code: "RouteUnowned", cidr: "10.120.229.0/24" });
    await eventually(async () => void (await adopts(env, ["t-14-a"])));
    await noRouteTo(env, "10.120.229.0/24");
  },
  "T-15 without a ledger --adopt-consent names what may be adopted, and nothing else is": async (
    env,
  ) => {
    const left = await leftByUpstream(env, env.name, { isPublished: false });
    const consent = (id: string) => ({ "--adopt-consent": `${key(env.name)}=${id}` });
    const wrong = await start(env, { flags: consent("lb-0000000000000000") });
    await untilReady(env, env.name, "False");
    await staysUntouched(env, left);
    await wrong.stop();
    await start(env, { name: "b", flags: consent(left.balancer.id) });
    await untilAdopted(env, left.balancer);
    same((await onlyLoadBalancer(env)).address, left.balancer.address, "the address");
  },
});

const FOREIGN = {
  [CLUSTER_TAG]: "4e5b0000-0000-4000-8000-000000000000",
  [SERVICE_UID_TAG]: "4e5b0000-0000-4000-8000-000000000001",
};

function whereIs({ databaseUrl }: IsolatedEnvironment): readonly string[] {
  return ["--database-url", databaseUrl ?? ""];
}

/** Runs `cloudwright adopt` on the group's ledger in an admin's name; returns its output. */
async function adopts(env: IsolatedEnvironment, args: readonly string[]): Promise<string> {
  const where = whereIs(env);
  await runCloudwright(["sign-in-link", ...where, "--email", ADMIN, "--role", "admin"]);
  return runCloudwright(["adopt", ...where, "--email", ADMIN, ...args]);
}

/** More than a user may request one by one within a minute. */
const MANY = 64;
const SOME = 12;
const AT_ONCE = 8;

/** Rows T-16 and T-17: many are adopted by one command. */
export const TAKEOVER_OF_MANY: readonly Scenario[] = isolatedRows({
  "T-16 cloudwright adopt asks for many as one batch, which the bound of single actions does not hold up; each is on the record":
    async (env) => {
      const left = await manyLeft(env, MANY);
      const said = await adopts(env, [...left.keys()].map(key));
      demand(said.includes(`Adopted ${MANY} of ${MANY}`), `not all were adopted: ${said}`);
      await untilAllAdopted(env, left);
      const asked = await rows<{ kind: string; intents: number; batches: number }>(
        env,
        `SELECT kind, count(*)::int AS intents, count(DISTINCT batch_id)::int AS batches
           FROM intents WHERE object_name LIKE $1 GROUP BY kind ORDER BY kind`,
      );
      same(
        asked,
        ["adopt", "preview"].map((kind) => ({ kind, intents: MANY, batches: 1 })),
        "what was asked for",
      );
      await adoptedOnceEach(env, MANY);
    },
  "T-17 cloudwright adopt that is killed in its work is run again and goes on where it was: each is adopted once":
    async (env) => {
      const left = await manyLeft(env, SOME);
      const names = [...left.keys()].map(key);
      const args = ["adopt", ...whereIs(env), "--email", ADMIN];
      await runCloudwright([
        ...["sign-in-link", ...whereIs(env), "--email", ADMIN, "--role", "admin"],
      ]);
      const killed = cloudwright([...args, ...names]);
      env.after(() => killed.stop("SIGKILL"));
      await eventually(async () => {
        const [first] = await rows(
          env,
          "SELECT FROM intents WHERE object_name LIKE $1 AND kind = 'adopt' LIMIT 1",
        );
        demand(first !== undefined, "no adoption is asked for yet");
      });
      await killed.stop("SIGKILL");
      // It fails because of what other rows have left in the ledger and nobody may adopt.
      const said = await runCloudwright([...args, "--all"]).catch(messageOf);
      await untilAllAdopted(env, left).catch((error: unknown) => {
        throw new Error(`${messageOf(error)}; the second command said ${said}`);
      });
      await adoptedOnceEach(env, SOME);
    },
});

/** Creates Services whose load balancers have one proof, by name, and waits until a controller knows all of them. */
async function manyLeft(
  env: IsolatedEnvironment,
  count: number,
): Promise<ReadonlyMap<string, Left>> {
  const names = Array.from({ length: count }, (_, index) => `${env.name}-${index}`);
  const left = new Map<string, Left>();
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = names.slice(from, from + AT_ONCE).map(async (name) => {
      left.set(name, await leftByUpstream(env, name, { isPublished: false }));
    });
    await Promise.all(some);
  }
  await start(env);
  for (const name of names) await untilReady(env, name, "False");
  await untilWaiting(env, count);
  return left;
}

/** The Event is sent before the ledger's row is written, which the command reads. */
async function untilWaiting(env: IsolatedEnvironment, count: number): Promise<void> {
  await eventually(async () => {
    const waiting = await rowsOf(
      env.databaseUrl ?? "",
      "SELECT FROM all_states WHERE split_part(name, '/', 2) LIKE $1 AND reason_code IN ('BalancerUnowned', 'BalancerForeign', 'BalancerStands')",
      [`${env.name}%`],
    );
    same(waiting.length, count, "the Services that wait by the ledger");
  });
}

async function untilAllAdopted(
  env: IsolatedEnvironment,
  left: ReadonlyMap<string, Left>,
): Promise<void> {
  await eventually(async () => {
    const loadBalancers = new Map((await allLoadBalancers(env.cloud)).map((one) => [one.id, one]));
    for (const [name, { service, balancer: loadBalancer }] of left) {
      const owner = loadBalancers.get(loadBalancer.id)?.tags[SERVICE_UID_TAG];
      same(owner, service.metadata.uid, `the owner of ${name}'s load balancer`);
    }
    same(loadBalancers.size, left.size, "the load balancers in the cloud");
  });
}

/** Checks that the audit contains exactly one adoption of each. */
async function adoptedOnceEach(env: IsolatedEnvironment, count: number): Promise<void> {
  await eventually(async () => {
    const entries = await rows<{ times: number }>(
      env,
      `SELECT count(*)::int AS times FROM audit_entries
        WHERE action = 'balancer.adopt' AND result = 'applied' AND object_name LIKE $1 GROUP BY object_name`,
    );
    same(entries, Array(count).fill({ times: 1 }), "how often each was adopted");
  });
}

function rows<Row extends object>(
  { databaseUrl, name }: IsolatedEnvironment,
  sql: string,
): Promise<readonly Row[]> {
  return rowsOf<Row>(databaseUrl ?? "", sql, [`${name}-%`]);
}
