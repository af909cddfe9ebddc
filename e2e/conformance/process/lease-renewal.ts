import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasEnded, metrics } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  type IsolatedEnvironment,
  isolatedRows,
  type Replica,
  type ReplicaOptions,
  secondLeaseOf,
} from "../environment/isolated.ts";
import {
  becomesInitialised,
  LEASE_MS,
  leaderAmong,
  leads,
  leaseOf,
  leasePath,
  RENEW_DEADLINE_MS,
  RETRY_MS,
} from "../environment/leading.ts";
import type { Scenario } from "../environment/scenario.ts";
import { createService, served } from "../service/objects.ts";

const HANG = fileURLToPath(new URL("../../harness/hang-on-signal.mjs", import.meta.url));
/** Longer than a Lease may go without renewal before its holder gives up. */
const HANGS_MS = RENEW_DEADLINE_MS + RETRY_MS + 1_000;

/** Rows B-80 to B-83: how a Lease is renewed, and how its loss is reported. */
export const LEASE_RENEWAL: readonly Scenario[] = isolatedRows({
  "B-80 a controller reports a lost Lease to whoever started it and ends with 1; one that is stopped reports none":
    async (env) => {
      const loser = await env.start({ name: "a", ipc: true });
      const reports = reportsOf(loser);
      await leaderAmong([loser]);
      await env.kube.patch(leasePath({ name: env.lease, namespace: "kube-system" }), "merge", {
        spec: { holderIdentity: "x" },
      });
      same(await loser.ended, 1, "the exit code");
      same(reports, ["leaseLost"], "the reports");

      const flags = { "--leader-elect-resource-name": secondLeaseOf("B-80") };
      const stopped = await env.start({ name: "b", ipc: true, flags });
      const others = reportsOf(stopped);
      await leaderAmong([stopped]);
      same(await stopped.stop(), 0, "the exit code of the one that was stopped");
      same(others, [], "the reports of the one that was stopped");
    },
  "B-81 the metrics say how late each renewal of the Lease was": async (env) => {
    const leader = await env.start();
    await leaderAmong([leader]);
    const count = `cloudwright_lease_renewal_delay_seconds_count{name="${env.lease}"}`;
    await eventually(async () => {
      const lines = (await metrics(leader.securePort)).split("\n");
      const line = lines.find((each) => each.startsWith(count));
      demand(Number(line?.split(" ").at(-1)) >= 2, `${count} is in ${line}`);
    });
  },
  "B-82 a leader keeps its Lease while its main thread has no time for longer than a renewal may be late":
    async (env) => {
      const hang = hanging(env);
      const leader = await env.start(hang.options);
      await leaderAmong([leader]);
      const before = await leaseOf(env);
      hang.begin(leader);
      await always(
        async () => same((await leaseOf(env))?.spec.holderIdentity, holder(before), "the holder"),
        { forMs: HANGS_MS },
      );
      hang.end();
      await becomesInitialised(env, "b-82");
      demand(!hasEnded(leader), `the leader ended: ${leader.output().slice(-500)}`);
      same(await leads(leader), true, "that it leads");
      same((await leaseOf(env))?.spec.leaseTransitions, before?.spec.leaseTransitions, "its term");
    },
  "B-83 a leader whose main thread hangs loses its Lease to a standby, and writes nothing when it goes on":
    async (env) => {
      const hang = hanging(env);
      const { relay, config } = await env.relayedCloud();
      const leader = await env.start({ ...hang.options, name: "a", cloudConfig: config });
      await leaderAmong([leader]);
      const standby = await env.start({ name: "b" });
      await becomesInitialised(env, "b-83");
      hang.begin(leader);
      // Work for the new leader: the hanging one sees it when it continues.
      await createService(env, "b-83");
      await leaderAmong([standby], RENEW_DEADLINE_MS + LEASE_MS + 3 * RETRY_MS);
      const calls = relay.calls.length;
      hang.end();
      same(await leader.ended, 1, "the exit code");
      const writes = relay.calls.slice(calls).filter(({ method }) => method !== "GET");
      same(writes, [], "what it wrote to the cloud after another led");
      await served(env, "b-83");
    },
});

/** Returns the types of its messages from now on, except for ready. */
function reportsOf({ child }: Replica): readonly string[] {
  const types: string[] = [];
  child.on("message", (message: { readonly type?: string }) => {
    if (message.type !== undefined && message.type !== "ready") types.push(message.type);
  });
  return types;
}

interface Hang {
  /** The options of a controller that can be made to hang. */
  readonly options: Pick<ReplicaOptions, "env">;
  begin(replica: Replica): void;
  end(): void;
}

function hanging(env: IsolatedEnvironment): Hang {
  const file = join(env.dir, "hang");
  const end = () => rmSync(file, { force: true });
  env.after(end);
  return {
    options: { env: { NODE_OPTIONS: `--import=${HANG}`, CLOUDWRIGHT_TEST_HANG: file } },
    begin: ({ child }) => {
      writeFileSync(file, "");
      child.kill("SIGUSR2");
    },
    end,
  };
}

function holder(lease: Awaited<ReturnType<typeof leaseOf>>): string | undefined {
  return lease?.spec.holderIdentity;
}
