import { insertAuditEntry } from "@cloudwright/store/audit/audit-insert";
import { beforeAll, describe, expect, it } from "vitest";
import { CLUSTER, heartbeat } from "../../../packages/store/testing/records.ts";
import { auditExportRequest } from "../src/server/exports/audit-export-request.ts";
import { exportRequest } from "../src/server/exports/export-request.ts";
import { ledger } from "../src/server/ledger.ts";
import { type Browser, ORIGIN, owner, testDashboard } from "./testing/dashboard-server.ts";

const server = testDashboard([heartbeat()]);
let viewer: Browser;

beforeAll(async () => {
  viewer = await server.signedIn("viewer");
  for (const name of ["w-1", "w-2", "=cmd|' /C calc'!A0"]) {
    await insertAuditEntry(owner().prisma, {
      actor: { kind: "person", id: "ana", name: "Ana" },
      ...{ cluster: CLUSTER, action: "node.hold", why: `hold of ${name}`, result: "applied" },
      object: { kind: "Node", name },
      ...{ before: null, after: { hold: name } },
    });
  }
});

interface Query {
  readonly cluster?: string;
  readonly format?: string;
  readonly filter?: object;
}

function exported(
  { cluster = CLUSTER, format = "json", filter = {} }: Query,
  headers = viewer.headers(),
) {
  const members = { list: "audit", cluster, format, filter: JSON.stringify(filter) };
  const params = new URLSearchParams(members);
  return exportRequest(new Request(`${ORIGIN}/api/export?${params}`, { headers }));
}

interface File {
  readonly entries: readonly { readonly objectName: string | null; readonly action: string }[];
}

async function namesIn(answer: Response): Promise<readonly (string | null)[]> {
  const { entries } = (await answer.json()) as File;
  return entries.filter(({ action }) => action === "node.hold").map(({ objectName }) => objectName);
}

describe("an export of the audit record", () => {
  it("is a file of the cluster's entries, which must not be cached", async () => {
    const answer = await exported({});
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="audit-[\w-]+-\d{8}T\d{4}Z\.json"$/,
    );
    expect(new Set(await namesIn(answer))).toEqual(new Set(["w-1", "w-2", "=cmd|' /C calc'!A0"]));
  });

  it("has exactly what the filter selects", async () => {
    const namesOf = async (filter: object) => namesIn(await exported({ filter }));
    expect(await namesOf({ object: { kind: "Node", name: "w-1" } })).toEqual(["w-1"]);
    expect(await namesOf({ object: { name: "w-*" } })).toHaveLength(2);
    expect(await namesOf({ action: "node.release" })).toEqual([]);
    expect(await namesOf({ to: 1 })).toEqual([]);
  });

  it("contains no formula as CSV, for users who open it in a spreadsheet", async () => {
    const text = await (await exported({ format: "csv" })).text();
    expect(text).toContain("w-1");
    const cells = text.split(/[,\r\n]/).map((cell) => cell.replace(/^"/, ""));
    expect(cells.filter((cell) => cell.startsWith("=") || cell.startsWith("@"))).toEqual([]);
  });

  it("leaves an entry itself: who exported what", async () => {
    await (await exported({ filter: { object: { name: "w-2" } } })).text();
    const entries = await ledger().prisma.auditEntry.findMany({
      where: { actorId: viewer.userId, action: { contains: "export" } },
      orderBy: { seq: "desc" },
      take: 1,
    });
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries[0]?.after)).toContain("w-2");
  });
});

describe("an export is refused", () => {
  it("if nobody is signed in", async () => {
    const answer = await exported({}, new Headers());
    expect(answer.status).toBe(401);
    expect(await answer.text()).toBe("You are not signed in.\n");
  });

  it("to a page of another site", async () => {
    const headers = viewer.headers();
    headers.set("sec-fetch-site", "cross-site");
    expect((await exported({}, headers)).status).toBe(403);
  });

  it.each([
    { format: "xml" },
    { filter: { from: "yesterday" } },
    { filter: { colour: "red" } },
    { filter: { withoutPreviews: "perhaps" } },
  ])("for unknown input: %j, in one sentence", async (query) => {
    const answer = await exported(query);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe("The request is not valid.\n");
  });

  it("for an unknown cluster just as for one that the user may not see", async () => {
    const restricted = await server.signedIn("viewer");
    const admin = await server.signedIn("admin");
    await admin.mutate("people.setClusters", { id: restricted.userId, clusters: [] });
    const theirs = await exported({}, restricted.headers());
    const none = await exported(
      { cluster: "0b000000-0000-4000-8000-00000000000b" },
      viewer.headers(),
    );
    expect([theirs.status, none.status]).toEqual([404, 404]);
    expect(await theirs.text()).toBe(await none.text());
  });

  it("to users who ask too often, until a minute has passed", async () => {
    const eager = await server.signedIn("viewer");
    const codes: number[] = [];
    for (let count = 0; count < 21; count += 1)
      codes.push((await exported({ format: "xml" }, eager.headers())).status);
    expect(codes.slice(0, 20)).toEqual(Array(20).fill(400));
    expect(codes[20]).toBe(429);
  });
});

describe("the former address of the audit export", () => {
  function earlier(query: Readonly<Record<string, string>>, headers = viewer.headers()) {
    const params = new URLSearchParams({ cluster: CLUSTER, format: "json", ...query });
    return auditExportRequest(new Request(`${ORIGIN}/api/audit-export?${params}`, { headers }));
  }

  it("takes the filter's members one by one", async () => {
    const namesOf = async (query: Readonly<Record<string, string>>) =>
      namesIn(await earlier(query));
    expect(await namesOf({ objectKind: "Node", objectName: "w-1" })).toEqual(["w-1"]);
    expect(await namesOf({ objectName: "w-*" })).toHaveLength(2);
    expect(await namesOf({ action: "node.release" })).toEqual([]);
    expect(await namesOf({ to: "1" })).toEqual([]);
  });

  it.each([
    [{ from: "yesterday" }, 400],
    [{ colour: "red" }, 400],
    [{ withoutPreviews: "perhaps" }, 400],
  ])("refuses %j", async (query, status) => {
    expect((await earlier(query)).status).toBe(status);
  });

  it("refuses users who are not signed in", async () => {
    expect((await earlier({}, new Headers())).status).toBe(401);
  });
});
