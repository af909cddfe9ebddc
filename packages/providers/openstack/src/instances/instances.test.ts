import { instanceKey } from "@cloudwright/provider-api";
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedAnswer } from "../testing/http-service.ts";
import {
  ANY_SERVER,
  byId,
  byName,
  cloud,
  factsIn,
  itemNotFound,
  only,
  PORTS,
  port,
  project,
  requests,
  SERVERS,
  server,
  start,
  uuid,
} from "./testing/project.ts";

const oneServer = (count: number) => `GET /compute/v2.1/servers/${uuid(count)}`;

afterEach(() => cloud.close());

describe("many lookups", () => {
  it("take one listing of servers and one of ports, and a missing server is not called absent", async () => {
    const many = Array.from({ length: 20 }, (_, index) => index + 1);
    const describeAll = await start(
      project(
        many.map((each) => server(each)),
        many.map((each) => port(each)),
      ),
    );
    const answers = await describeAll([
      ...many.map((each) => byId(each)),
      byId(99),
      byName("node-100"),
    ]);
    expect(requests()).toEqual(["server_list", "port_list"]);
    for (const each of many)
      expect(factsIn(answers.get(instanceKey(byId(each)))).name).toBe(`node-${each}`);
    expect(answers.get(instanceKey(byId(99)))).toEqual({
      kind: "notListed",
      requestId: "req-list",
    });
    expect(answers.get(instanceKey(byName("node-100")))).toMatchObject({ kind: "notListed" });
  });

  it("follow all pages, and use single reads if those are fewer requests", async () => {
    const page = (marker: string | null) => (marker === null ? 0 : Number(marker) + 1);
    const pages = 4;
    const describeAll = await start({
      ...project([server(1), server(2), server(3)]),
      [SERVERS]: ({ query }) => {
        const at = page(query.get("marker"));
        const servers = Array.from({ length: 1_000 }, (_, index) => server(at * 1_000 + index + 1));
        const next = [{ rel: "next", href: `/servers/detail?marker=${at}` }];
        return { body: { servers, ...(at + 1 < pages ? { servers_links: next } : {}) } };
      },
    });
    await describeAll([byId(1), byId(2), byId(3)]);
    expect(requests()).toEqual([
      ...Array.from({ length: pages }, () => "server_list"),
      "port_list",
    ]);
    await describeAll([byId(1), byId(2), byId(3)]);
    expect(requests().slice(pages + 1)).toEqual([
      "server_get",
      "server_get",
      "server_get",
      "port_list",
    ]);
  });

  it("do not fail because of one that cannot be read", async () => {
    const describeAll = await start(
      project([server(1, { status: 7 }), server(2), server(3, { flavor: null })]),
    );
    const answers = await describeAll([byId(1), byId(2), byId(3)]);
    expect(answers.get(instanceKey(byId(1)))).toMatchObject({
      kind: "failed",
      error: { code: "Unavailable" },
    });
    expect(answers.get(instanceKey(byId(2)))).toMatchObject({ kind: "found" });
    expect(answers.get(instanceKey(byId(3)))).toMatchObject({
      kind: "failed",
      error: { message: expect.stringContaining("no flavor") },
    });
  });

  it("all fail if the ports cannot be listed, so that no address is taken away", async () => {
    const describeAll = await start({
      ...project([server(1), server(2)]),
      [PORTS]: { status: 503 },
    });
    const answers = await describeAll([byId(1), byId(2)]);
    for (const answer of answers.values())
      expect(answer).toMatchObject({ kind: "failed", error: { code: "Unavailable" } });
  });

  it("report a server in a cell that is down as unavailable", async () => {
    const down = {
      id: uuid(1),
      status: "UNKNOWN",
      tenant_id: "p",
      created: "2026-01-01T00:00:00Z",
      links: [],
    };
    const describeAll = await start(project([down, server(2)]));
    const answers = await describeAll([byId(1), byId(2), byName("node-1")]);
    expect(answers.get(instanceKey(byId(1)))).toMatchObject({
      kind: "failed",
      error: { code: "Unavailable" },
    });
    expect(answers.get(instanceKey(byName("node-1")))).toMatchObject({
      kind: "failed",
      error: { code: "Unavailable" },
    });
    expect(answers.get(instanceKey(byId(2)))).toMatchObject({ kind: "found" });
  });

  it.each(Object.keys(server(1)))(
    "survive a server without its %s, without calling it absent",
    async (field) => {
      const { [field]: _, ...rest } = server(1) as Record<string, unknown>;
      const describeAll = await start(project([rest as { id: string }, server(2)]));
      const answers = await describeAll([byId(1), byId(2)]);
      expect(answers.get(instanceKey(byId(1)))?.kind).toMatch(/^(found|failed|notListed)$/);
      expect(answers.get(instanceKey(byId(2)))?.kind).toBe("found");
    },
  );
});

describe("absence", () => {
  it("is proven by a single read in which Nova does not find it", async () => {
    const describeOne = await start({ ...project([server(2)]), [oneServer(1)]: itemNotFound(1) });
    expect(only(await describeOne([byId(1)], "single"))).toEqual({
      kind: "absent",
      proof: { by: "providerID", cloudShowsOthers: true, at: 1_000, requestId: "req-404" },
    });
    expect(requests()).toEqual(["server_get", "server_list"]);
  });

  it.each<[string, ScriptedAnswer]>([
    ["a 404 of something in between", { status: 404, text: "<html>" }],
    [
      "a wrong endpoint's 404",
      {
        status: 404,
        body: {
          message: "The resource could not be found.",
          code: "404 Not Found",
          title: "Not Found",
        },
      },
    ],
    [
      "a policy",
      { status: 403, body: { forbidden: { code: 403, message: "Policy doesn't allow it." } } },
    ],
    ["a 401", { status: 401, body: {} }],
    ["an empty answer", { body: {} }],
    ["a broken Nova", { status: 500, body: {} }],
  ])("is not proven by %s", async (_, answer) => {
    const describeOne = await start({ ...project([server(2)]), [oneServer(1)]: answer });
    expect(only(await describeOne([byId(1)], "single"))?.kind).toBe("failed");
  });

  it("is not proven if the listing right after it fails", async () => {
    const describeOne = await start({
      [oneServer(1)]: itemNotFound(1),
      [ANY_SERVER]: { status: 503 },
    });
    expect(only(await describeOne([byId(1)], "single"))?.kind).toBe("failed");
  });

  it("in a project without any servers is reported as such", async () => {
    const describeOne = await start({ ...project([]), [oneServer(1)]: itemNotFound(1) });
    expect(only(await describeOne([byId(1)], "single"))).toMatchObject({
      proof: { cloudShowsOthers: false },
    });
  });
});

describe("provider IDs", () => {
  const kindOf = async (providerID: string, options = {}) => {
    const describeOne = await start(project([server(1)]), options);
    return only(await describeOne([byId(1, providerID)], "single"))?.kind;
  };

  it.each([
    [`openstack:///${uuid(1)}`, "found"],
    [`openstack://RegionOne/${uuid(1)}`, "found"],
    [`/${uuid(1)}`, "found"],
    [`openstack://RegionTwo/${uuid(1)}`, "foreign"],
    [`aws:///${uuid(1)}`, "foreign"],
    [`openstack://${uuid(1)}`, "malformed"],
    ["openstack:///node-1", "malformed"],
    ["openstack:///", "malformed"],
    [`openstack:///a/${uuid(1)}`, "malformed"],
  ])("%s is %s", async (providerID, kind) => {
    expect(await kindOf(providerID)).toBe(kind);
    if (kind !== "found") expect(requests()).toEqual([]);
  });

  it.each([
    [false, `openstack:///${uuid(1)}`],
    [true, `openstack://RegionOne/${uuid(1)}`],
  ])("are written with the region: %s", async (regional, providerID) => {
    const describeOne = await start(project([server(1)]), { regional });
    expect(factsIn(only(await describeOne([byName("node-1")]))).providerID).toBe(providerID);
  });

  it("stay as the node has them", async () => {
    const describeOne = await start(project([server(1)]), { regional: true });
    expect(factsIn(only(await describeOne([byId(1)]))).providerID).toBe(`openstack:///${uuid(1)}`);
  });
});

describe("a lookup by name", () => {
  it("filters by the whole name and compares the results", async () => {
    const describeOne = await start({
      ...project([]),
      [SERVERS]: { body: { servers: [server(1, { name: "a.b" }), server(2, { name: "aXb" })] } },
    });
    expect(factsIn(only(await describeOne([byName("a.b")]))).name).toBe("a.b");
    expect(cloud.service.requests(SERVERS)[0]?.query.get("name")).toBe("^a\\.b$");
  });

  it("refuses two servers with the same name, naming both", async () => {
    const describeOne = await start(
      project([server(1, { name: "twin" }), server(2, { name: "twin" })]),
    );
    expect(only(await describeOne([byName("twin")]))).toMatchObject({
      kind: "failed",
      error: { code: "Invalid", message: expect.stringContaining(`${uuid(1)}, ${uuid(2)}`) },
    });
  });

  it("that finds nothing mentions the name", async () => {
    const describeOne = await start(project([server(1)]));
    expect(only(await describeOne([byName("none")], "single"))).toMatchObject({
      kind: "absent",
      proof: { by: "name" },
    });
  });
});
