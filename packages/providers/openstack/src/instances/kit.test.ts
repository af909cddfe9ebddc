import { randomUUID } from "node:crypto";
import {
  CLOUD_FAULTS,
  type CloudFault,
  type InstancesFixture,
  instancesCases,
} from "@cloudwright/provider-api/kit";
import { expect, it } from "vitest";
import { startCloud } from "../testing/cloud.ts";
import type { ScriptedAnswer, SeenRequest } from "../testing/http-service.ts";
import { createInstances } from "./instances.ts";

/** Faults of every service, Keystone included. */
const FAULTS: Readonly<
  Record<CloudFault, (request: SeenRequest, count: number) => ScriptedAnswer>
> = {
  unavailable: () => ({ status: 503 }),
  unauthorized: () => ({ status: 401, body: {} }),
  throttled: () => ({ status: 429, headers: { "retry-after": "1" } }),
  garbage: () => ({ text: "<html>It works!</html>" }),
  nothingFound: () => ({ status: 404, text: "<html>Not Found</html>" }),
  huge: () => ({ text: JSON.stringify({ filler: "x".repeat(64 * 1024 * 1024) }) }),
  deep: () => ({ text: "[".repeat(100_000) + "]".repeat(100_000) }),
  endlessPages: (_, count) => page(`marker-${count}`),
  sameCursor: () => page("marker"),
};

function page(marker: string): ScriptedAnswer {
  const links = [{ rel: "next", href: `http://elsewhere/?marker=${marker}` }];
  return { body: { servers: [], servers_links: links, ports: [], ports_links: links } };
}

/** Nova and Neutron in memory, with the kit's faults. */
async function openFixture() {
  const servers = new Map<string, { id: string; name: string; status: string; flavor: object }>();
  const fault: { now?: CloudFault } = {};
  let faulty = 0;
  const listing = ({ query }: SeenRequest): ScriptedAnswer => {
    const name = new RegExp(query.get("name") ?? "");
    return { body: { servers: [...servers.values()].filter((server) => name.test(server.name)) } };
  };
  const answers = {
    "GET /compute/v2.1/servers/detail": listing,
    "GET /compute/v2.1/servers": listing,
    "GET /network/v2.0/ports": { body: { ports: [] } },
  };
  const cloud = await startCloud({
    answers,
    instead: (request) => {
      if (fault.now !== undefined && isFaulty(request, fault.now)) {
        faulty += 1;
        return FAULTS[fault.now](request, faulty);
      }
      const id = /^\/compute\/v2\.1\/servers\/(?!detail)(.+)$/.exec(request.path)?.[1];
      if (id === undefined) return undefined;
      const server = servers.get(id);
      const itemNotFound = { code: 404, message: `Instance ${id} could not be found.` };
      return server === undefined ? { status: 404, body: { itemNotFound } } : { body: { server } };
    },
  });
  const idOf = (name: string) =>
    [...servers.values()].find((server) => server.name === name)?.id ?? "";
  const { client, config, warnings } = cloud;
  const fixture: InstancesFixture = {
    provider: "openstack",
    instances: createInstances({
      client,
      config,
      now: Date.now,
      warn: (text) => warnings.push(text),
    }),
    create: async (name) => {
      const id = randomUUID();
      servers.set(id, { id, name, status: "ACTIVE", flavor: { original_name: "m1" } });
      return `openstack:///${id}`;
    },
    remove: async (name) => void servers.delete(idOf(name)),
    stop: async (name) => {
      const server = servers.get(idOf(name));
      if (server !== undefined) server.status = "SHUTOFF";
    },
    malformedProviderID: "openstack:///no-uuid",
    faults: Object.fromEntries(
      CLOUD_FAULTS.map((name) => [
        name,
        async () => {
          fault.now = name;
          return async () => {
            delete fault.now;
          };
        },
      ]),
    ),
  };
  return { fixture, cloud };
}

/** Only listings have pages, not logins or versions. */
function isFaulty({ path }: SeenRequest, fault: CloudFault): boolean {
  const isPaged = /\/(servers|servers\/detail|ports)$/.test(path);
  return isPaged || !["endlessPages", "sameCursor"].includes(fault);
}

it.each(instancesCases)("$name", async (one) => {
  const { fixture, cloud } = await openFixture();
  try {
    expect(one.unmet(fixture)).toEqual([]);
    await one.run(fixture);
  } finally {
    await cloud.close();
  }
});
