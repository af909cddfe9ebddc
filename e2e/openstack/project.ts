import { randomBytes } from "node:crypto";
import { eventually, same } from "../harness/wait.ts";
import { Console, type ServiceConsole } from "./console.ts";
import type { Lab } from "./lab.ts";

/** A project of its own, with a network behind a router: what else is done in the lab does not meet it. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly credential: { readonly id: string; readonly secret: string };
  readonly networkId: string;
  readonly subnetId: string;
  readonly routerId: string;
  /** Out of band, as somebody at the cloud's console. */
  readonly console: Console;
  /** Removes everything in it, and the project. */
  close(): Promise<void>;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** `name` is for reading; each has another one. `cidr`: the servers' IPv4 addresses. */
export async function openProject(lab: Lab, cidr = "10.20.0.0/20"): Promise<Project> {
  const admin = await Console.open(await lab.settingsOf("admin"), lab);
  const name = `cloudwright-${randomBytes(4).toString("hex")}`;
  const made = await admin.identity.call<{ project: Named }>("POST", "/projects", {
    project: { name, domain_id: "default" },
  });
  const { id } = made.project;
  try {
    await admitUser(admin, id);
    const console = await Console.open(
      { ...(await lab.settingsOf("password")), OS_PROJECT_NAME: name },
      lab,
    );
    const credential = await credentialIn(console);
    const close = async () => {
      await removeAll(console);
      await admin.identity.remove(`/projects/${id}`);
    };
    return { id, name, console, credential, ...(await networkIn(console, lab, cidr)), close };
  } catch (error) {
    await admin.identity.remove(`/projects/${id}`);
    throw error;
  }
}

const ROLES = ["member", "reader", "load-balancer_member"];

/** The lab's user, in the new project. */
async function admitUser(admin: Console, projectId: string): Promise<void> {
  const { roles } = await admin.identity.get<{ roles: Named[] }>("/roles");
  const { users } = await admin.identity.get<{ users: Named[] }>("/users?name=lab");
  for (const role of roles.filter((each) => ROLES.includes(each.name)))
    await admin.identity.call(
      "PUT",
      `/projects/${projectId}/users/${users[0]?.id}/roles/${role.id}`,
    );
}

/** Another application credential for it. */
export async function credentialIn(console: Console): Promise<Project["credential"]> {
  const { application_credential: made } = await console.identity.call<{
    application_credential: Project["credential"];
  }>("POST", `/users/${console.userId}/application_credentials`, {
    application_credential: { name: `cloudwright-${randomBytes(4).toString("hex")}` },
  });
  return made;
}

/** Of both families, each behind the router. */
async function networkIn({ network }: Console, lab: Lab, cidr: string) {
  const made = await network.call<{ network: Named }>("POST", "/networks", {
    network: { name: "private" },
  });
  const { router } = await network.call<{ router: Named }>("POST", "/routers", {
    router: { name: "nodes", external_gateway_info: { network_id: lab.ids.public_network_id } },
  });
  const subnetOf = async (fields: object) => {
    const { subnet } = await network.call<{ subnet: Named }>("POST", "/subnets", {
      subnet: { network_id: made.network.id, ...fields },
    });
    const interfaces = `/routers/${router.id}/add_router_interface`;
    await network.call("PUT", interfaces, { subnet_id: subnet.id });
    return subnet.id;
  };
  const subnetId = await subnetOf({ name: "private-v4", ip_version: 4, cidr });
  await subnetOf({
    ...{ name: "private-v6", ip_version: 6, cidr: "fd20::/64" },
    ...{ ipv6_address_mode: "slaac", ipv6_ra_mode: "slaac" },
  });
  return { networkId: made.network.id, subnetId, routerId: router.id };
}

/** Server by server and so on, in an order in which nothing is in use any more. */
async function removeAll(console: Console): Promise<void> {
  const { loadBalancer, compute, network } = console;
  const balancers = await listed(loadBalancer, "/lbaas/loadbalancers", "loadbalancers");
  for (const id of balancers)
    await untilDone(() => loadBalancer.remove(`/lbaas/loadbalancers/${id}?cascade=true`));
  for (const id of await listed(compute, "/servers?limit=1000", "servers"))
    await compute.remove(`/servers/${id}`);
  await untilDone(async () => {
    same(await listed(compute, "/servers?limit=1000", "servers"), [], "servers");
    same(await listed(loadBalancer, "/lbaas/loadbalancers", "loadbalancers"), [], "load balancers");
  });
  for (const id of await listed(network, "/floatingips", "floatingips"))
    await network.remove(`/floatingips/${id}`);
  for (const id of await listed(network, "/routers", "routers")) await removeRouter(console, id);
  for (const id of await listed(network, "/ports", "ports")) await network.remove(`/ports/${id}`);
  const groups = await listed(network, "/security-groups", "security_groups");
  for (const id of await listed(network, "/networks", "networks", console.projectId))
    await untilDone(() => network.remove(`/networks/${id}`));
  // One of them is the project's own, which goes with it.
  for (const id of groups) await network.remove(`/security-groups/${id}`).catch(() => undefined);
}

async function removeRouter({ network }: Console, id: string): Promise<void> {
  await network.call("PUT", `/routers/${id}`, { router: { routes: [] } });
  const interfaces = "device_owner=network:router_interface";
  for (const port of await listed(network, `/ports?device_id=${id}&${interfaces}`, "ports"))
    await network.call("PUT", `/routers/${id}/remove_router_interface`, { port_id: port });
  await network.remove(`/routers/${id}`);
}

async function listed(
  service: ServiceConsole,
  path: string,
  ...[member, projectId]: [member: string, projectId?: string]
): Promise<readonly string[]> {
  const answer = await service.get<Record<string, (Named & { project_id?: string })[]>>(path);
  return (answer[member] ?? [])
    .filter((each) => projectId === undefined || each.project_id === projectId)
    .map(({ id }) => id);
}

/** What the services still work on is in the way for a moment. */
function untilDone(work: () => Promise<void>): Promise<void> {
  return eventually(work, { withinMs: 600_000 });
}
