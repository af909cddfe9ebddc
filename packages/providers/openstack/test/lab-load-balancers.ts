import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadBalancerOwner, OwnerIdentity } from "@cloudwright/provider-api";
import type { LoadBalancersFixture, SeenLoadBalancer } from "@cloudwright/provider-api/kit";
import { createLoadBalancers } from "../src/load-balancers/load-balancers.ts";
import type { AskedRequest, ConsoleCall, Fate, LabCloud } from "./lab-cloud.ts";

/** All that the kit makes is named after Services of this namespace. */
const NAMED = /^kube_service_k.*_(shop|nnn+)|^kube_service_k{200}/;

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly provisioning_status: string;
  readonly vip_address: string;
  readonly vip_port_id: string;
  readonly tags: readonly string[];
}

/** The load balancers of the lab, of which only the kit's own count. */
export function loadBalancersFixture(lab: LabCloud): LoadBalancersFixture {
  const cloud = new LabLoadBalancers(lab);
  const addresses = new Map<string, string>();
  const fixture: LoadBalancersFixture = {
    provider: "openstack",
    // All services on one machine, which does other things beside.
    deadlineMs: 60_000,
    loadBalancers: createLoadBalancers({
      client: lab.client,
      config: lab.config,
      retryBrokenMs: 0,
    }),
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
    loseNextAnswer: async (action) => loseNextAnswer(lab, action),
    throttle: async (retryAfterMs) => refusing(lab, { status: 429, retryAfterMs }),
    breakCloud: async () => refusing(lab, { status: 503 }),
    slowDown: async (ms) => cloud.behave({ delay: ms / 1_000 }),
  };
  return fixture;
}

/** Leaves nothing of the kit in the lab. */
export async function clearLoadBalancers(lab: LabCloud): Promise<void> {
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

function loseNextAnswer(lab: LabCloud, action: keyof typeof VERBS): void {
  const isMeant = ({ method, service, path }: AskedRequest) => {
    if (service !== "load-balancer" || method === "GET") return false;
    return action === "update" ? !path.includes("loadbalancers") : method === VERBS[action];
  };
  lab.fate = (asked) => {
    if (!isMeant(asked)) return undefined;
    lab.fate = () => undefined;
    return "lose";
  };
}

async function refusing(lab: LabCloud, fate: Fate): Promise<() => Promise<void>> {
  lab.fate = ({ service }) => (service === "identity" ? undefined : fate);
  return async () => {
    lab.fate = () => undefined;
  };
}

/** Octavia and Neutron as somebody with the console has them. */
class LabLoadBalancers {
  readonly #lab: LabCloud;

  constructor(lab: LabCloud) {
    this.#lab = lab;
  }

  async existing(addresses: ReadonlyMap<string, string>): Promise<readonly SeenLoadBalancer[]> {
    const floating = await this.#floatingIps();
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
    const { security_groups: groups } = await this.#neutron<{
      security_groups: { id: string; name: string }[];
    }>("GET", "/security-groups");
    return groups.filter(({ name }) => /^lb-sg-.*-shop-/.test(name)).map(({ id }) => id);
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

  /** How the lab's provider works from now on. */
  behave(behaviour: object): void {
    writeFileSync(this.#lab.behaviourFile, JSON.stringify(behaviour));
  }

  async clear(): Promise<void> {
    this.behave({ delay: 0.2 });
    const all = await this.#listed();
    const ports = new Set<string | null>(all.map(({ vip_port_id }) => vip_port_id));
    const isOurs = ({ port_id, description }: Floating) =>
      ports.has(port_id) || description.includes("external service shop/");
    for (const { id } of (await this.#floatingIps()).filter(isOurs))
      await this.#neutron("DELETE", `/floatingips/${id}`);
    await Promise.all(all.map(({ id }) => this.remove(id)));
    for (const id of await this.parts()) await this.#neutron("DELETE", `/security-groups/${id}`);
  }

  async #make(fields: object): Promise<string> {
    const vip_subnet_id = this.#lab.ids.private_subnet_id;
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

  /** Its status once Octavia is not at work on it; undefined when it is gone. */
  async #settled(id: string): Promise<string | undefined> {
    for (let tries = 0; tries < 300; tries++) {
      const { loadbalancers } = await this.#octavia<{ loadbalancers: readonly Listed[] }>(
        "GET",
        `/loadbalancers?id=${id}`,
      );
      const status = loadbalancers[0]?.provisioning_status;
      if (status?.startsWith("PENDING_") !== true) return status;
      await sleep(100);
    }
    throw new Error(`${id} does not come to rest`);
  }

  async #listed(): Promise<readonly Listed[]> {
    const { loadbalancers } = await this.#octavia<{ loadbalancers: readonly Listed[] }>(
      "GET",
      "/loadbalancers",
    );
    return loadbalancers.filter(
      ({ name, provisioning_status: status }) => NAMED.test(name) && status !== "DELETED",
    );
  }

  async #floatingIps(): Promise<readonly Floating[]> {
    const { floatingips } = await this.#neutron<{ floatingips: readonly Floating[] }>(
      "GET",
      "/floatingips",
    );
    return floatingips;
  }

  #octavia<T>(method: ConsoleCall["method"], path: string, body?: object): Promise<T> {
    return this.#lab.console<T>({
      ...{ method, service: "load-balancer", path },
      ...(body === undefined ? {} : { body }),
    });
  }

  #neutron<T>(method: ConsoleCall["method"], path: string): Promise<T> {
    return this.#lab.console<T>({ method, service: "network", path });
  }
}

interface Floating {
  readonly id: string;
  readonly port_id: string | null;
  readonly floating_ip_address: string;
  readonly description: string;
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
