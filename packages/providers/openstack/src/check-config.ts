import {
  type CallContext,
  type ConfigProblem,
  isProviderError,
  ProviderError,
} from "@cloudwright/provider-api";
import { z } from "zod";
import { type OpenStackClient, path } from "./api/client.ts";
import { isNotFound } from "./api/errors.ts";
import { TITLES } from "./api/services.ts";
import type { CloudConf } from "./config/cloud-conf.ts";
import { PROVIDER } from "./config/invalid-config.ts";

export interface ConfigToCheck {
  readonly client: OpenStackClient;
  readonly config: Pick<CloudConf, "loadBalancer" | "loadBalancerClasses" | "route">;
}

/** Looks up everything that the configuration names by id, and checks that it fits together (spec/providers/pains 45). */
export async function checkConfig(
  { client, config }: ConfigToCheck,
  context: CallContext,
): Promise<readonly ConfigProblem[]> {
  const cloud = new NamedThings(client, context);
  const problems: (ConfigProblem | undefined)[] = [];
  if (config.loadBalancer.enabled) problems.push(...(await checkLoadBalancers(cloud, config)));
  if (config.route.routerId !== undefined)
    problems.push(await checkRouter(cloud, config.route.routerId, config));
  return problems.filter((each) => each !== undefined);
}

type Places = Pick<
  CloudConf["loadBalancer"],
  "subnetId" | "memberSubnetId" | "networkId" | "floatingNetworkId" | "floatingSubnetId"
>;

async function checkLoadBalancers(cloud: NamedThings, config: ConfigToCheck["config"]) {
  const { loadBalancer, loadBalancerClasses } = config;
  const problems = await checkPlaces(cloud, "[LoadBalancer]", loadBalancer);
  for (const [name, places] of loadBalancerClasses)
    problems.push(...(await checkPlaces(cloud, `[LoadBalancerClass "${name}"]`, places)));
  const { flavorId, availabilityZone, lbProvider } = loadBalancer;
  const named = { section: "[LoadBalancer]" };
  problems.push(
    await cloud.check({ ...named, option: "flavor-id", kind: "flavor" }, flavorId),
    await cloud.check(
      { ...named, option: "availability-zone", kind: "availabilityZone" },
      availabilityZone,
    ),
    await checkProvider(cloud, lbProvider),
  );
  return problems;
}

async function checkPlaces(
  cloud: NamedThings,
  section: string,
  places: Places,
): Promise<(ConfigProblem | undefined)[]> {
  const { subnetId, memberSubnetId, networkId, floatingNetworkId, floatingSubnetId } = places;
  return [
    await cloud.check({ section, option: "network-id", kind: "network" }, networkId),
    await cloud.check(
      { section, option: "subnet-id", kind: "subnet", fits: isInNetwork("network-id", networkId) },
      subnetId,
    ),
    await cloud.check({ section, option: "member-subnet-id", kind: "subnet" }, memberSubnetId),
    await cloud.check(
      { section, option: "floating-network-id", kind: "network", fits: isExternal },
      floatingNetworkId,
    ),
    await cloud.check(
      {
        ...{ section, option: "floating-subnet-id", kind: "subnet" },
        fits: isInNetwork("floating-network-id", floatingNetworkId),
      },
      floatingSubnetId,
    ),
  ];
}

/** Returns what is wrong, as the end of a sentence that begins with the object. */
type Fits = (found: Found) => string | undefined;

function isInNetwork(option: string, networkId: string | undefined): Fits {
  return ({ network_id: actual }) =>
    networkId === undefined || actual === undefined || actual === networkId
      ? undefined
      : `is in the network ${actual}, not in that of ${option}; correct one of them`;
}

function isExternal({ "router:external": external }: Found): string | undefined {
  return external === false
    ? "is not an external network, so no floating IP comes from it; name one that `openstack network list --external` lists"
    : undefined;
}

async function checkProvider(cloud: NamedThings, name: string): Promise<ConfigProblem | undefined> {
  const option = "[LoadBalancer] lb-provider";
  return await cloud.orProblem(option, async () => {
    const names = await cloud.providers();
    if (names.length === 0 || names.includes(name)) return undefined;
    return problem(option, `Octavia has no provider ${name}; it has ${names.join(", ")}`);
  });
}

/** A router only routes to servers on subnets in which it has an interface. */
async function checkRouter(
  cloud: NamedThings,
  routerId: string,
  { loadBalancer: { memberSubnetId, subnetId } }: ConfigToCheck["config"],
): Promise<ConfigProblem | undefined> {
  const section = "[Route]";
  const missing = await cloud.check({ section, option: "router-id", kind: "router" }, routerId);
  const subnet = memberSubnetId ?? subnetId;
  if (missing !== undefined || subnet === undefined) return missing;
  const option = "[Route] router-id";
  return await cloud.orProblem(option, async () => {
    const subnets = await cloud.subnetsOf(routerId);
    if (subnets.includes(subnet)) return undefined;
    return problem(
      option,
      `the router ${routerId} has no interface in the subnet ${subnet} of [LoadBalancer], so pods of servers there are not reached; name the router of the servers, or give it an interface`,
    );
  });
}

const foundSchema = z.object({
  network_id: z.string().optional(),
  "router:external": z.boolean().optional(),
});
type Found = z.output<typeof foundSchema>;

const KINDS = {
  subnet: { service: "network", title: "subnet", at: (id: string) => path`/subnets/${id}` },
  network: { service: "network", title: "network", at: (id: string) => path`/networks/${id}` },
  router: { service: "network", title: "router", at: (id: string) => path`/routers/${id}` },
  flavor: { service: "load-balancer", title: "flavor", at: (id: string) => path`/flavors/${id}` },
  availabilityZone: {
    service: "load-balancer",
    title: "availability zone",
    at: (id: string) => path`/availabilityzones/${id}`,
  },
} as const;

interface Named {
  readonly section: string;
  readonly option: string;
  readonly kind: keyof typeof KINDS;
  readonly fits?: Fits;
}

/** The cloud's objects under the ids in a configuration. */
class NamedThings {
  readonly #client: OpenStackClient;
  readonly #context: CallContext;

  constructor(client: OpenStackClient, context: CallContext) {
    this.#client = client;
    this.#context = context;
  }

  /** Returns undefined if the option is not set, or if there is no problem. */
  async check(named: Named, id: string | undefined): Promise<ConfigProblem | undefined> {
    if (id === undefined) return undefined;
    const option = `${named.section} ${named.option}`;
    const { service, title } = KINDS[named.kind];
    return await this.orProblem(option, async () => {
      try {
        const found = await this.#read(named.kind, id);
        const bad = named.fits?.(found);
        return bad === undefined ? undefined : problem(option, `the ${title} ${id} ${bad}`);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return problem(
          option,
          `${TITLES[service]} shows this project no ${title} ${id}; correct the id, the project or the region`,
        );
      }
    });
  }

  /** A failed lookup does not stop the others, but an abort of the signal does. */
  async orProblem(
    option: string,
    work: () => Promise<ConfigProblem | undefined>,
  ): Promise<ConfigProblem | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isProviderError(error) || this.#context.signal.aborted) throw error;
      return problem(option, `it could not be checked: ${error.message}`);
    }
  }

  async providers(): Promise<readonly string[]> {
    const { items } = await this.#client.listAll({
      ...{ service: "load-balancer", path: "/providers", collection: "providers" },
      ...{ item: z.object({ name: z.string() }), operation: "loadbalancer_provider_list" },
      ...{ target: "all", context: this.#context },
    });
    return items.map(({ name }) => name);
  }

  /** Returns the subnets in which it has an interface. */
  async subnetsOf(routerId: string): Promise<readonly string[]> {
    const { items } = await this.#client.listAll({
      ...{
        service: "network",
        path: "/ports",
        query: { device_id: routerId, fields: ["fixed_ips"] },
      },
      ...{ collection: "ports", item: portSchema, operation: "port_list", target: routerId },
      context: this.#context,
    });
    return items.flatMap(({ fixed_ips }) => fixed_ips.map(({ subnet_id }) => subnet_id));
  }

  async #read(kind: Named["kind"], id: string): Promise<Found> {
    const { service, at, title } = KINDS[kind];
    const { value } = await this.#client.request({
      ...{ service, path: at(id), schema: z.record(z.string(), z.unknown()) },
      ...{ operation: `${title.replaceAll(" ", "_")}_get`, target: id, context: this.#context },
    });
    const [found] = Object.values(value);
    const read = foundSchema.safeParse(found);
    if (read.success) return read.data;
    throw new ProviderError("Unavailable", `${TITLES[service]} answered without a ${title}.`, {
      ...{ provider: PROVIDER, operation: `${title}_get`, target: id },
    });
  }
}

const portSchema = z.object({ fixed_ips: z.array(z.object({ subnet_id: z.string() })) });

function problem(option: string, what: string): ConfigProblem {
  return { option, message: `${option}: ${what.replace(/\.$/, "")}.` };
}
