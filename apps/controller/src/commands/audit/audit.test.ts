import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startTestCluster, testClusterFolder } from "@cloudwright/core/kube/testing/test-cluster";
import { connect, type Database } from "@cloudwright/store/database/database";
import { ADD_ENTRIES } from "@cloudwright/store/sql/statements";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  startTestServer,
  type TestServer,
} from "../../../../../packages/store/testing/database-fixture.ts";
import { anchorKeeper } from "../../process/ledger/anchor-file.ts";
import { signingKey } from "../../process/ledger/anchor-key.ts";
import { runOtherCommand } from "../program.ts";
import { useWrittenOutput } from "../testing/written-output.ts";

const CLUSTER = "6f3c2a10-0000-4000-8000-000000000001";
const NOON = Date.UTC(2026, 0, 1, 12);

let dir: string;
let server: TestServer;
let url: string;
let db: Database;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "cloudwright-audit-"));
  server = await startTestServer({ ownServer: true });
  url = await server.migrated();
  db = connect(url);
  await addCluster(CLUSTER, "prod-eu");
  await add(
    { object_kind: "Node", object_name: "w-1", action: "node.initialise", at: NOON },
    { object_kind: "Node", object_name: "w-2", action: "node.delete", result: "failed" },
    { actor_kind: "person", actor_name: "ana", action: "intent.request", why: "INC-88" },
  );
  await add({
    cluster_id: null,
    actor_kind: "person",
    actor_name: "ana",
    action: "account.sign-in",
  });
});
afterAll(async () => {
  await db?.close();
  await server.dispose();
  rmSync(dir, { recursive: true, force: true });
});

const output = useWrittenOutput();

/** Returns a command's standard output; rejects with the error behind an exit code other than 0. */
async function run(...args: readonly string[]): Promise<string> {
  const code = await runOtherCommand([...args, "--database-url", url]);
  expect(code).toBe(0);
  return output.text();
}

async function addCluster(id: string, name: string): Promise<void> {
  await db.pool.query("INSERT INTO clusters VALUES ($1, $2, 'sandbox', now())", [id, name]);
}

const ROW = {
  id: randomUUID(),
  cluster_id: CLUSTER,
  at: NOON + 60_000,
  actor_kind: "controller",
  actor_id: "id",
  actor_name: "cloud-node-controller",
  action: "node.labels",
  why: "Because.",
  result: "applied",
  before: null,
  after: { a: 1 },
};

async function add(...entries: readonly object[]): Promise<void> {
  const rows = entries.map((entry) => ({ ...ROW, id: randomUUID(), ...entry }));
  await db.pool.query(ADD_ENTRIES, [JSON.stringify(rows)]);
}

async function tampered(statement: string, undo: string, work: () => Promise<void>): Promise<void> {
  const alone = (sql: string) =>
    db.pool.query(
      `ALTER TABLE audit_entries DISABLE TRIGGER USER; ${sql}; ALTER TABLE audit_entries ENABLE TRIGGER USER`,
    );
  await alone(statement);
  try {
    await work();
  } finally {
    await alone(undo);
  }
}

describe("cloudwright audit", () => {
  it("prints the newest entries first, as a table", async () => {
    const lines = (await run("audit", "--cluster", "prod-eu", "--limit", "2")).split("\n");
    expect(lines[0]).toMatch(
      /^NUMBER {3}AT .* ACTOR .* ACTION .* OBJECT .* RESULT .* HASH .* WHY$/,
    );
    expect(lines[1]).toMatch(/^3 .*2026-01-01T12:01:00.000Z {2}ana .*intent.request .*INC-88$/);
    expect(lines[2]).toMatch(/^2 .*node.delete .*Node w-2 .*failed/);
    expect(lines.slice(3)).toEqual([""]);
  });

  it.each<[readonly string[], readonly number[]]>([
    [["--actor", "ana"], [3]],
    [
      ["--action", "node.*"],
      [2, 1],
    ],
    [
      ["--object", "w-*"],
      [2, 1],
    ],
    [["--result", "failed"], [2]],
    [["--to", "2026-01-01T12:00:30Z"], [1]],
    [
      ["--from", "2026-01-01T12:00:30Z"],
      [3, 2],
    ],
    [["--text", "inc-"], [3]],
  ])("selects by %j", async (flags, numbers) => {
    const text = await run("audit", ...flags, "-o", "json");
    expect((JSON.parse(text) as { seq: number }[]).map(({ seq }) => seq)).toEqual(numbers);
  });

  it("prints what concerns accounts separately, and as CSV", async () => {
    const lines = (await run("audit", "--cluster", "accounts", "-o", "csv")).split("\r\n");
    expect(lines[0]).toMatch(/^number,at,actor_kind,/);
    expect(lines[1]).toMatch(
      /^1,2026-01-01T12:01:00.000Z,person,id,ana,account.sign-in,.*,postgres,owner$/,
    );
    expect(lines).toHaveLength(3);
  });

  it.each([
    [["audit", "--from", "someday"], /^--from is "someday": give a duration/],
    [["audit", "--cluster", "other"], /^There is no cluster "other": give/],
    [["audit", "verify", "--checkpoint", "12"], /^--checkpoint is "12": give the number/],
    [["audit", "verify", "--file", "/nowhere.json"], /^There is no file/],
    [
      ["audit", "verify", "--file", "package.json", "--cluster", "accounts"],
      /^--cluster cannot be combined with --file: an export names its own chain\.$/,
    ],
    [["audit", "verify", "--file", "/"], /^--file cannot be read \(EISDIR/],
    [["audit", "verify", "--file", "package.json"], /^This is not an unchanged JSON export/],
  ])("refuses %j in one sentence", async (args, sentence) => {
    await expect(run(...args)).rejects.toThrow(sentence);
  });
});

describe("cloudwright audit verify", () => {
  it("reports for every chain that it is intact, and its head", async () => {
    const text = await run("audit", "verify");
    expect(text).toMatch(/^INTACT {2}accounts: The one entry is as written/);
    expect(text).toMatch(new RegExp(`\nINTACT {2}${CLUSTER}: All 3 entries are as written`));
    expect(text).toMatch(/\n {2}head {5}3:[0-9a-f]{64}\n$/);
  });

  it("exits with 2 and names the entry that was changed, and what is still proven", async () => {
    await tampered(
      "UPDATE audit_entries SET why = 'x' WHERE seq = 2 AND action = 'node.delete'",
      "UPDATE audit_entries SET why = 'Because.' WHERE seq = 2 AND action = 'node.delete'",
      async () => {
        await expect(run("audit", "verify")).rejects.toMatchObject({
          exitCode: 2,
          message: expect.stringMatching(
            new RegExp(`^The audit log is broken \\(${CLUSTER}\\)\\.`),
          ),
        });
        expect(output.text()).toContain(
          "Entry 2 was changed: the contents are not those that were hashed.",
        );
        expect(output.text()).toContain(
          "proven   entry 3 is as written, confirmed by the entries after it",
        );
        expect(output.text()).toContain("INTACT  accounts");
        output.clear();
        await expect(
          run("audit", "verify", "--cluster", "prod-eu", "-o", "json"),
        ).rejects.toMatchObject({ exitCode: 2 });
        expect(JSON.parse(output.text())).toMatchObject([
          { intact: false, breaks: [{ kind: "changed", from: 2 }] },
        ]);
      },
    );
  });

  it("compares with a checkpoint that somebody noted down", async () => {
    const head = /head {5}(3:[0-9a-f]{64})/.exec(
      await run("audit", "verify", "--cluster", CLUSTER),
    );
    const noted = head?.[1] ?? "";
    expect(await run("audit", "verify", "--checkpoint", noted)).toContain(
      "(given by --checkpoint): holds",
    );
    const other = `3:${"f".repeat(64)}`;
    await expect(run("audit", "verify", "--checkpoint", other)).rejects.toMatchObject({
      exitCode: 2,
    });
    expect(output.text()).toContain("is not the one that the checkpoint of");
  });

  it("compares with every line of a signed anchor, even one superseded by a later line", async () => {
    const path = join(dir, "audit.anchor");
    const keyFile = join(dir, "anchor.key");
    const keeper = anchorKeeper({ path, cluster: CLUSTER, key: signingKey(keyFile) });
    const { rows } = await db.pool.query<{ seq: string; hash: string }>(
      "SELECT seq, hash FROM audit_entries WHERE chain = $1 ORDER BY seq",
      [CLUSTER],
    );
    const at = NOON;
    for (const { seq, hash } of rows.slice(0, 2)) {
      await keeper.write({ at, cluster: { seq: Number(seq), hash, at } });
    }
    const compare = [
      ...["audit", "verify", "--cluster", CLUSTER],
      ...["--anchor", pathToFileURL(path).toString(), "--anchor-key", `${keyFile}.pub`],
    ];
    const text = await run(...compare);
    expect(text).toContain(
      `checkpoint at 2 of 2026-01-01T12:00:00.000Z (anchor file ${path}): holds`,
    );
    expect(text).toContain("anchored up to entry 2; not yet anchored: 1");

    await keeper.write({ at, cluster: { seq: 2, hash: "f".repeat(64), at } });
    await keeper.write({ at, cluster: { seq: 3, hash: rows[2]?.hash ?? "", at } });
    output.clear();
    await expect(run(...compare)).rejects.toMatchObject({ exitCode: 2 });
    expect(output.text()).toMatch(
      /Entry 2 is not the one that the checkpoint of .* \(file .*\) names/,
    );
    await expect(run(...compare.slice(0, 6))).rejects.toThrow(/^Give --anchor and --anchor-key/);
  });

  it("verifies an export without the database, and detects a change in it", async () => {
    const file = join(dir, "export.json");
    writeFileSync(file, await run("audit", "export", "--cluster", "prod-eu", "-o", "json"));
    output.clear();
    expect(await run("audit", "verify", "--file", file)).toMatch(/^INTACT {2}.*All 3 entries/);
    writeFileSync(file, readFileSync(file, "utf8").replace("INC-88", "INC-89"));
    await expect(run("audit", "verify", "--file", file)).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe("cloudwright audit export", () => {
  it("writes filter, time and the chain's range into the file", async () => {
    const lines = (await run("audit", "export", "-o", "csv", "--action", "node.*")).split("\r\n");
    expect(lines.slice(0, 4)).toEqual([
      `# Cloudwright audit export of chain,${CLUSTER}`,
      expect.stringMatching(/^# exported at,2/),
      '# filter,"{""action"":""node.*""}"',
      "# entries,2,from,1,to,2",
    ]);
  });
});

describe("cloudwright migrate", () => {
  it("keeps the roles' connection strings where only their owner can read them", async () => {
    const file = join(dir, "roles.json");
    await run("migrate", "--role-urls", file);
    const first = readFileSync(file, "utf8");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(output.text()).not.toContain(new URL(JSON.parse(first).web).password);
    await run("migrate", "--role-urls", file);
    expect(readFileSync(file, "utf8")).toBe(first);
    writeFileSync(file, "{}");
    await expect(run("migrate", "--role-urls", file)).rejects.toThrow(
      /does not contain connection strings/,
    );
  });

  it("gives no new passwords if they cannot be stored, so that nobody is locked out", async () => {
    const file = join(dir, "kept.json");
    await run("migrate", "--role-urls", file);
    await expect(run("migrate", "--role-urls", join(dir, "none", "roles.json"))).rejects.toThrow(
      /^--role-urls \S+ cannot be written \(ENOENT: .*\): name a file in a directory that you may write to\.$/,
    );
    const login = connect(JSON.parse(readFileSync(file, "utf8")).controller);
    await expect(login.pool.query("SELECT 1")).resolves.toMatchObject({ rowCount: 1 });
    await login.close();
  });

  it.each([
    ["--role-urls", /^--role-urls \S+ cannot be read \(EISDIR: .*\): name a file\.$/],
    ["--kubeconfig", /^The kubeconfig \S+ cannot be used: EISDIR/],
  ])("refuses a directory as %s", async (flag, sentence) => {
    await expect(run("migrate", flag, dir)).rejects.toThrow(sentence);
  });
});

describe("cloudwright database", () => {
  const OTHER = "6f3c2a10-0000-4000-8000-000000000009";

  it("grants a cluster to the shared login and revokes it again", async () => {
    expect(await run("database", "logins")).toMatch(/^No login is bound to a cluster/);
    expect(await run("database", "grant", "--cluster", "prod-eu")).toContain(
      `cloudwright_controller may write for the cluster ${CLUSTER}.`,
    );
    output.clear();
    expect(await run("database", "logins")).toMatch(
      new RegExp(`^cloudwright_controller {2}${CLUSTER} {2}since 2.* by postgres\\n$`),
    );
    await run("database", "revoke", "--cluster", CLUSTER);
    await expect(run("database", "revoke", "--cluster", CLUSTER)).rejects.toThrow(
      /has no grant for the cluster/,
    );
  });

  it("creates a login for one cluster, and keeps its password where only its owner can read it", async () => {
    const file = join(dir, "other.json");
    await run("database", "grant", "--cluster", OTHER, "--role-urls", file);
    const { controller } = JSON.parse(readFileSync(file, "utf8"));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(output.text()).not.toContain(new URL(controller).password);
    const login = connect(controller);
    await login.pool.query(ADD_ENTRIES, [JSON.stringify([{ ...ROW, cluster_id: OTHER }])]);
    await expect(
      login.pool.query(ADD_ENTRIES, [JSON.stringify([{ ...ROW, id: randomUUID() }])]),
    ).rejects.toThrow(/run cloudwright database grant --cluster/);
    await login.close();
  });

  it.each([
    [["grant"], /^Name the cluster with/],
    [
      ["grant", "--cluster", "nowhere"],
      /^There is no cluster "nowhere": give --cluster with one of prod-eu \(6f3c/,
    ],
    [
      ["grant", "--cluster", OTHER, "--login", "nobody"],
      /^There is no login nobody on this server: check the name, or create it with CREATE ROLE\.$/,
    ],
    [["grant", "--cluster", OTHER, "--login", "a", "--role-urls", "b"], /^Give --login/],
  ])("refuses %j in one sentence", async (args, sentence) => {
    await expect(run("database", ...args)).rejects.toThrow(sentence);
  });
});

describe.skipIf(testClusterFolder() === undefined)("with the checkpoint of a real cluster", () => {
  it("detects a chain that was replaced entirely, and a chain that is gone", async () => {
    const cluster = await startTestCluster(testClusterFolder() ?? "");
    try {
      const uid = await cluster.kubectl(
        "get",
        "namespace",
        "kube-system",
        "-o=jsonpath={.metadata.uid}",
      );
      const compare = ["audit", "verify", "--kubeconfig", cluster.kubeconfig];
      expect(await run(...compare)).not.toContain("ConfigMap");

      await addCluster(uid, "real");
      await add({ cluster_id: uid }, { cluster_id: uid });
      const { rows } = await db.pool.query<{ hash: string }>(
        "SELECT hash FROM audit_chains WHERE chain = $1",
        [uid],
      );
      const head = { seq: 2, hash: rows[0]?.hash, at: NOON };
      await keep(cluster.kubectl, JSON.stringify({ at: NOON, cluster: head }));
      output.clear();
      expect(await run(...compare, "--cluster", "real")).toContain(
        "checkpoint at 2 of 2026-01-01T12:00:00.000Z (ConfigMap kube-system/cloudwright-controls): holds",
      );

      await keep(cluster.kubectl, JSON.stringify({ at: NOON, cluster: { ...head, seq: 5 } }));
      await expect(run(...compare)).rejects.toMatchObject({ exitCode: 2 });
      expect(output.text()).toContain("Entries 3 to 5 were removed: the chain ends at 2");

      await keep(cluster.kubectl, "nonsense");
      await expect(run(...compare)).rejects.toThrow(/^The audit checkpoint in ConfigMap/);
    } finally {
      await cluster.stop();
    }
  });

  async function keep(
    kubectl: (...args: string[]) => Promise<string>,
    text: string,
  ): Promise<void> {
    await kubectl(
      "delete",
      "configmap",
      "-n=kube-system",
      "cloudwright-controls",
      "--ignore-not-found",
    );
    await kubectl(
      ...["create", "configmap", "-n=kube-system", "cloudwright-controls"],
      `--from-literal=audit-checkpoint=${text}`,
    );
  }
});
