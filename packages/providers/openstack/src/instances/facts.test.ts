import { afterEach, describe, expect, it } from "vitest";
import type { Answers } from "../testing/cloud.ts";
import type { SeenRequest } from "../testing/http-service.ts";
import {
  byId,
  byName,
  cloud,
  factsIn,
  only,
  PORTS,
  port,
  project,
  requests,
  server,
  start,
  uuid,
} from "./testing/project.ts";

const FLAVORS = "GET /compute/v2.1/flavors";

afterEach(() => cloud.close());

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

  it("include the addresses of trunk subports, and only warn if these cannot be read", async () => {
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
