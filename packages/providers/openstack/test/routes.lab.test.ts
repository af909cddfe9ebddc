import { randomUUID } from "node:crypto";
import {
  type ForeignRoute,
  type RoutesFixture,
  routeCases,
  type SeenRoute,
} from "@cloudwright/provider-api/kit";
import { afterAll, afterEach, beforeAll, describe, it } from "vitest";
import { ANSWER_MS, CASE_MS, isAsked, LabUnderTest } from "./lab-under-test.ts";

const PREFIX = "openstack:///";

/** Servers that cases look up by name, or delete. */
const FOUND_BY_NAME = new Set(["w-1", "w-2"]);

interface NewPort {
  readonly fixed_ips: readonly { readonly ip_address: string }[];
}

interface ExtraRoute {
  readonly destination: string;
  readonly nexthop: string;
}

interface ShownRouter {
  readonly routes: readonly ExtraRoute[];
  readonly tags: readonly string[];
}

/** Neutron keeps a destination as it was written. */
const SPELLING = { asKept: "fd00:0120:0:0009::/64", canonical: "fd00:120:0:9::/64" };

/** The requests for changes of the table. */
const CHANGES = { create: "add_extraroutes", remove: "remove_extraroutes" };

describe.skipIf(!isAsked)("routes on the real services", { timeout: CASE_MS }, () => {
  let lab: LabUnderTest;
  let router: string;
  /** Provider IDs of the machines that cases have requested, by address. */
  const machines = new Map<string, string>();

  beforeAll(async () => {
    lab = await LabUnderTest.open();
    router = `/routers/${lab.env.project.routerId}`;
  }, CASE_MS);
  afterEach(async () => {
    lab.lift();
    await lab.spareServers();
    const { network } = lab.env.project.console;
    await network.call("PUT", router, { router: { routes: [] } });
    await network.call("PUT", `${router}/tags`, { tags: [] });
  }, CASE_MS);
  afterAll(() => lab.close(), CASE_MS);

  async function asShown(): Promise<ShownRouter> {
    const { network } = lab.env.project.console;
    return (await network.get<{ router: ShownRouter }>(router)).router;
  }

  function change(kind: "add_extraroutes" | "remove_extraroutes", route: ExtraRoute) {
    const body = { router: { routes: [route] } };
    return lab.env.project.console.network.call("PUT", `${router}/${kind}`, body);
  }

  function seen({ destination, nexthop }: ExtraRoute, tags: readonly string[]): SeenRoute {
    const [owner] = tags.flatMap((tag) => {
      const [, to, via, clusterUid = "", objectUid = ""] = tag.split("=");
      const isOfIt = to === destination.replace("/", "_") && via === nexthop;
      return isOfIt ? [{ clusterUid, objectUid }] : [];
    });
    const providerID = machines.get(nexthop);
    return { id: `${destination} via ${nexthop}`, destination, providerID, owner };
  }

  /** Creates only a port of Neutron for each of a case's many machines: a route needs no more, and a server takes seconds to create. */
  async function machine(name: string): Promise<string> {
    const { id, addresses } = FOUND_BY_NAME.has(name) ? await server(name) : await port(name);
    for (const address of addresses) machines.set(address, `${PREFIX}${id}`);
    return `${PREFIX}${id}`;
  }

  async function server(name: string) {
    const made = await lab.server(name);
    const all = Object.values(made.addresses).flat();
    return { id: made.id, addresses: all.map(({ addr }) => addr) };
  }

  async function port(name: string) {
    const id = randomUUID();
    const { networkId, console } = lab.env.project;
    const { port: made } = await console.network.call<{ port: NewPort }>("POST", "/ports", {
      port: { name, network_id: networkId, device_id: id, device_owner: "compute:nova" },
    });
    return { id, addresses: made.fixed_ips.map(({ ip_address }) => ip_address) };
  }

  /** Returns an address of the range's family. */
  function addressOf(providerID: string, range: string): string {
    const [address] =
      [...machines].find(
        ([each, id]) => id === providerID && each.includes(":") === range.includes(":"),
      ) ?? [];
    if (address === undefined) throw new Error(`no server is ${providerID}`);
    return address;
  }

  async function plant({ destination, providerID, owner }: ForeignRoute): Promise<string> {
    // An unused address leads nowhere.
    const nexthop = providerID === undefined ? "10.20.15.250" : addressOf(providerID, destination);
    await change("add_extraroutes", { destination, nexthop });
    if (owner !== undefined) {
      const range = destination === SPELLING.asKept ? SPELLING.canonical : destination;
      const whose = `${owner.clusterUid}=${owner.objectUid}`;
      const tag = `cloudwright:route=${range.replace("/", "_")}=${nexthop}=${whose}`;
      await lab.env.project.console.network.call(
        "PUT",
        `${router}/tags/${encodeURIComponent(tag)}`,
      );
    }
    return `${destination} via ${nexthop}`;
  }

  function fixture(): RoutesFixture {
    const { routes } = lab.provider;
    if (routes === undefined) throw new Error("the provider has no routes");
    return {
      provider: "openstack",
      deadlineMs: ANSWER_MS,
      routes,
      createMachine: machine,
      table: async () => {
        const { routes: there, tags } = await asShown();
        return there.map((route) => seen(route, tags));
      },
      otherSpelling: SPELLING,
      unknownMachine: `${PREFIX}00000000-0000-4000-8000-000000000000`,
      removeMachine: async (providerID) => {
        await lab.servers.remove(providerID.slice(PREFIX.length));
        for (const [address, id] of machines) if (id === providerID) machines.delete(address);
      },
      createForeign: plant,
      removeRoute: async (id) => {
        const [destination = "", nexthop = ""] = id.split(" via ");
        await change("remove_extraroutes", { destination, nexthop });
      },
      loseNextAnswer: (action) => lab.loseNext(({ route }) => route.endsWith(CHANGES[action])),
      throttle: (retryAfterMs) =>
        lab.refuse({ status: 429, code: "OverLimit", retryAfter: retryAfterMs / 1_000 }),
      breakCloud: () => lab.refuse({ status: 503, code: "ServiceUnavailable" }),
      answerWithoutEnd: async (fault) => {
        // Only ports are paged, and an empty table requests none.
        const foreign = { destination: "192.0.2.0/24", nexthop: "10.20.15.250" };
        if (fault.endsWith("Pages") || fault === "sameCursor")
          await change("add_extraroutes", foreign);
        const repair = await lab.answerWithoutEnd(fault);
        return async () => {
          await repair();
          await change("remove_extraroutes", foreign);
        };
      },
      limitRoutes: async (most) => {
        lab.strike({
          fits: ({ route }) => route.endsWith("add_extraroutes"),
          strike: async () =>
            (await asShown()).routes.length < most
              ? undefined
              : {
                  status: 400,
                  code: "RoutesExhausted",
                  message: `Unable to complete operation for ${lab.env.project.routerId}. The number of routes exceeds the maximum ${most}.`,
                },
        });
      },
    };
  }

  for (const one of routeCases)
    it(`as every provider, it ${one.name}`, async ({ skip }) => {
      const given = fixture();
      const unmet = one.unmet(given);
      skip(unmet.length > 0, `the lab lacks ${unmet.join(", ")}`);
      await one.run(given);
    });
});
