import type { Instances, RouteSpec } from "@cloudwright/provider-api";
import { afterEach, describe, expect, it } from "vitest";
import { type Answers, type CloudUnderTest, startCloud } from "../testing/cloud.ts";
import type { ScriptedAnswer, SeenRequest } from "../testing/http-service.ts";
import { createRoutes } from "./routes.ts";

const ROUTER = "r-1";
const ROUTER_PATH = `/network/v2.0/routers/${ROUTER}`;
const OWNER = { clusterUid: "c", objectUid: "u" };
const UNKNOWN: Instances = { describe: async () => new Map() };

interface Port {
  readonly id: string;
  readonly network_id: string;
  readonly device_id: string;
  readonly device_owner: string;
  readonly fixed_ips: readonly { readonly ip_address: string }[];
  allowed_address_pairs: readonly { readonly ip_address: string }[];
  revision_number: number;
}

interface ExtraRoute {
  readonly destination: string;
  readonly nexthop: string;
}

/** A Neutron with one router on network n-1, with recorded answers. */
class Neutron {
  routes: ExtraRoute[] = [];
  tags: string[] = [];
  revision = 1;
  extensions = ["extraroute", "extraroute-atomic", "allowed-address-pairs", "standard-attr-tag"];
  most = 30;
  /** Answers that refuse the next writes of the table. */
  refusals: ScriptedAnswer[] = [];
  readonly ports: Port[] = [
    port(
      "p-router",
      { device: ROUTER, addresses: ["10.20.0.1"] },
      { device_owner: "network:router_interface" },
    ),
  ];
  /** Writes, in order. */
  readonly writes: string[] = [];

  server(number: number, more: Partial<Port> = {}): string {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const addresses = [`10.20.1.${number}`, `fd20::${number}`];
    this.ports.push(port(`p-${this.ports.length}`, { device: id, addresses }, more));
    return id;
  }

  #tagsAtWork = 0;

  /** Answers a request for a tag, which its path contains. Two at a time fail, as in Neutron, whose database refuses the second. */
  tagged = ({ method, path }: SeenRequest): Promise<ScriptedAnswer> | undefined => {
    const [, escaped] = path.split(`${ROUTER_PATH}/tags/`);
    return escaped === undefined ? undefined : this.#tag(method, decodeURIComponent(escaped));
  };

  async #tag(method: string, tag: string): Promise<ScriptedAnswer> {
    if (this.#tagsAtWork > 0) return refused(500, "HTTPInternalServerError", "Request Failed");
    this.#tagsAtWork += 1;
    await new Promise((resolve) => setImmediate(resolve));
    this.#tagsAtWork -= 1;
    const isThere = this.tags.includes(tag);
    this.writes.push(`${method === "PUT" ? "mark" : "unmark"} ${tag.split("=")[1]}`);
    if (method === "PUT") this.tags.push(...(isThere ? [] : [tag]));
    else if (!isThere) return refused(404, "TagNotFound", `Tag ${tag} could not be found.`);
    else this.tags = this.tags.filter((each) => each !== tag);
    return { status: method === "PUT" ? 201 : 204, body: null };
  }

  get answers(): Answers {
    return {
      "GET /network/v2.0/extensions": () => ({
        body: { extensions: this.extensions.map((alias) => ({ alias })) },
      }),
      "GET /network/v2.0/ports": ({ query }) => ({ body: { ports: this.#portsOf(query) } }),
      [`GET ${ROUTER_PATH}`]: () => this.#router(),
      [`PUT ${ROUTER_PATH}`]: (request) => this.#putWhole(request),
      [`PUT ${ROUTER_PATH}/add_extraroutes`]: ({ body }) => this.#add(routesIn(body)),
      [`PUT ${ROUTER_PATH}/remove_extraroutes`]: ({ body }) => this.#remove(routesIn(body)),
      ...Object.fromEntries(
        this.ports.flatMap((each) => [
          [
            `PUT /network/v2.0/ports/${each.id}`,
            (request: SeenRequest) => this.#putPort(each, request),
          ],
          [`GET /network/v2.0/ports/${each.id}`, () => ({ body: { port: each } })],
        ]),
      ),
    };
  }

  #portsOf(query: URLSearchParams): readonly Port[] {
    const devices = query.getAll("device_id");
    const addresses = query.getAll("fixed_ips").map((each) => each.replace("ip_address=", ""));
    return this.ports.filter(
      ({ device_id, fixed_ips }) =>
        devices.includes(device_id) ||
        fixed_ips.some(({ ip_address }) => addresses.includes(ip_address)),
    );
  }

  #router(): ScriptedAnswer {
    const { routes, tags, revision } = this;
    return {
      body: { router: { id: ROUTER, name: "nodes", routes, tags, revision_number: revision } },
    };
  }

  #add(added: readonly ExtraRoute[]): ScriptedAnswer {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return refusal;
    if (this.routes.length + added.length > this.most)
      return refused(
        400,
        "RoutesExhausted",
        `The number of routes exceeds the maximum ${this.most}.`,
      );
    this.writes.push(`add ${added.length}`);
    this.routes.push(...added);
    return this.#router();
  }

  #remove(removed: readonly ExtraRoute[]): ScriptedAnswer {
    this.writes.push(`remove ${removed.length}`);
    const isRemoved = (each: ExtraRoute) =>
      removed.some(
        ({ destination, nexthop }) => destination === each.destination && nexthop === each.nexthop,
      );
    this.routes = this.routes.filter((each) => !isRemoved(each));
    return this.#router();
  }

  #putWhole({ headers, body }: SeenRequest): ScriptedAnswer {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return refusal;
    this.writes.push(`whole if ${headers["if-match"]}`);
    this.routes = routesIn(body);
    this.revision += 1;
    return this.#router();
  }

  #putPort(one: Port, { headers, body }: SeenRequest): ScriptedAnswer {
    if (headers["if-match"] !== `revision_number=${one.revision_number}`)
      return refused(412, "RevisionNumberConstraintFailed", "constraint failed");
    one.allowed_address_pairs = (body as { port: Port }).port.allowed_address_pairs;
    one.revision_number += 1;
    this.writes.push(`pairs ${one.allowed_address_pairs.map((pair) => pair.ip_address)}`);
    return { body: { port: one } };
  }
}

function port(
  id: string,
  { device, addresses }: { readonly device: string; readonly addresses: readonly string[] },
  more: Partial<Port> = {},
): Port {
  return {
    ...{ id, network_id: "n-1", device_id: device, device_owner: "compute:zone-a" },
    fixed_ips: addresses.map((ip_address) => ({ ip_address })),
    ...{ allowed_address_pairs: [], revision_number: 1, ...more },
  };
}

function routesIn(body: unknown): ExtraRoute[] {
  return [...(body as { router: { routes: ExtraRoute[] } }).router.routes];
}

function refused(status: number, type: string, message: string): ScriptedAnswer {
  return { status, body: { NeutronError: { type, message, detail: "" } } };
}

function specFor(serverId: string, destination: string): RouteSpec {
  return {
    owner: OWNER,
    destination,
    target: { nodeName: "n", providerID: `openstack:///${serverId}` },
    targetAddresses: [],
  };
}

describe("the routes of a router", () => {
  let cloud: CloudUnderTest | undefined;
  afterEach(() => cloud?.close());

  async function routesOn(neutron: Neutron) {
    cloud = await startCloud({ answers: neutron.answers, instead: neutron.tagged });
    const { client, context } = cloud;
    const config = {
      route: { routerId: ROUTER },
      identity: { region: undefined },
      regional: false,
    };
    const routes = createRoutes({ client, config: config as never, instances: UNKNOWN }, ROUTER);
    return {
      list: () => routes.list(context()),
      create: (spec: RouteSpec) => routes.create(spec, context()),
      remove: (route: Parameters<typeof routes.remove>[0]) => routes.remove(route, context()),
    };
  }

  it("are added in one call for many, and removed likewise", async () => {
    const neutron = new Neutron();
    const servers = Array.from({ length: 20 }, (_, index) => neutron.server(index + 1));
    const { create, remove } = await routesOn(neutron);
    const made = await Promise.all(
      servers.map((id, index) => create(specFor(id, `10.120.${index}.0/24`))),
    );
    await Promise.all(made.map(remove));
    const tables = neutron.writes.filter((write) => /^(add|remove)/.test(write));
    expect(tables).toEqual(["add 20", "remove 20"]);
    expect([neutron.routes, neutron.tags]).toEqual([[], []]);
  });

  it("have their port opened before they are added, and closed when they are removed", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1);
    const { create, remove } = await routesOn(neutron);
    const route = await create(specFor(id, "10.120.1.0/24"));
    await remove(route);
    expect(neutron.writes).toEqual([
      ...["mark 10.120.1.0_24", "pairs 10.120.1.0/24", "add 1"],
      ...["pairs ", "remove 1", "unmark 10.120.1.0_24"],
    ]);
  });

  it("are marked with cluster and Node, which a new process reads even after their server is gone", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1);
    const { create } = await routesOn(neutron);
    await create(specFor(id, "10.120.1.0/24"));
    neutron.ports.pop();
    await cloud?.close();
    const { list, remove } = await routesOn(neutron);
    const [route] = (await list()).routes;
    expect(route).toMatchObject({ owner: OWNER, blackhole: true });
    if (route !== undefined) await remove(route);
    expect([neutron.routes, neutron.tags]).toEqual([[], []]);
  });

  it("that carry another Node's or cluster's mark are not taken by others", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1);
    const { create } = await routesOn(neutron);
    const spec = specFor(id, "10.120.1.0/24");
    await create(spec);
    for (const owner of [
      { clusterUid: "c", objectUid: "u-2" },
      { clusterUid: "c-2", objectUid: "u" },
    ])
      await expect(create({ ...spec, owner })).rejects.toMatchObject({ code: "Conflict" });
    expect(neutron.tags).toHaveLength(1);
  });

  it("leave no mark of their cluster behind after an interruption, and keep those of others", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1);
    const others = ["mine", "cloudwright:route=10.120.9.0_24=10.20.1.9=c-2=u"];
    neutron.tags = [...others, "cloudwright:route=10.120.9.0_24=10.20.1.9=c=u"];
    const { create, remove } = await routesOn(neutron);
    await remove(await create(specFor(id, "10.120.1.0/24")));
    expect(neutron.tags).toEqual(others);
  });

  it("carry no mark if Neutron has no tags", async () => {
    const neutron = new Neutron();
    neutron.extensions = ["extraroute-atomic"];
    const id = neutron.server(1);
    const { create, remove } = await routesOn(neutron);
    await remove(await create(specFor(id, "10.120.1.0/24")));
    expect(neutron.writes).toEqual(["add 1", "remove 1"]);
  });

  it("close the port again if the router refuses them", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1);
    neutron.refusals.push(refused(400, "InvalidRoutes", "the nexthop is not connected"));
    const { create } = await routesOn(neutron);
    await expect(create(specFor(id, "10.120.1.0/24"))).rejects.toMatchObject({ code: "Invalid" });
    expect(neutron.writes).toEqual([
      ...["mark 10.120.1.0_24", "pairs 10.120.1.0/24"],
      ...["pairs ", "unmark 10.120.1.0_24"],
    ]);
  });

  it("report that the router is full, with its capacity, and add those for which there is room", async () => {
    const neutron = new Neutron();
    neutron.most = 1;
    const servers = [neutron.server(1), neutron.server(2)];
    const { create, list } = await routesOn(neutron);
    expect((await list()).tables).toEqual([{ id: ROUTER, name: "nodes", used: 0 }]);
    const made = await Promise.allSettled(
      servers.map((id, index) => create(specFor(id, `10.120.${index}.0/24`))),
    );
    expect(made).toMatchObject([
      { status: "fulfilled" },
      {
        reason: {
          code: "QuotaExceeded",
          message: expect.stringContaining("The router is full (1 routes)"),
        },
      },
    ]);
    expect((await list()).tables).toMatchObject([{ used: 1, capacity: 1 }]);
  });

  it("are written as a whole on condition of the revision if there is no atomic API, and again after a concurrent change", async () => {
    const neutron = new Neutron();
    neutron.extensions = ["extraroute"];
    const id = neutron.server(1);
    const foreign = { destination: "192.0.2.0/24", nexthop: "10.20.0.9" };
    neutron.routes = [foreign];
    neutron.refusals.push(refused(412, "RevisionNumberConstraintFailed", "constraint failed"));
    const { create, remove } = await routesOn(neutron);
    const route = await create(specFor(id, "10.120.1.0/24"));
    expect(neutron.routes).toEqual([
      foreign,
      { destination: "10.120.1.0/24", nexthop: "10.20.1.1" },
    ]);
    await remove(route);
    expect(neutron.routes).toEqual([foreign]);
    expect(neutron.writes).toEqual(["whole if revision_number=1", "whole if revision_number=2"]);
  });

  it("are not supported if Neutron has no extra routes", async () => {
    const neutron = new Neutron();
    neutron.extensions = [];
    const id = neutron.server(1);
    const { create } = await routesOn(neutron);
    await expect(create(specFor(id, "10.120.1.0/24"))).rejects.toMatchObject({
      code: "Unsupported",
    });
  });

  it("lead to an address of their own family, preferably the Node's own", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1);
    neutron.server(1, { device_id: id, fixed_ips: [{ ip_address: "10.20.1.99" }] });
    const { create } = await routesOn(neutron);
    const own = [{ type: "InternalIP" as const, address: "10.20.1.99" }];
    await create({ ...specFor(id, "10.120.1.0/24"), targetAddresses: own });
    await create(specFor(id, "fd00:120:0:1::/64"));
    expect(neutron.routes.map(({ nexthop }) => nexthop)).toEqual(["10.20.1.99", "fd20::1"]);
  });

  it("are identified by the server whose port has the next hop on the router's networks", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1);
    neutron.server(1, {
      device_id: "00000000-0000-4000-8000-0000000000ff",
      network_id: "n-elsewhere",
    });
    neutron.routes = [
      { destination: "10.120.1.0/24", nexthop: "10.20.1.1" },
      { destination: "10.120.2.0/24", nexthop: "10.20.1.200" },
    ];
    const { list } = await routesOn(neutron);
    expect((await list()).routes).toMatchObject([
      { target: { providerID: `openstack:///${id}` }, blackhole: false, owner: undefined },
      { target: { providerID: undefined }, blackhole: true },
    ]);
  });

  it("keep the server that they led to after it is gone", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1);
    neutron.routes = [{ destination: "10.120.1.0/24", nexthop: "10.20.1.1" }];
    const { list } = await routesOn(neutron);
    await list();
    neutron.ports.pop();
    expect((await list()).routes).toMatchObject([
      { target: { providerID: `openstack:///${id}` }, blackhole: true },
    ]);
  });

  it("take no destination that leads elsewhere, in any notation", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1);
    neutron.routes = [{ destination: "fd00:120:0:0001::/64", nexthop: "fd20::9" }];
    const { create } = await routesOn(neutron);
    await expect(create(specFor(id, "fd00:120:0:1::/64"))).rejects.toMatchObject({
      code: "Conflict",
    });
    expect(neutron.writes).toEqual([]);
  });

  it("need no write if they exist", async () => {
    const neutron = new Neutron();
    const id = neutron.server(1, { allowed_address_pairs: [{ ip_address: "10.120.1.0/24" }] });
    neutron.routes = [{ destination: "10.120.1.0/24", nexthop: "10.20.1.1" }];
    neutron.tags = ["cloudwright:route=10.120.1.0_24=10.20.1.1=c=u"];
    const { create, list } = await routesOn(neutron);
    await create(specFor(id, "10.120.1.0/24"));
    await list();
    expect(neutron.writes).toEqual([]);
  });
});
