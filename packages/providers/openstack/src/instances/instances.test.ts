import { type InstanceRef, instanceKey, type Lookup } from "@cloudwright/provider-api";
import { afterEach, describe, expect, it } from "vitest";
import { type Answers, type CloudUnderTest, startCloud } from "../testing/cloud.ts";
import type { ScriptedAnswer, SeenRequest } from "../testing/http-service.ts";
import { createInstances } from "./instances.ts";

const SERVERS = "GET /compute/v2.1/servers/detail";
const ANY_SERVER = "GET /compute/v2.1/servers";
const PORTS = "GET /network/v2.0/ports";
const FLAVORS = "GET /compute/v2.1/flavors";

const uuid = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
const oneServer = (count: number) => `GET /compute/v2.1/servers/${uuid(count)}`;

/** As Nova 26 answers at 2.69, without what nobody reads. */
const server = (count: number, fields: object = {}) => ({
  id: uuid(count),
  name: `node-${count}`,
  status: "ACTIVE",
  tenant_id: "cc2be08292f2476bb9cbd331500f7522",
  metadata: { lab: "node" },
  hostId: "cdc747ac852c4ed1892dd691ee65e80d07290d940beec43e22982ec0",
  image: { id: "24e6ecb1-542d-4b8b-9b0f-344ce92fdf9f", links: [] },
  flavor: {
    vcpus: 1,
    ram: 512,
    disk: 1,
    ephemeral: 0,
    swap: 0,
    original_name: "m1.tiny",
    extra_specs: {},
  },
  addresses: { private: [{ version: 4, addr: `10.20.2.${count}`, "OS-EXT-IPS:type": "fixed" }] },
  accessIPv4: "",
  accessIPv6: "",
  key_name: null,
  "OS-EXT-AZ:availability_zone": "zone-a",
  "OS-EXT-STS:vm_state": "active",
  ...fields,
});
const port = (count: number, fields: object = {}) => ({
  id: uuid(1_000 + count),
  network_id: "755f3016-4df0-45f9-90f9-811d4e4186e9",
  status: "ACTIVE",
  device_id: uuid(count),
  fixed_ips: [
    { subnet_id: "69098750-c605-4d0e-a359-3db458bc1483", ip_address: `10.20.2.${count}` },
  ],
  ...fields,
});
const itemNotFound = (count: number): ScriptedAnswer => ({
  status: 404,
  headers: { "x-openstack-request-id": "req-404" },
  body: { itemNotFound: { code: 404, message: `Instance ${uuid(count)} could not be found.` } },
});
/** Nova's and Neutron's for so many servers, with the filters that they have. */
function project(
  servers: readonly { id: string; name?: string }[],
  ports: readonly { device_id: string }[] = [],
): Answers {
  const listing = ({ query }: SeenRequest): ScriptedAnswer => {
    const name = query.get("name");
    const found = servers.filter((each) => name === null || new RegExp(name).test(each.name ?? ""));
    return { headers: { "x-openstack-request-id": "req-list" }, body: { servers: found } };
  };
  return {
    [SERVERS]: listing,
    [ANY_SERVER]: listing,
    [PORTS]: ({ query }) => {
      const devices = query.getAll("device_id");
      return {
        body: {
          ports: ports.filter((each) => devices.length === 0 || devices.includes(each.device_id)),
        },
      };
    },
    ...Object.fromEntries(
      servers.map((each) => [`GET /compute/v2.1/servers/${each.id}`, { body: { server: each } }]),
    ),
  };
}

let cloud: CloudUnderTest;
afterEach(() => cloud.close());

async function start(answers: Answers, { conf = "", regional = false } = {}) {
  const environment = { OS_CCM_REGIONAL: String(regional) };
  cloud = await startCloud({ answers, conf, environment });
  const { client, config, warnings } = cloud;
  const instances = createInstances({
    client,
    config,
    now: () => 1_000,
    warn: (message) => warnings.push(message),
  });
  return (refs: readonly InstanceRef[], mode: "batch" | "single" = "batch") =>
    instances.describe(refs, { mode }, cloud.context());
}

const byId = (count: number, providerID = `openstack:///${uuid(count)}`): InstanceRef => ({
  nodeName: `node-${count}`,
  providerID,
});
const byName = (nodeName: string): InstanceRef => ({ nodeName, providerID: undefined });
const requests = () =>
  cloud.calls.map(({ operation }) => operation).filter((name) => !/^token|version/.test(name));
const only = (answers: ReadonlyMap<string, Lookup>) => [...answers.values()][0];
const factsIn = (lookup: Lookup | undefined) => {
  if (lookup?.kind !== "found") throw new Error(`It is ${lookup?.kind}, not found.`);
  return lookup.facts;
};

describe("many lookups", () => {
  it("take one listing of servers and one of ports, with what is not listed not called absent", async () => {
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

  it("follow all pages, and take single reads once those are fewer requests", async () => {
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

  it("are not failed by one that cannot be read", async () => {
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

  it("all fail when the ports cannot be listed, so that no address is taken away", async () => {
    const describeAll = await start({
      ...project([server(1), server(2)]),
      [PORTS]: { status: 503 },
    });
    const answers = await describeAll([byId(1), byId(2)]);
    for (const answer of answers.values())
      expect(answer).toMatchObject({ kind: "failed", error: { code: "Unavailable" } });
  });

  it("call a server of a cell that is down unavailable", async () => {
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
  it("is proven by a single read of Nova's that does not find it", async () => {
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

  it("is not proven while the listing that is asked for right after fails", async () => {
    const describeOne = await start({
      [oneServer(1)]: itemNotFound(1),
      [ANY_SERVER]: { status: 503 },
    });
    expect(only(await describeOne([byId(1)], "single"))?.kind).toBe("failed");
  });

  it("of a project without any server says so", async () => {
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
  it("asks for the whole name alone and compares what comes", async () => {
    const describeOne = await start({
      ...project([]),
      [SERVERS]: { body: { servers: [server(1, { name: "a.b" }), server(2, { name: "aXb" })] } },
    });
    expect(factsIn(only(await describeOne([byName("a.b")]))).name).toBe("a.b");
    expect(cloud.service.requests(SERVERS)[0]?.query.get("name")).toBe("^a\\.b$");
  });

  it("refuses two servers of one name, naming both", async () => {
    const describeOne = await start(
      project([server(1, { name: "twin" }), server(2, { name: "twin" })]),
    );
    expect(only(await describeOne([byName("twin")]))).toMatchObject({
      kind: "failed",
      error: { code: "Invalid", message: expect.stringContaining(`${uuid(1)}, ${uuid(2)}`) },
    });
  });

  it("that finds nothing says so by name", async () => {
    const describeOne = await start(project([server(1)]));
    expect(only(await describeOne([byName("none")], "single"))).toMatchObject({
      kind: "absent",
      proof: { by: "name" },
    });
  });
});

describe("a server that is found says how", () => {
  it.each([
    [byId(1), "ACTIVE", "found by its provider ID"],
    [
      byId(1, `openstack://RegionOne/${uuid(1)}`),
      "SHUTOFF",
      "found by its provider ID with the region RegionOne",
    ],
    [
      byName("node-1"),
      "VERIFY_RESIZE",
      "found by its name, which no other server has; Nova says VERIFY_RESIZE",
    ],
  ])("%j in %s", async (ref, status, explained) => {
    const describeOne = await start(project([server(1, { status })]));
    expect(only(await describeOne([ref]))).toMatchObject({ kind: "found", explained });
  });
});

describe("facts", () => {
  const factsOf = async (fields: object, answers: Answers = {}) => {
    const describeOne = await start({ ...project([server(1, fields)], [port(1)]), ...answers });
    return factsIn(only(await describeOne([byId(1)], "single")));
  };

  it("are what Nova and Neutron say", async () => {
    expect(await factsOf({})).toEqual({
      providerID: `openstack:///${uuid(1)}`,
      name: "node-1",
      type: "m1.tiny",
      zone: "zone-a",
      region: "RegionOne",
      addresses: [{ type: "InternalIP", address: "10.20.2.1" }],
      additionalLabels: {
        "topology.openstack.org/host-id":
          "cdc747ac852c4ed1892dd691ee65e80d07290d940beec43e22982ec0",
      },
      power: "running",
      asOf: 1_000,
    });
    expect(requests()).toEqual(["server_get", "port_list"]);
  });

  it.each([
    ...[
      "ACTIVE",
      "PAUSED",
      "SUSPENDED",
      "SHELVED_OFFLOADED",
      "ERROR",
      "SOFT_DELETED",
      "VERIFY_RESIZE",
    ].map((status) => [status, "running"]),
    ["SHUTOFF", "stopped"],
    ["BUILD", "pending"],
  ])("of one that is %s have the power %s", async (status, power) => {
    expect((await factsOf({ status })).power).toBe(power);
  });

  it.each([
    ["nova", "nova"],
    ["zone a/1 (old)", "zone-a-1-old"],
    [`${"z".repeat(62)}-x`, "z".repeat(62)],
    [null, ""],
  ])("have the zone %s as %s", async (zone, label) => {
    expect((await factsOf({ "OS-EXT-AZ:availability_zone": zone })).zone).toBe(label);
  });

  it.each<[string, object, Answers, string]>([
    [
      "a flavor's id",
      { id: "f-1" },
      { [`${FLAVORS}/f-1`]: { body: { flavor: { id: "f-1", name: "m1.big" } } } },
      "m1.big",
    ],
    [
      "a flavor that is gone",
      { id: "f-1" },
      {
        [`${FLAVORS}/f-1`]: {
          status: 404,
          body: { itemNotFound: { code: 404, message: "Flavor f-1 could not be found." } },
        },
      },
      "f-1",
    ],
    [
      "a name that no label holds",
      { original_name: "m1 big" },
      { [FLAVORS]: { body: { flavors: [{ id: "f-2", name: "m1 big" }] } } },
      "f-2",
    ],
    [
      "such a name of a flavor that is gone",
      { original_name: "m1 big" },
      { [FLAVORS]: { body: { flavors: [] } } },
      "m1-big",
    ],
  ])("have their type from %s", async (...[, flavor, answers, type]) => {
    expect((await factsOf({ flavor }, answers)).type).toBe(type);
  });

  it("have the addresses below a trunk, and only warn where these cannot be read", async () => {
    const trunk = port(1, { trunk_details: { sub_ports: [{ port_id: uuid(7) }] } });
    const below = { ...port(7), id: uuid(7), device_id: "", network_id: "net-7" };
    const networks = { body: { networks: [{ id: "net-7", name: "storage" }] } };
    const ports = ({ query }: SeenRequest) => ({
      body: { ports: query.has("id") ? [below] : [trunk] },
    });
    const found = await factsOf(
      { addresses: {} },
      { [PORTS]: ports, "GET /network/v2.0/networks": networks },
    );
    expect(found.addresses.map(({ address }) => address)).toEqual(["10.20.2.1", "10.20.2.7"]);
    await cloud.close();
    const less = await factsOf(
      { addresses: {} },
      { [PORTS]: ports, "GET /network/v2.0/networks": { status: 500 } },
    );
    expect(less.addresses.map(({ address }) => address)).toEqual(["10.20.2.1"]);
    expect(cloud.warnings).toEqual([expect.stringContaining("trunk")]);
  });
});
