import { allBalancers, SERVICE_UID_TAG } from "../../harness/balancers.ts";
import { rowsOf } from "../../harness/database.ts";
import { cloudwright, runCloudwright } from "../../harness/processes.ts";
import { demand, eventually, messageOf, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import type { Scenario } from "../environment/scenario.ts";
import { key, untilReady } from "../service/objects.ts";
import { ADMIN, adopts, whereIs } from "./consent.ts";
import { type Left, leftByUpstream } from "./made-by-upstream.ts";
import { start } from "./services.ts";

/** More than a user may ask for within a minute one by one. */
const MANY = 64;
const SOME = 12;
const AT_ONCE = 8;

/** Rows T-16 and T-17: many are adopted by one command. */
export const TAKEOVER_OF_MANY: readonly Scenario[] = [
  isolatedRow(
    "T-16",
    "cloudwright adopt asks for many as one batch, which the bound of single actions does not hold up; each is on the record",
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
  ),

  isolatedRow(
    "T-17",
    "cloudwright adopt that is killed in its work is run again and goes on where it was: each is adopted once",
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
      // It fails for what neighbouring rows have left in the ledger and nobody may adopt.
      const said = await runCloudwright([...args, "--all"]).catch(messageOf);
      await untilAllAdopted(env, left).catch((error: unknown) => {
        throw new Error(`${messageOf(error)}; the second command said ${said}`);
      });
      await adoptedOnceEach(env, SOME);
    },
  ),
];

/** Services whose load balancers have one proof, by name; a controller knows them all. */
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
  await eventually(async () => {
    const known = await rows(
      env,
      "SELECT FROM all_states WHERE split_part(name, '/', 2) LIKE $1 AND reason_code = 'BalancerUnowned'",
    );
    same(known.length, count, "the Services that wait by the ledger");
  });
  return left;
}

async function untilAllAdopted(
  env: IsolatedEnvironment,
  left: ReadonlyMap<string, Left>,
): Promise<void> {
  await eventually(async () => {
    const balancers = new Map((await allBalancers(env.cloud)).map((one) => [one.id, one]));
    for (const [name, { service, balancer }] of left) {
      const owner = balancers.get(balancer.id)?.tags[SERVICE_UID_TAG];
      same(owner, service.metadata.uid, `the owner of ${name}'s load balancer`);
    }
    same(balancers.size, left.size, "the load balancers in the cloud");
  });
}

/** The audit has one adoption of each, and none twice. */
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
