import { demand } from "../../harness/wait.ts";
import { type Row, row } from "../environment.ts";
import {
  addressed,
  createService,
  refused,
  removeServices,
  twoPorts,
  type Wanted,
} from "../services.ts";
import type { Side } from "../side.ts";

type Annotations = NonNullable<Wanted["annotations"]>;

const NETWORK = { type: "nlb" };
const UDP = [{ name: "dns", protocol: "UDP", port: 53, targetPort: 5353, nodePort: 30_753 }];

/** Those of spec/providers/aws.md that need nothing else in the cloud: a Service each. */
export const annotationRows: readonly Row[] = [
  annotationRow("A-AN-01", "access logs", {
    "access-log-enabled": "true",
    "access-log-emit-interval": "5",
    "access-log-s3-bucket-name": "logs",
    "access-log-s3-bucket-prefix": "lab",
  }),
  annotationRow("A-AN-02", "connection draining and idle time", {
    "connection-draining-enabled": "true",
    "connection-draining-timeout": "90",
    "connection-idle-timeout": "75",
  }),
  annotationRow("A-AN-03", "the proxy protocol", { "proxy-protocol": "*" }),
  annotationRow("A-AN-04", "HTTP backends", { "backend-protocol": "http" }),
  annotationRow("A-AN-05", "a classic load balancer's health check", {
    "healthcheck-protocol": "HTTP",
    "healthcheck-port": "30700",
    "healthcheck-path": "/up",
    "healthcheck-interval": "15",
    "healthcheck-timeout": "4",
    "healthcheck-healthy-threshold": "3",
    "healthcheck-unhealthy-threshold": "4",
  }),
  annotationRow("A-AN-06", "a network load balancer's health check", {
    ...NETWORK,
    "healthcheck-protocol": "HTTP",
    "healthcheck-path": "/up",
    "healthcheck-interval": "10",
    "healthcheck-healthy-threshold": "4",
  }),
  annotationRow("A-AN-07", "tags", { "additional-resource-tags": "team=blue,stage=lab" }),
  annotationRow("A-AN-08", "an internal classic load balancer", { internal: "true" }),
  annotationRow("A-AN-09", "an internal network load balancer", { ...NETWORK, internal: "true" }),
  annotationRow("A-AN-10", "attributes of target groups", {
    ...NETWORK,
    "target-group-attributes": "preserve_client_ip.enabled=false,proxy_protocol_v2.enabled=true",
  }),
  annotationRow("A-AN-11", "targets by the labels of their nodes", {
    ...NETWORK,
    "target-node-labels": "topology.kubernetes.io/zone=eu-central-1a",
  }),
  annotationRow("A-AN-12", "subnets by their names", { ...NETWORK, subnets: "public-a,public-b" }),
  row("A-AN-13", "a port of UDP", (side) =>
    made(side, { name: "a-an-13", annotations: NETWORK, spec: { ports: UDP } }),
  ),
  row("A-AN-14", "a security group beside the made one", async (side) => {
    const annotations = { "extra-security-groups": await groupOf(side, "beside") };
    return made(side, { name: "a-an-14", annotations, spec: { ports: twoPorts(30_760) } });
  }),
  row("A-AN-15", "a security group in place of the made one", async (side) => {
    const annotations = { "security-groups": await groupOf(side, "instead") };
    return made(side, { name: "a-an-15", annotations, spec: { ports: twoPorts(30_762) } });
  }),
  row("A-AN-16", "fixed public addresses", async (side) => {
    const annotations = { ...NETWORK, "eip-allocations": await addressesOf(side, 3) };
    return made(side, { name: "a-an-16", annotations, spec: { ports: twoPorts(30_764) } });
  }),
  row("A-AN-17", "another controller's load balancer is left to it", async (side) => {
    const annotations = { type: "external" };
    await createService(side, {
      ...{ name: "a-an-17", annotations, spec: { ports: twoPorts(30_766) } },
    });
  }),
  row("A-AN-18", "a value that the provider refuses makes nothing", async (side) => {
    const annotations = { "proxy-protocol": "yes" };
    await createService(side, {
      ...{ name: "a-an-18", annotations, spec: { ports: twoPorts(30_768) } },
    });
    await refused(side, "a-an-18");
  }),
  row("A-AN-19", "fixed private addresses", async (side) => {
    const annotations = {
      ...{ ...NETWORK, internal: "true", subnets: "private-a,private-b" },
      "private-ipv4-addresses": "10.10.129.200,10.10.145.200",
    };
    await made(side, { name: "a-an-19", annotations, spec: { ports: twoPorts(30_770) } });
    // The lab's load balancers do not show them, so what was sent is compared.
    const [sent = {}] = await side.lab.sent("elbv2.CreateLoadBalancer");
    const asked = Object.entries(sent).filter(([name]) => name.endsWith("PrivateIPv4Address"));
    demand(asked.length === 2, `CreateLoadBalancer was sent ${JSON.stringify(sent)}`);
    return asked;
  }),
  row("A-AN-20", "a number of private addresses that does not fit is refused", async (side) => {
    const annotations = {
      ...{ ...NETWORK, internal: "true", subnets: "private-a,private-b" },
      "private-ipv4-addresses": "10.10.129.201",
    };
    await createService(side, {
      ...{ name: "a-an-20", annotations, spec: { ports: twoPorts(30_772) } },
    });
    await refused(side, "a-an-20");
  }),
].map((each) => ({ ...each, isLong: true as const }));

function annotationRow(id: string, title: string, annotations: Annotations): Row {
  const ports = twoPorts(30_700 + 2 * Number(id.slice(-2)));
  return row(id, title, (side) =>
    made(side, { name: id.toLowerCase(), annotations, spec: { ports } }),
  );
}

async function made(side: Side, wanted: Wanted): Promise<unknown> {
  await createService(side, wanted);
  return addressed(side, wanted.name);
}

/** A group that a user has made. */
export async function groupOf({ lab }: Side, name: string): Promise<string> {
  const { AWSLAB_VPC: VpcId = "" } = lab.settings;
  const named = { GroupName: name, GroupDescription: name, VpcId };
  const answer = await lab.asUser("CreateSecurityGroup", named);
  return /<groupId>([^<]+)/.exec(answer)?.[1] ?? "";
}

async function addressesOf({ lab }: Side, count: number): Promise<string> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const answer = await lab.asUser("AllocateAddress", { Domain: "vpc" });
    ids.push(/<allocationId>([^<]+)/.exec(answer)?.[1] ?? "");
  }
  return ids.join();
}

export const removalRow: Row = {
  ...row("A-AN-99", "all of them are deleted, and leave nothing", async (side) => {
    const names = side.services.all().filter(({ spec }) => spec.type === "LoadBalancer");
    await removeServices(side, ...names.map(({ metadata }) => metadata.name));
    return names.length;
  }),
  isLong: true,
};
