import { eventually } from "../../harness/wait.ts";
import { type Row, row, type Shown, untilShown } from "../environment.ts";
import {
  addressed,
  annotate,
  createService,
  removeServices,
  twoPorts,
  type Wanted,
} from "../services.ts";
import type { Side } from "../side.ts";

type Annotations = NonNullable<Wanted["annotations"]>;

const NETWORK = { type: "nlb" };
const POLICY = "ELBSecurityPolicy-TLS-1-2-2017-01";
const OTHER_POLICY = "ELBSecurityPolicy-TLS-1-1-2017-01";

/** Certificates and what goes with them: each Service with one, from its making to its end. */
export const tlsRows: readonly Row[] = [
  tlsRow("A-T-01", "classic: a certificate for one port, with a policy, HTTP behind", {
    "ssl-ports": "443",
    "ssl-negotiation-policy": POLICY,
    "backend-protocol": "http",
  }),
  tlsRow("A-T-02", "classic: a certificate for all ports, TLS behind", {
    "backend-protocol": "ssl",
  }),
  tlsRow("A-T-03", "classic: a port by its name, HTTPS behind", {
    "ssl-ports": "b",
    "backend-protocol": "https",
  }),
  tlsRow("A-T-04", "network: a certificate for one port, with a policy", {
    ...NETWORK,
    "ssl-ports": "443",
    "ssl-negotiation-policy": POLICY,
  }),
  tlsRow("A-T-05", "network: a certificate for all ports, TLS behind", {
    ...NETWORK,
    "backend-protocol": "ssl",
  }),
  row("A-T-06", "another policy and another certificate reach both kinds", changed),
  row("A-T-07", "a start without a change", startedAgain),
  row("A-T-08", "all of them are deleted, and leave nothing", async (side) => {
    const names = side.services.all().filter(({ spec }) => spec.type === "LoadBalancer");
    await removeServices(side, ...names.map(({ metadata }) => metadata.name));
    return names.length;
  }),
].map((each) => ({ ...each, isLong: true as const }));

function tlsRow(id: string, title: string, annotations: Annotations): Row {
  const name = id.toLowerCase();
  const spec = { ports: twoPorts(30_800 + 2 * Number(id.slice(-2))) };
  return row(id, title, async (side) => {
    const certificate = { "ssl-cert": await side.lab.certificate(name) };
    await createService(side, { name, annotations: { ...annotations, ...certificate }, spec });
    return addressed(side, name);
  });
}

async function changed(side: Side): Promise<void> {
  const other = { "ssl-cert": await side.lab.certificate("other") };
  for (const name of ["a-t-01", "a-t-04"])
    await annotate(side, name, { ...other, "ssl-negotiation-policy": OTHER_POLICY });
  const balancers: readonly Shown[] = [
    { kind: "classicLoadBalancers", name: /a-t-01/ },
    { kind: "networkLoadBalancers", name: /a-t-04/ },
  ];
  for (const holds of [/<certificate other>/, new RegExp(OTHER_POLICY)])
    await untilShown(side, ...balancers.map((one) => ({ ...one, holds })));
}

/** Upstream's provider writes each TLS listener without a policy of its own again, whoever calls it. */
async function startedAgain(side: Side): Promise<void> {
  await side.restart();
  await eventually(
    async () => {
      const { byOperation } = await side.lab.calls();
      for (const operation of ["elb.DescribeLoadBalancers", "elbv2.DescribeLoadBalancers"])
        if (!(operation in byOperation)) throw new Error(`${operation} was not called`);
    },
    { withinMs: 60_000 },
  );
}
