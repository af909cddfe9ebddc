import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serveDatabase } from "../../harness/controller.ts";
import { rowsOf } from "../../harness/database.ts";
import { cloudwright, runCloudwright } from "../../harness/processes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { readHistory } from "../environment/history.ts";
import { type IsolatedEnvironment, isolatedRows } from "../environment/isolated.ts";
import { createInstance, createNode, initialised, internal } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";

const NODES_ALONE = { "--controllers": "cloud-node", "--leader-elect": "false" };

/** Rows L-40 and L-41: what an audit log can be verified against, and which login may write which chain. */
export const AUDIT_TRAIL: readonly Scenario[] = isolatedRows({
  "L-40 every audit entry is soon bound by the cluster's checkpoint and a signed anchor, which find a chain that was hashed anew":
    async (env) => {
      const namespace = "conformance-l-40";
      await env.electIn(namespace);
      const ledger = await separateLedger(env);
      const anchor = new URL(`file://${join(env.dir, "l-40.anchor")}`).toString();
      const key = join(env.dir, "l-40.key");
      await env.start({
        databaseUrl: ledger.controllerUrl,
        flags: {
          ...NODES_ALONE,
          "--leader-elect-resource-namespace": namespace,
          "--audit-anchor": anchor,
          "--audit-anchor-key": key,
        },
      });
      await joins(env, "l-40-node");
      const verify = [
        ...["audit", "verify", "--database-url", ledger.url, "--output", "json"],
        ...["--kubeconfig", env.cluster.kubeconfig, "--namespace", namespace],
        ...["--anchor", anchor, "--anchor-key", `${key}.pub`],
      ];
      await eventually(async () => {
        const found = JSON.parse(await runCloudwright(verify)) as readonly Verification[];
        const chain = found.find(({ entries }) => entries > 0);
        same(chain?.notAnchored, 0, "entries that are not anchored yet");
        const copies = new Set(chain?.checkpoints.map(({ copy }) => copy));
        demand(copies.has("configMap") && copies.has("anchor"), `compared with ${[...copies]}`);
      });

      const chain = (await uidOf(env)) ?? "";
      await rowsOf(ledger.url, hashedAnew(chain));
      const broken = cloudwright(verify);
      same(await broken.ended, 2, `the exit code of audit verify (${broken.output()})`);
      demand(broken.output().includes('"kind": "rewritten"'), broken.output());
    },
  "L-41 a controller whose login is another cluster's writes no audit entry, works on, and loses none once it has a grant":
    async (env) => {
      const ledger = await separateLedger(env);
      const database = ["--database-url", ledger.url];
      await runCloudwright(["database", "grant", "--cluster", randomUUID(), ...database]);
      const replica = await env.start({
        databaseUrl: ledger.controllerUrl,
        flags: NODES_ALONE,
      });
      await joins(env, "l-41-node");
      await eventually(() =>
        demand(
          replica.output().includes("run cloudwright database grant --cluster"),
          "its log does not say what to do",
        ),
      );
      same(await countOf(ledger.url), 0, "entries without a grant");
      for (const statement of FORBIDDEN) {
        const refused = await rowsOf(ledger.controllerUrl, statement).then(
          () => "done",
          (error: { readonly code?: string }) => error.code,
        );
        same(refused, "42501", `what becomes of ${statement}`);
      }
      await runCloudwright([
        ...["database", "grant", "--kubeconfig", env.cluster.kubeconfig],
        ...database,
      ]);
      await eventually(async () => {
        demand((await countOf(ledger.url)) > 0, "no entry came after the grant");
        const runs = await readHistory(ledger.url, ["--object", "l-41-node"]);
        demand(
          runs.some(({ reason }) => reason?.code === "Initialised"),
          "the run from before the grant is missing",
        );
      });
      const logins = await rowsOf<{ written_by: string; proof: string }>(
        ledger.url,
        "SELECT DISTINCT written_by, proof FROM audit_entries",
      );
      same(
        logins,
        [{ written_by: "cloudwright_controller", proof: "controller-login" }],
        "who wrote the entries",
      );
    },
});

const FORBIDDEN = [
  "UPDATE audit_entries SET why = 'x'",
  "DELETE FROM audit_entries",
  "TRUNCATE audit_entries",
  "ALTER TABLE audit_entries DISABLE TRIGGER USER",
  "UPDATE audit_chains SET seq = 0",
  "DELETE FROM controller_logins",
];

interface Verification {
  readonly entries: number;
  readonly notAnchored: number;
  readonly checkpoints: readonly { readonly copy: string }[];
}

interface SeparateLedger {
  /** The owner's connection string. */
  readonly url: string;
  readonly controllerUrl: string;
}

/** Creates a separate database for the row, in which the controller uses the login of its role. */
async function separateLedger(env: IsolatedEnvironment): Promise<SeparateLedger> {
  const dir = join(env.dir, `${env.name}-ledger`);
  mkdirSync(dir, { recursive: true });
  const database = await serveDatabase(dir);
  env.after(() => database.stop());
  const { url } = database.ready;
  const roles = join(dir, "roles.json");
  await runCloudwright(["migrate", "--database-url", url, "--role-urls", roles]);
  const urls = JSON.parse(readFileSync(roles, "utf8")) as { readonly controller: string };
  return { url, controllerUrl: urls.controller };
}

async function joins(env: IsolatedEnvironment, name: string): Promise<void> {
  await createInstance(env, name, { addresses: [internal("10.237.0.1")] });
  await createNode(env, name);
  await initialised(env, name, 60_000);
}

async function countOf(url: string): Promise<number> {
  const rows = await rowsOf<{ count: number }>(
    url,
    "SELECT count(*)::int AS count FROM audit_entries",
  );
  return rows[0]?.count ?? 0;
}

async function uidOf({ kube }: IsolatedEnvironment): Promise<string | undefined> {
  return (await kube.get("/api/v1/namespaces/kube-system")).metadata.uid;
}

/** What an owner could do to hide a change: the whole chain gets new hashes, including its head. */
function hashedAnew(chain: string): string {
  return `
    ALTER TABLE audit_entries DISABLE TRIGGER USER;
    DO $$
    DECLARE entry audit_entries; hash_before text := repeat('0', 64);
    BEGIN
      FOR entry IN SELECT * FROM audit_entries WHERE chain = '${chain}' ORDER BY seq LOOP
        entry.why := 'Nothing happened.';
        entry.prev_hash := hash_before;
        entry.hash := cloudwright_audit_hash(entry);
        UPDATE audit_entries SET why = entry.why, prev_hash = entry.prev_hash, hash = entry.hash
         WHERE chain = entry.chain AND seq = entry.seq;
        UPDATE audit_chains SET hash = entry.hash WHERE chain = entry.chain;
        hash_before := entry.hash;
      END LOOP;
    END $$;
    ALTER TABLE audit_entries ENABLE TRIGGER USER`;
}
