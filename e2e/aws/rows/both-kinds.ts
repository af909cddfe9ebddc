import { type Row, row } from "../environment.ts";
import {
  addressed,
  annotate,
  createService,
  refusedWith,
  twoPorts,
  type Wanted,
} from "../services.ts";
import type { Side } from "../side.ts";

type Annotations = NonNullable<Wanted["annotations"]>;

const NETWORK = { type: "nlb" };

/** Annotations of the one kind of load balancer that the rows before have on the other kind alone, several on each Service. */
export const bothKindsRows: readonly Row[] = [
  row("A-AN-21", "a network load balancer with access logs, tags and a port for health", (side) => {
    const annotations = {
      ...NETWORK,
      "access-log-enabled": "true",
      "access-log-s3-bucket-name": "logs",
      "access-log-s3-bucket-prefix": "lab",
      "additional-resource-tags": "team=blue,stage=lab",
      "healthcheck-protocol": "HTTP",
      "healthcheck-port": "30700",
      "healthcheck-timeout": "4",
      "healthcheck-unhealthy-threshold": "5",
    };
    return made(side, { name: "a-an-21", annotations, ports: 30_774 });
  }),
  row("A-AN-22", "subnets by their IDs, and what is not internal, of both kinds", async (side) => {
    const { AWSLAB_PUBLIC_SUBNETS: all = "" } = side.lab.settings;
    const annotations = { internal: "false", subnets: all.split(",").slice(0, 2).join() };
    const labels = { "target-node-labels": "topology.kubernetes.io/zone=eu-central-1a" };
    const classic = { name: "a-an-22a", annotations: { ...annotations, ...labels }, ports: 30_776 };
    const network = { name: "a-an-22b", annotations: { ...annotations, ...NETWORK } };
    return [await made(side, classic), await made(side, { ...network, ports: 30_778 })];
  }),
  row("A-AN-23", "source ranges by the annotation of all clouds, of both kinds", async (side) => {
    const ranges = {
      "service.beta.kubernetes.io/load-balancer-source-ranges": "192.0.2.0/24,198.51.100.0/24",
    };
    const classic = { name: "a-an-23a", otherAnnotations: ranges, ports: 30_780 };
    const network = { name: "a-an-23b", annotations: NETWORK, otherAnnotations: ranges };
    return [await made(side, classic), await made(side, { ...network, ports: 30_782 })];
  }),
  row("A-AN-24", "one of type nlb-ip is left to its controller, whatever comes", async (side) => {
    const elsewhere = { name: "a-an-24a", annotations: { type: "nlb-ip" } };
    await createService(side, { ...elsewhere, spec: { ports: twoPorts(30_784) } });
    // Services are dealt with one after the other, so once this one is made the other was looked at.
    return made(side, { name: "a-an-24b", annotations: {}, ports: 30_786 });
  }),
  row("A-AN-25", "another type afterwards is refused, and both stay as they are", async (side) => {
    const kinds = [
      await made(side, { name: "a-an-25a", annotations: {}, ports: 30_788 }),
      await made(side, { name: "a-an-25b", annotations: NETWORK, ports: 30_790 }),
    ];
    await annotate(side, "a-an-25a", NETWORK);
    await annotate(side, "a-an-25b", { type: "classic" });
    for (const name of ["a-an-25a", "a-an-25b"])
      await refusedWith(side, name, /cannot update Load Balancer Type/);
    // The provider deletes what the annotation says, so it says the truth again.
    await annotate(side, "a-an-25a", { type: "classic" });
    await annotate(side, "a-an-25b", NETWORK);
    return kinds;
  }),
].map((each) => ({ ...each, isLong: true as const }));

interface Made {
  readonly name: string;
  readonly annotations?: Annotations;
  readonly otherAnnotations?: Annotations;
  /** The first of its two node ports. */
  readonly ports: number;
}

async function made(side: Side, { ports, ...wanted }: Made): Promise<readonly string[]> {
  await createService(side, { ...wanted, spec: { ports: twoPorts(ports) } });
  return addressed(side, wanted.name);
}
