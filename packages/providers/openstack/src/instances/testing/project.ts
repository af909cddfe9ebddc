import type { InstanceRef, Lookup } from "@cloudwright/provider-api";
import { type Answers, type CloudUnderTest, startCloud } from "../../testing/cloud.ts";
import type { ScriptedAnswer, SeenRequest } from "../../testing/http-service.ts";
import { createInstances } from "../instances.ts";

export const SERVERS = "GET /compute/v2.1/servers/detail";

export const ANY_SERVER = "GET /compute/v2.1/servers";

export const PORTS = "GET /network/v2.0/ports";

export const uuid = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;

/** A server as Nova 26 returns it at 2.69, without fields that are not used. */
export const server = (count: number, fields: object = {}) => ({
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

export const port = (count: number, fields: object = {}) => ({
  id: uuid(1_000 + count),
  network_id: "755f3016-4df0-45f9-90f9-811d4e4186e9",
  status: "ACTIVE",
  device_id: uuid(count),
  fixed_ips: [
    { subnet_id: "69098750-c605-4d0e-a359-3db458bc1483", ip_address: `10.20.2.${count}` },
  ],
  ...fields,
});

export const itemNotFound = (count: number): ScriptedAnswer => ({
  status: 404,
  headers: { "x-openstack-request-id": "req-404" },
  body: { itemNotFound: { code: 404, message: `Instance ${uuid(count)} could not be found.` } },
});

/** Nova and Neutron with these servers, and their filters. */
export function project(
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

export let cloud: CloudUnderTest;

export async function start(answers: Answers, { conf = "", regional = false } = {}) {
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

export const byId = (count: number, providerID = `openstack:///${uuid(count)}`): InstanceRef => ({
  nodeName: `node-${count}`,
  providerID,
});

export const byName = (nodeName: string): InstanceRef => ({ nodeName, providerID: undefined });

export const requests = () =>
  cloud.calls.map(({ operation }) => operation).filter((name) => !/^token|version/.test(name));

export const only = (answers: ReadonlyMap<string, Lookup>) => [...answers.values()][0];

export const factsIn = (lookup: Lookup | undefined) => {
  if (lookup?.kind !== "found") throw new Error(`It is ${lookup?.kind}, not found.`);
  return lookup.facts;
};
