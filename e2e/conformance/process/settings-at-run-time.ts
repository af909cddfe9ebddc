import { startDatabase } from "../../harness/controller.ts";
import { cloudwright, runCloudwright } from "../../harness/processes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow, type Replica } from "../environment/isolated.ts";
import { leaderAmong, others } from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  initialised,
  internal,
  untilNode,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";

const SETTING = "node-status-update-frequency";
/** Far longer than the row waits for anything. */
const FLAG = "1h";
const EMAIL = "p-70@example.test";
/** The settings are in the Lease's namespace, which other rows must not share. */
const NAMESPACE = "conformance-p-70";
const MOST_MS = 60_000;

interface Listed {
  readonly name: string;
  readonly value: string;
  readonly flag: string;
  readonly by?: string;
  readonly why?: string;
}

/** Row P-70: settings that an admin changes while controllers run. */
export const SETTINGS_AT_RUN_TIME: Scenario = isolatedRow(
  "P-70",
  "a setting that a command changes holds at once and for the next leader, and out of bounds it is refused",
  async (env) => {
    await env.electIn(NAMESPACE);
    const ledger = await ledgerOfItsOwn(env);
    const replicas = await Promise.all(["a", "b"].map((name) => startReplica(env, name, ledger)));
    const leader = await leaderAmong(replicas);
    const { id } = await createInstance(env, env.name, { addresses: [internal("10.70.0.1")] });
    await createNode(env, env.name);
    await initialised(env, env.name);

    // A leader reports its settings in its heartbeats.
    await eventually(async () => same((await listed(ledger)).value, "1h0m0s", "the value"));
    const refused = await settings(ledger, ["set", SETTING, "1ms", "--why", "too often"]);
    demand(refused.code !== 0, `1ms is accepted: ${refused.text}`);
    demand(/between 1s and 24h/.test(refused.text), `it is not said why: ${refused.text}`);
    same((await listed(ledger)).by, undefined, "who has set it after the refusal");

    const change = await settings(ledger, ["set", SETTING, "2s", "--why", "INC-70"]);
    same(change.code, 0, `the exit code of the change (${change.text})`);
    await follows(env, id, "10.70.0.2");
    same(leader.child.exitCode, null, "the exit code of the leader, which was not restarted");

    leader.child.kill("SIGKILL");
    const heir = others(replicas, leader);
    await leaderAmong([heir], MOST_MS);
    // A leader refreshes every node when its term begins: only the second change shows how often it does so later.
    await follows(env, id, "10.70.0.3");
    await follows(env, id, "10.70.0.4");
    await eventually(async () => {
      const { value, flag, why } = await listed(ledger);
      same([value, flag, why], ["2s", "1h0m0s", "INC-70"], "what the heir reports");
    });

    const back = await settings(ledger, ["reset", SETTING, "--why", "over"]);
    same(back.code, 0, `the exit code of the reset (${back.text})`);
    await eventually(async () => same((await listed(ledger)).value, "1h0m0s", "the value"));
  },
);

/** In a shared ledger, the newest leader may be another row's. */
async function ledgerOfItsOwn(env: IsolatedEnvironment): Promise<string> {
  const database = await startDatabase(env.dir);
  env.after(() => database.stop());
  const { url } = database.ready;
  const admin = ["--base-url", "http://127.0.0.1:1", "--role", "admin", "--email", EMAIL];
  await runCloudwright(["sign-in-link", ...admin], { env: { DATABASE_URL: url } });
  return url;
}

function startReplica(
  env: IsolatedEnvironment,
  name: string,
  databaseUrl: string,
): Promise<Replica> {
  const flags = {
    "--controllers": "cloud-node",
    [`--${SETTING}`]: FLAG,
    "--leader-elect-resource-namespace": NAMESPACE,
  };
  return env.start({ name, flags, databaseUrl });
}

interface Ended {
  readonly code: number | string;
  readonly text: string;
}

/** Runs `cloudwright settings` as the admin. */
async function settings(databaseUrl: string, args: readonly string[]): Promise<Ended> {
  const env = { DATABASE_URL: databaseUrl };
  const ran = cloudwright(["settings", ...args, "--email", EMAIL], { env });
  return { code: await ran.ended, text: ran.output() };
}

/** Returns the setting as last reported by the leader. */
async function listed(databaseUrl: string): Promise<Listed> {
  const env = { DATABASE_URL: databaseUrl };
  const text = await runCloudwright(["settings", "--output", "json"], { env });
  const found = (JSON.parse(text) as readonly Listed[]).find(({ name }) => name === SETTING);
  demand(found !== undefined, `${SETTING} is not listed: ${text}`);
  return found;
}

/** Changes the machine's address, and checks that the Node has it long before the flag's period has passed. */
async function follows(env: IsolatedEnvironment, instance: string, address: string): Promise<void> {
  await env.cloud.change(instance, { addresses: [internal(address)] });
  await untilNode(env, env.name, {
    withinMs: MOST_MS,
    check: ({ status }) =>
      demand(
        status.addresses?.some((each) => each.address === address) === true,
        `the addresses are ${JSON.stringify(status.addresses)}`,
      ),
  });
}
