import { SERVICES, type Service } from "../harness/service.ts";
import { demand, eventually } from "../harness/wait.ts";
import type { Side } from "./side.ts";

const PREFIX = "service.beta.kubernetes.io/aws-load-balancer-";

/** A Service as the rows write it; annotations without their common prefix. */
export interface Wanted {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** With their whole names. */
  readonly otherAnnotations?: Readonly<Record<string, string>>;
  /** Ports, beside the usual two; node ports are fixed, as target groups are named after them. */
  readonly spec: { readonly ports: readonly object[] } & Readonly<Record<string, unknown>>;
}

/** Two ports of TCP, with the node port and the next one. */
export function twoPorts(nodePort: number) {
  return [
    { name: "a", port: 80, targetPort: 8080, nodePort },
    { name: "b", port: 443, targetPort: 8443, nodePort: nodePort + 1 },
  ];
}

export async function createService({ kube }: Side, wanted: Wanted) {
  const { name, annotations = {}, otherAnnotations = {}, spec } = wanted;
  await kube.create<Service>(SERVICES, {
    ...{ apiVersion: "v1", kind: "Service" },
    metadata: { name, annotations: { ...prefixed(annotations), ...otherAnnotations } },
    spec: { type: "LoadBalancer", ...spec },
  });
}

export async function annotate({ kube }: Side, name: string, more: Wanted["annotations"] = {}) {
  const metadata = { annotations: prefixed(more) };
  await kube.patch(`${SERVICES}/${name}`, "merge", { metadata });
}

export async function changeSpec({ kube }: Side, name: string, spec: object): Promise<void> {
  await kube.patch(`${SERVICES}/${name}`, "merge", { spec });
}

/** Resolves once they have addresses, with how the names of these end. */
export async function addressed(side: Side, ...names: readonly string[]) {
  return eventually(() => names.map((name) => suffixOf(hostOf(side, name))), {
    withinMs: 180_000,
    on: side.services,
  });
}

/** Resolves once a warning about it is there; each manager has words of its own for it. */
export async function refused(side: Side, name: string): Promise<void> {
  await eventually(() => demand(complaintOf(side, name) !== NOBODY, `${name} is not refused`), {
    withinMs: 60_000,
    on: side.events,
  });
}

/** Resolves once a warning about it says this, in words that are the provider's own. */
export async function refusedWith(side: Side, name: string, says: RegExp): Promise<void> {
  await eventually(
    () => {
      const complaints = complaintsOf(side, name);
      const last = complaints.at(-1) ?? NOBODY;
      demand(
        complaints.some((one) => says.test(one)),
        `of ${name} is said: ${last}`,
      );
    },
    { withinMs: 120_000, on: side.events },
  );
}

const NOBODY = "nobody complains";

function hostOf(side: Side, name: string): string {
  const host = side.services.get(name)?.status.loadBalancer?.ingress?.[0]?.hostname;
  demand(host !== undefined, `${name} has no address: ${complaintOf(side, name)}`);
  return host;
}

/** The kind of a load balancer is in its host name. */
function suffixOf(host: string): string {
  return host.slice(host.indexOf("."));
}

function complaintOf(side: Side, name: string): string {
  return complaintsOf(side, name).at(-1) ?? NOBODY;
}

function complaintsOf({ events }: Side, name: string): readonly string[] {
  return events
    .all()
    .filter(({ involvedObject, type }) => involvedObject.name === name && type === "Warning")
    .map(({ message }) => message);
}

/** Deletes them all at once, and resolves when they are gone. */
export async function removeServices(side: Side, ...names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => side.kube.delete(`${SERVICES}/${name}`)));
  await eventually(
    () => {
      const left = names.filter((name) => side.services.get(name) !== undefined);
      const [first = ""] = left;
      demand(left.length === 0, `${left.join()} are still there: ${complaintOf(side, first)}`);
    },
    { withinMs: 240_000, on: side.services },
  );
}

function prefixed(annotations: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`${PREFIX}${name}`, value]),
  );
}
