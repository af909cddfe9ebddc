import { writeFileSync } from "node:fs";
import type { LoadBalancerOwner, OwnerIdentity } from "@cloudwright/provider-api";
import type { LoadBalancersFixture, SeenLoadBalancer } from "@cloudwright/provider-api/kit";
import { demand, eventually } from "../../../../e2e/harness/wait.ts";
import { floatingIpsOf } from "../../../../e2e/openstack/balancers.ts";
import { Console, type Method } from "../../../../e2e/openstack/console.ts";
import type { ServiceCall } from "../../../../e2e/openstack/fault-proxy.ts";
import { LONG_MS } from "../../../../e2e/openstack/patience.ts";
import { createLoadBalancers } from "../src/load-balancers/load-balancers.ts";
import { ANSWER_MS, type LabUnderTest } from "./lab-under-test.ts";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly provisioning_status: string;
  readonly vip_address: string;
  readonly vip_port_id: string;
  readonly tags: readonly string[];
}

/** The load balancers of the lab's project, all of which belong to the kit. */
export function loadBalancersFixture(lab: LabUnderTest): LoadBalancersFixture {
  const cloud = new LabLoadBalancers(lab);
  const addresses = new Map<string, string>();
  const { client, config } = lab;
  return {
    provider: "openstack",
    deadlineMs: ANSWER_MS,
    // Octavia's driver agent starts a process for each report, and on two cores loses reports of more load balancers.
    servedAtOnce: 4,
    mostWaitedMs: LONG_MS,
    loadBalancers: createLoadBalancers({ client, config, retryBrokenMs: 0 }),
    keepsClass: true,
    createMember: async (name) => {
      const providerID = `openstack:///${name}-${addresses.size}`;
      addresses.set(providerID, `10.20.14.${addresses.size + 1}`);
      return providerID;
    },
    addressesOf: (providerID) => [
      { type: "InternalIP", address: addresses.get(providerID) ?? "10.20.14.250" },
    ],
    existing: () => cloud.existing(addresses),
    parts: () => cloud.parts(),
    createUnowned: (owner) => cloud.create(nameOf(owner), []),
    createUsed: (owner) => cloud.createUsed(nameOf(owner)),
    createOwned: (owner, mark) => cloud.create(nameOf(owner), tagsOf(owner, mark)),
    removeLoadBalancer: (id) => cloud.remove(id),
    editLoadBalancer: (id) => cloud.edit(id),
    breakLoadBalancer: (id) => cloud.break(id),
    loseNextAnswer: (action) => lab.loseNext(isChange(action)),
    throttle: (retryAfterMs) =>
      lab.refuse({ status: 429, code: "OverLimit", retryAfter: retryAfterMs / 1_000 }),
    breakCloud: () => lab.refuse({ status: 503, code: "ServiceUnavailable" }),
    answerWithoutEnd: (fault) => lab.answerWithoutEnd(fault),
    limitLoadBalancers: (count) => cloud.limit(count),
    slowDown: async (ms) => cloud.behave({ delay: ms / 1_000 }),
  };
}

/** Removes everything that a case left in the project. */
export async function clearLoadBalancers(lab: LabUnderTest): Promise<void> {
  await new LabLoadBalancers(lab).clear();
}

function nameOf({ clusterName, namespace, name }: LoadBalancerOwner): string {
  return `kube_service_${clusterName}_${namespace}_${name}`.slice(0, 255);
}

function tagsOf(owner: LoadBalancerOwner, mark: OwnerIdentity): readonly string[] {
  return [
    nameOf(owner),
    `cloudwright:cluster=${mark.clusterUid}`,
    `cloudwright:service=${mark.objectUid}/${owner.namespace}/${owner.name}`,
  ];
}

const VERBS = { create: "POST", update: "PUT", delete: "DELETE" } as const;

function isChange(action: keyof typeof VERBS) {
  return ({ method, service, route }: ServiceCall) => {
    if (service !== "load-balancer" || method === "GET") return false;
    return action === "update" ? !route.includes("loadbalancers") : method === VERBS[action];
  };
}

/** Octavia and Neutron, as used from the console. */
class LabLoadBalancers {
  readonly #lab: LabUnderTest;

  constructor(lab: LabUnderTest) {
    this.#lab = lab;
  }

  async existing(addresses: ReadonlyMap<string, string>): Promise<readonly SeenLoadBalancer[]> {
    const floating = await floatingIpsOf(this.#lab.env);
    const ids = new Map([...addresses].map(([id, address]) => [address, id]));
    const all = await this.#listed();
    return Promise.all(
      all.map(async (one): Promise<SeenLoadBalancer> => {
        const { ports, members } = await this.#inside(one.id);
        const own = floating.find(({ port_id }) => port_id === one.vip_port_id);
        const outside = own === undefined ? [] : [own.floating_ip_address];
        return {
          ...{ id: one.id, owner: markIn(one.tags), ports },
          members: [...new Set(members)].map((address) => ids.get(address) ?? address),
          addresses: [...outside, one.vip_address],
          isBroken: one.provisioning_status === "ERROR",
        };
      }),
    );
  }

  async parts(): Promise<readonly string[]> {
    const { network } = this.#lab.env.project.console;
    const { security_groups: groups } = await network.get<{
      security_groups: { id: string; name: string }[];
    }>("/security-groups");
    return groups.filter(({ name }) => /^lb-sg-/.test(name)).map(({ id }) => id);
  }

  create(name: string, tags: readonly string[]): Promise<string> {
    return this.#make({ name, tags });
  }

  createUsed(name: string): Promise<string> {
    const members = [{ name: "other", address: "10.20.15.9", protocol_port: 53 }];
    const pool = { name: "used", protocol: "UDP", lb_algorithm: "ROUND_ROBIN", members };
    const listener = { name: "used", protocol: "UDP", protocol_port: 53, default_pool: pool };
    return this.#make({ name, listeners: [listener] });
  }

  async remove(id: string): Promise<void> {
    await this.#settled(id);
    await this.#octavia("DELETE", `/loadbalancers/${id}?cascade=true`);
    await this.#settled(id);
  }

  async edit(id: string): Promise<void> {
    for (const { id: listener, default_pool_id: pool } of await this.#listeners(id)) {
      await this.#octavia("DELETE", `/listeners/${listener}`);
      await this.#settled(id);
      if (pool !== null) await this.#octavia("DELETE", `/pools/${pool}`);
      await this.#settled(id);
    }
  }

  async break(id: string): Promise<void> {
    if ((await this.#settled(id)) !== "ACTIVE") return;
    this.behave({ delay: 0.1, error: ["loadbalancer_update"] });
    const loadbalancer = { admin_state_up: true };
    await this.#octavia("PUT", `/loadbalancers/${id}`, { loadbalancer });
    await this.#settled(id);
    this.behave({ delay: 0.2 });
  }

  /** Changes how the lab's provider behaves from now on. */
  behave(behaviour: object): void {
    writeFileSync(this.#lab.env.lab.behaviourFile, JSON.stringify(behaviour));
  }

  /** Limits the project's quota, as an administrator would. */
  async limit(count: number): Promise<void> {
    const { lab, project } = this.#lab.env;
    const { loadBalancer } = await Console.open(await lab.settingsOf("admin"), lab);
    const quota = { load_balancer: count };
    await loadBalancer.call("PUT", `/lbaas/quotas/${project.id}`, { quota });
  }

  async clear(): Promise<void> {
    this.behave({ delay: 0.2 });
    await this.limit(-1);
    const { network } = this.#lab.env.project.console;
    for (const { id } of await floatingIpsOf(this.#lab.env))
      await network.remove(`/floatingips/${id}`);
    await Promise.all((await this.#listed()).map(({ id }) => this.remove(id)));
    for (const id of await this.parts()) await network.remove(`/security-groups/${id}`);
  }

  async #make(fields: object): Promise<string> {
    const vip_subnet_id = this.#lab.env.project.subnetId;
    const { loadbalancer } = await this.#octavia<{ loadbalancer: { id: string } }>(
      "POST",
      "/loadbalancers",
      { loadbalancer: { ...fields, provider: "lab", vip_subnet_id } },
    );
    await this.#settled(loadbalancer.id);
    return loadbalancer.id;
  }

  async #inside(id: string) {
    const listeners = await this.#listeners(id);
    const pools = listeners.flatMap(({ default_pool_id: pool }) => (pool === null ? [] : [pool]));
    const members = await Promise.all(
      pools.map((pool) =>
        this.#octavia<{ members: { address: string }[] }>("GET", `/pools/${pool}/members`),
      ),
    );
    return {
      ports: listeners.map(({ protocol_port }) => protocol_port),
      members: members.flatMap((found) => found.members.map(({ address }) => address)),
    };
  }

  async #listeners(id: string) {
    const { listeners } = await this.#octavia<{
      listeners: { id: string; protocol_port: number; default_pool_id: string | null }[];
    }>("GET", `/listeners?loadbalancer_id=${id}`);
    return listeners;
  }

  /** Returns its status once Octavia is done with it; undefined if it is gone. */
  async #settled(id: string): Promise<string | undefined> {
    return eventually(
      async () => {
        const { loadbalancers } = await this.#octavia<{ loadbalancers: readonly Listed[] }>(
          "GET",
          `/loadbalancers?id=${id}`,
        );
        const status = loadbalancers[0]?.provisioning_status;
        demand(status?.startsWith("PENDING_") !== true, `${id} is ${status}`);
        return status;
      },
      { withinMs: LONG_MS },
    );
  }

  async #listed(): Promise<readonly Listed[]> {
    const { loadbalancers } = await this.#octavia<{ loadbalancers: readonly Listed[] }>(
      "GET",
      "/loadbalancers",
    );
    return loadbalancers.filter(({ provisioning_status: status }) => status !== "DELETED");
  }

  /** Ignores that a deletion finds nothing. */
  async #octavia<T>(method: Method, path: string, body?: object): Promise<T> {
    const { loadBalancer } = this.#lab.env.project.console;
    if (method === "DELETE") return (await loadBalancer.remove(`/lbaas${path}`)) as T;
    return loadBalancer.call<T>(method, `/lbaas${path}`, body);
  }
}

function markIn(tags: readonly string[]): OwnerIdentity | undefined {
  const textAfter = (prefix: string) =>
    tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length);
  const clusterUid = textAfter("cloudwright:cluster=");
  const objectUid = textAfter("cloudwright:service=")?.split("/")[0];
  return clusterUid === undefined || objectUid === undefined
    ? undefined
    : { clusterUid, objectUid };
}
