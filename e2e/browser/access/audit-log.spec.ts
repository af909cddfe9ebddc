import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { APIRequestContext, APIResponse } from "@playwright/test";
import { rowsOf } from "../../harness/database.ts";
import { runCloudwright } from "../../harness/processes.ts";
import { eventually, same } from "../../harness/wait.ts";
import { expect, SIGNED_OUT, sessionOf, test } from "../fixtures/dashboard.ts";

// A separate product, because its audit log is tampered with at the end.
test.use({ fleet: 3 });

test("controller and dashboard use separate database logins", async ({ product, page }) => {
  await page.goto("/");
  const { databaseUrl } = product.endpoints;
  const logins = await rowsOf<{ usename: string }>(
    databaseUrl,
    "SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  expect(new Set(logins.map(({ usename }) => usename))).toEqual(
    new Set(["cloudwright_controller", "cloudwright_web"]),
  );
  expect(statSync(join(product.dataDir, "database-roles.json")).mode & 0o777).toBe(0o600);
  for (const part of ["controller", "dashboard"]) {
    const log = readFileSync(join(product.dataDir, "logs", `${part}.log`), "utf8");
    expect(log).not.toContain("permission denied");
    expect(log).not.toContain("roles are not separated");
  }
});

test.describe("as a viewer", () => {
  test.use({ storageState: async ({ product }, use) => use(await sessionOf(product, "viewer")) });

  test("exports exactly what a filter selects, with the filter and the range in the chain", async ({
    request,
    cluster,
    product,
  }) => {
    await untilInitialised(product.endpoints.databaseUrl);
    const csv = await exported(request, {
      ...{ cluster, format: "csv" },
      filter: { action: "node.initialise" },
    });
    expect(csv.headers()["content-type"]).toBe("text/csv; charset=utf-8");
    expect(csv.headers()["content-disposition"]).toMatch(/^attachment; filename="audit-.*Z\.csv"$/);
    const lines = (await csv.text()).trimEnd().split("\r\n");
    expect(lines[2]).toBe('# filter,"{""action"":""node.initialise""}"');
    expect(lines.slice(6)).toHaveLength(3);
    const one = await exported(request, {
      ...{ cluster, format: "json" },
      filter: { object: { name: "node-1" } },
    });
    const file = await one.json();
    expect(file.filter).toEqual({ object: { name: "node-1" } });
    expect(file.entries.length).toBe(file.range.count);
    for (const { objectName } of file.entries) expect(objectName).toBe("node-1");
    const entries = await rowsOf<{ why: string }>(
      product.endpoints.databaseUrl,
      "SELECT why FROM audit_entries WHERE action = 'audit.export' AND actor_name = 'viewer' AND client_address = '127.0.0.1' ORDER BY seq",
    );
    expect(entries.map(({ why }) => why)).toEqual([
      "Exported 3 entries as csv",
      `Exported ${file.range.count} entries as json`,
    ]);
  });

  test("verifies the chain, which is recorded", async ({ request, cluster, product }) => {
    const answer = await request.post("/api/trpc/audit.verify", {
      data: { json: { cluster: idOf(cluster) } },
      headers: { origin: product.endpoints.dashboard },
    });
    const found = (await answer.json()).result.data.json;
    expect(found).toMatchObject({ intact: true, breakCount: 0 });
    const input = encodeURIComponent(JSON.stringify({ json: { cluster: idOf(cluster) } }));
    const chain = await (await request.get(`/api/trpc/audit.chain?input=${input}`)).json();
    expect(chain.result.data.json.verified).toMatchObject({ intact: true, by: "viewer" });
  });

  test("is refused an invalid export", async ({ request, cluster }) => {
    const cases: readonly [Parameters<typeof exported>[1], number, RegExp][] = [
      [{ cluster, format: "xml" }, 400, /not valid/],
      [{ cluster, format: "csv", filter: { colour: "red" } }, 400, /not valid/],
      [{ cluster, format: "csv", filter: { from: "yesterday" } }, 400, /not valid/],
      [{ cluster, format: "csv", filter: "{" }, 400, /not valid/],
      [{ cluster: "/c/elsewhere", format: "csv" }, 404, /No controller has reported/],
    ];
    for (const [query, status, sentence] of cases) {
      const answer = await exported(request, query);
      expect(answer.status(), JSON.stringify(query)).toBe(status);
      expect(await answer.text()).toMatch(sentence);
    }
    const foreign = await exported(request, { cluster, format: "csv" }, "cross-site");
    expect(foreign.status()).toBe(403);
  });
});

test.describe("a user who is not signed in", () => {
  test.use({ storageState: SIGNED_OUT });

  test("gets no export", async ({ request, cluster }) => {
    const answer = await exported(request, { cluster, format: "json" });
    expect(answer.status()).toBe(401);
    expect(await answer.text()).toBe("You are not signed in.\n");
  });
});

test("the cluster keeps a checkpoint, which reveals that the whole chain was rewritten", async ({
  product,
  cluster,
  request,
}) => {
  const { databaseUrl, kubeconfig } = product.endpoints;
  await untilInitialised(databaseUrl);
  const noted = "SELECT FROM audit_checkpoints WHERE place LIKE 'ConfigMap kube-system/%'";
  await eventually(async () => same((await rowsOf(databaseUrl, noted)).length > 0, true, "noted"), {
    withinMs: 60_000,
  });
  const verify = ["audit", "verify", "--database-url", databaseUrl, "--kubeconfig", kubeconfig];
  expect(await runCloudwright(verify)).toContain(
    "(ConfigMap kube-system/cloudwright-controls): holds",
  );

  const file = join(product.dataDir, "export.json");
  writeFileSync(
    file,
    await runCloudwright(["audit", "export", "-o", "json", "--database-url", databaseUrl]),
  );
  expect(await runCloudwright(["audit", "verify", "--file", file])).toMatch(/^INTACT/);

  // The attack of somebody who owns the database and knows how the chain is built.
  await rowsOf(
    databaseUrl,
    `DO $$
    DECLARE entry audit_entries; hash_before text := repeat('0', 64);
    BEGIN
      ALTER TABLE audit_entries DISABLE TRIGGER USER;
      FOR entry IN SELECT * FROM audit_entries WHERE chain = '${idOf(cluster)}' ORDER BY seq FOR UPDATE LOOP
        entry.why := CASE WHEN entry.seq = 1 THEN 'Nothing to see.' ELSE entry.why END;
        entry.prev_hash := hash_before;
        entry.hash := cloudwright_audit_hash(entry);
        UPDATE audit_entries SET why = entry.why, prev_hash = entry.prev_hash, hash = entry.hash
         WHERE chain = entry.chain AND seq = entry.seq;
        UPDATE audit_chains SET hash = entry.hash WHERE chain = entry.chain;
        hash_before := entry.hash;
      END LOOP;
      DELETE FROM audit_checkpoints;
      ALTER TABLE audit_entries ENABLE TRIGGER USER;
    END $$`,
  );
  const answer = await request.post("/api/trpc/audit.verify", {
    data: { json: { cluster: idOf(cluster) } },
    headers: { origin: product.endpoints.dashboard },
  });
  expect((await answer.json()).result.data.json.intact).toBe(true);
  await expect(runCloudwright(verify)).rejects.toThrow(/The audit log is broken/);
});

function idOf(cluster: string): string {
  return cluster.slice("/c/".length);
}

interface ExportQuery {
  readonly cluster: string;
  readonly filter?: object | string;
  readonly format?: string;
}

function exported(
  request: APIRequestContext,
  { cluster, filter = {}, ...query }: ExportQuery,
  site = "same-origin",
): Promise<APIResponse> {
  const params = new URLSearchParams({
    ...{ list: "audit", ...query, cluster: idOf(cluster) },
    filter: typeof filter === "string" ? filter : JSON.stringify(filter),
  });
  return request.get(`/api/export?${params}`, { headers: { "sec-fetch-site": site } });
}

async function untilInitialised(databaseUrl: string): Promise<void> {
  const sql = "SELECT FROM audit_entries WHERE action = 'node.initialise' AND result = 'applied'";
  await eventually(async () => same((await rowsOf(databaseUrl, sql)).length, 3, "initialised"), {
    withinMs: 60_000,
  });
}
