import type { CloudChange, LoadBalancerOwner, LoadBalancerSpec } from "@cloudwright/provider-api";
import { bodyOf, changeOf } from "./changes.ts";
import type { DesiredLoadBalancer } from "./desired.ts";
import type { ObservedLoadBalancer, Port, SecurityGroup } from "./observed.ts";
import { DESCRIPTIONS, isDescribedAs, markedDescription, securityGroupName } from "./ownership.ts";

interface Rule {
  readonly ethertype: "IPv4" | "IPv6";
  readonly protocol: string;
  readonly port: number;
  readonly prefix: string;
}

export interface SecurityGroupFacts {
  readonly owner: LoadBalancerOwner;
  readonly spec: LoadBalancerSpec;
  readonly desired: DesiredLoadBalancer;
  readonly observed: ObservedLoadBalancer;
  /** The members' subnet, whose CIDR may reach the node ports. */
  readonly memberSubnetId: string;
}

/** Plans the security group of a Service, which lets its load balancer reach the node ports on every member's port (spec §6.9). */
export function planSecurityGroup(facts: SecurityGroupFacts): readonly CloudChange[] {
  const { owner, observed } = facts;
  const [group, ...extras] = groupsOf(owner, observed);
  if (group === undefined) return [createGroup(owner)];
  return [
    ...ruleChanges(group, rulesOf(facts)),
    ...portChanges(group, facts),
    ...extras.flatMap((extra) => removeGroup(extra, observed)),
  ];
}

/** Removes it from every port, then deletes it; in any case, even if groups are no longer managed. */
export function planSecurityGroupRemoval(
  owner: LoadBalancerOwner,
  observed: ObservedLoadBalancer,
): readonly CloudChange[] {
  return groupsOf(owner, observed).flatMap((group) => removeGroup(group, observed));
}

/** Its name contains the Service's UID, so that no other Service has the same. */
export function groupsOf(
  owner: LoadBalancerOwner,
  { securityGroups }: Pick<ObservedLoadBalancer, "securityGroups">,
): readonly SecurityGroup[] {
  return securityGroups.filter(
    (group) =>
      isDescribedAs(group, DESCRIPTIONS.securityGroup(owner), owner) ||
      group.name === securityGroupName(owner),
  );
}

function createGroup(owner: LoadBalancerOwner): CloudChange {
  const name = securityGroupName(owner);
  const description = markedDescription(DESCRIPTIONS.securityGroup(owner), owner);
  const fields = { name, description };
  return changeOf(
    { action: "create", what: "security group", target: name, after: fields },
    { kind: "createSecurityGroup", name, body: bodyOf(fields) },
  );
}

function rulesOf({ spec, desired, observed, memberSubnetId }: SecurityGroupFacts): readonly Rule[] {
  const subnet = observed.networks.subnets?.find(({ id }) => id === memberSubnetId);
  if (subnet === undefined) return [];
  const ethertype = subnet.ip_version === 6 ? "IPv6" : "IPv4";
  const isForwarded = !desired.features.layer7;
  const prefixes = isForwarded
    ? desired.sourceRanges.filter((range) => range.includes(":") === (ethertype === "IPv6"))
    : [subnet.cidr];
  const toNodes = spec.listeners
    .filter(({ nodePort }) => nodePort !== 0)
    .flatMap(({ nodePort: port, protocol }) =>
      prefixes.map(
        (prefix) => ({ ethertype, protocol: protocol.toLowerCase(), port, prefix }) as const,
      ),
    );
  const { healthCheckNodePort: port } = desired;
  const check = { ethertype, protocol: "tcp", port, prefix: subnet.cidr } as const;
  return port === 0 ? toNodes : [...toNodes, check];
}

/** The default rules of every group in Neutron stay: they allow outgoing answers. */
function ruleChanges(group: SecurityGroup, wanted: readonly Rule[]): readonly CloudChange[] {
  const there = group.security_group_rules.filter(({ direction }) => direction === "ingress");
  const isWanted = new Set(wanted.map(keyOf));
  const has = new Set(there.map(keyOfThere));
  const creations = [...new Map(wanted.map((rule) => [keyOf(rule), rule])).values()]
    .filter((rule) => !has.has(keyOf(rule)))
    .map((rule) => createRule(group, rule));
  const deletions = there
    .filter((rule) => !isWanted.has(keyOfThere(rule)))
    .map((rule) =>
      changeOf(
        {
          action: "delete",
          what: "security group rule",
          target: rule.id,
          before: { rule: keyOfThere(rule) },
        },
        {
          ...{ kind: "send", service: "network", method: "DELETE" },
          ...{ resource: "security_group_rule", path: `security-group-rules/${rule.id}` },
        },
      ),
    );
  return [...creations, ...deletions];
}

function keyOf({ ethertype, protocol, port, prefix }: Rule): string {
  return [ethertype, protocol, port, port, prefix].join(" ");
}

type RuleThere = SecurityGroup["security_group_rules"][number];

function keyOfThere(rule: RuleThere): string {
  const { ethertype, protocol, port_range_min, port_range_max, remote_ip_prefix } = rule;
  return [ethertype, protocol, port_range_min, port_range_max, remote_ip_prefix].join(" ");
}

function createRule({ id, name }: SecurityGroup, rule: Rule): CloudChange {
  const { ethertype, protocol, port, prefix } = rule;
  const fields = {
    ...{ security_group_id: id, direction: "ingress", ethertype, protocol },
    ...{ port_range_min: port, port_range_max: port, remote_ip_prefix: prefix },
  };
  return changeOf(
    {
      action: "create",
      what: "security group rule",
      target: `${keyOf(rule)} of ${name}`,
      after: fields,
    },
    {
      ...{ kind: "send", service: "network", method: "POST" },
      ...{ resource: "security_group_rule", path: "security-group-rules" },
      body: bodyOf({ security_group_rule: fields }),
    },
  );
}

/** Adds it to the members' ports, and removes it from all others. */
function portChanges(group: SecurityGroup, { desired, observed }: SecurityGroupFacts) {
  const { ports = [] } = observed.networks;
  const members = desired.listeners.flatMap(({ pool }) => pool.members);
  const addresses = new Set(members.map(({ address }) => address));
  const isMember = ({ fixed_ips }: Port) =>
    fixed_ips.some(({ ip_address }) => addresses.has(ip_address));
  return ports
    .filter((port) => port.device_id !== "" && port.port_security_enabled !== false)
    .flatMap((port) => {
      const has = port.security_groups.includes(group.id);
      if (has === isMember(port)) return [];
      return [setGroups(port, has ? without(port, group) : [...port.security_groups, group.id])];
    });
}

function removeGroup(group: SecurityGroup, { networks }: ObservedLoadBalancer) {
  const carrying = (networks.ports ?? []).filter((port) => port.security_groups.includes(group.id));
  const deletion = changeOf(
    { action: "delete", what: "security group", target: group.id, before: { name: group.name } },
    {
      ...{ kind: "send", service: "network", method: "DELETE" },
      ...{ resource: "security_group", path: `security-groups/${group.id}` },
    },
  );
  return [...carrying.map((port) => setGroups(port, without(port, group))), deletion];
}

function without({ security_groups }: Port, group: SecurityGroup): readonly string[] {
  return security_groups.filter((id) => id !== group.id);
}

/** The revision makes Neutron refuse this if somebody has changed the port meanwhile. */
function setGroups(port: Port, groups: readonly string[]): CloudChange {
  const { id, security_groups: before, revision_number } = port;
  return changeOf(
    {
      ...{ action: "update", what: "security groups of a node's port", target: id },
      ...{ before: { security_groups: before }, after: { security_groups: groups } },
    },
    {
      ...{ kind: "send", service: "network", method: "PUT", resource: "port", path: `ports/${id}` },
      body: bodyOf({ port: { security_groups: groups } }),
      ...(typeof revision_number === "number" ? { revision: revision_number } : {}),
    },
  );
}
