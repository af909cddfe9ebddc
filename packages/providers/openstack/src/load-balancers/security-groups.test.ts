import { describe, expect, it } from "vitest";
import {
  type ObservedLoadBalancer,
  portSchema,
  type SecurityGroup,
  securityGroupSchema,
  subnetSchema,
} from "./observed.ts";
import { markedDescription, securityGroupName } from "./ownership.ts";
import { calls, config, OWNER, observed, planned } from "./testing/lb-fixture.ts";

const MANAGED = config("manage-security-groups = true");

function rule(more: Readonly<Record<string, unknown>> = {}) {
  return {
    ...{ id: "r-1", direction: "ingress", ethertype: "IPv4", protocol: "tcp" },
    ...{ port_range_min: 30_080, port_range_max: 30_080, remote_ip_prefix: "10.0.0.0/24" },
    ...more,
  };
}

function group(rules: readonly object[] = [rule()]): SecurityGroup {
  const egress = { id: "r-0", direction: "egress", ethertype: "IPv4" };
  return securityGroupSchema.parse({
    ...{ id: "sg-1", name: securityGroupName(OWNER), security_group_rules: [egress, ...rules] },
    description: markedDescription("Security Group", OWNER),
  });
}

function port(id: string, address: string, groups: readonly string[]) {
  return portSchema.parse({
    ...{ id, device_id: `server-${id}`, revision_number: 7, security_groups: groups },
    fixed_ips: [{ ip_address: address, subnet_id: "sub-1" }],
  });
}

function seen(
  groups: readonly SecurityGroup[],
  ports: ReturnType<typeof port>[],
): ObservedLoadBalancer {
  const subnet = subnetSchema.parse({ id: "sub-1", cidr: "10.0.0.0/24", ip_version: 4 });
  return observed({
    securityGroups: groups,
    networks: { external: undefined, subnets: [subnet], ports },
  });
}

const MEMBER = port("p-1", "10.0.0.1", ["default", "sg-1"]);

describe("the security group of a Service", () => {
  it("is created first", () => {
    const made = planned({ config: MANAGED, observed: seen([], []) });
    expect(calls(made)).toEqual(["create security group"]);
  });

  it("is left alone if rules and ports are right", () => {
    const made = planned({ config: MANAGED, observed: seen([group()], [MEMBER]) });
    expect(made.changes).toEqual([]);
  });

  it("gets its missing rules and loses unwanted ones, even if some are gone already", () => {
    const stale = [rule({ id: "r-2", port_range_min: 1, port_range_max: 1 })];
    const made = planned({ config: MANAGED, observed: seen([group(stale)], [MEMBER]) });
    expect(calls(made)).toEqual(["POST security-group-rules", "DELETE security-group-rules/r-2"]);
  });

  it("is added to the members' ports and removed from others, unless somebody changed them meanwhile", () => {
    const ports = [port("p-1", "10.0.0.1", ["default"]), port("p-2", "10.0.0.2", ["sg-1"])];
    const { changes } = planned({ config: MANAGED, observed: seen([group()], ports) });
    expect(changes.map(({ target, after }) => [target, after])).toEqual([
      ["p-1", { security_groups: ["default", "sg-1"] }],
      ["p-2", { security_groups: [] }],
    ]);
    expect(changes[0]?.request).toMatchObject({ revision: 7 });
  });

  it("is removed from all ports, then deleted, when groups are no longer managed or the load balancer is gone", () => {
    const wanted = ["PUT ports/p-1", "DELETE security-groups/sg-1"];
    expect(calls(planned({ observed: seen([group()], [MEMBER]) }))).toEqual(wanted);
    const gone = { ...seen([group()], [MEMBER]), owned: [], floatingIps: [] };
    expect(calls(planned({ spec: undefined, observed: gone }))).toEqual(wanted);
  });
});
