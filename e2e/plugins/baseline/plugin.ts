import {
  type CallContext,
  type InstanceFacts,
  type InstanceRef,
  type Instances,
  instanceKey,
  type Lookup,
  type NodeAddress,
  type Provider,
  ProviderError,
  type ProviderPlugin,
} from "@cloudwright/provider-api";
import { Agent } from "undici";
import { z } from "zod";
import { Api, asProviderError, NAME } from "./api.ts";
import { loadBalancers } from "./load-balancers.ts";
import { routes } from "./routes.ts";

/** The fake cloud of the baseline that we are measured against, as an outside plug-in would offer it. */
const SCHEME = `${NAME}://`;
/** Up to so many nodes are read one by one; for more a listing of the whole cloud costs fewer calls. */
const READ_ONE_BY_ONE = 3;
const MOST_REFUSALS_OF_A_PAGE = 3;

const instanceSchema = z.object({
  providerID: z.string(),
  name: z.string(),
  type: z.string().default(""),
  zone: z.string().default(""),
  region: z.string().default(""),
  internalIPs: z.array(z.string()).nullish(),
  externalIPs: z.array(z.string()).nullish(),
  state: z.string().default("running"),
});
type Instance = z.infer<typeof instanceSchema>;
const oneSchema = z.object({ instance: instanceSchema });
const pageSchema = z.object({
  instances: z.array(instanceSchema).nullish(),
  nextPage: z.string().optional(),
});

const CONNECTIONS = 256;
/** Its bursts are some seconds apart, and each connection costs as much as some calls. */
const KEEP_ALIVE_MS = 30_000;

export const plugin: ProviderPlugin = { apiVersion: 1, create };
export const apiVersion = 1;

export function create(): Provider {
  const url = process.env.FAKECLOUD_URL;
  if (url === undefined) {
    throw new ProviderError(
      "Invalid",
      "FAKECLOUD_URL is not set: the benchmark sets it to its cloud's address",
      {
        provider: NAME,
        operation: "create",
        field: "FAKECLOUD_URL",
      },
    );
  }
  const agent = new Agent({ connections: CONNECTIONS, keepAliveTimeout: KEEP_ALIVE_MS });
  const api = new Api(url, agent);
  return {
    name: NAME,
    hasClusterId: true,
    zones: true,
    instances: instances(api),
    loadBalancers: loadBalancers(api),
    routes: routes(api),
    close: () => agent.close(),
  };
}

function instances(api: Api): Instances {
  return {
    async describe(refs, { mode }, context) {
      const { ours, foreign } = split(refs);
      const answers = new Map<string, Lookup>(
        foreign.map((ref) => [instanceKey(ref), { kind: "foreign" }]),
      );
      const found =
        mode === "single" || ours.length <= READ_ONE_BY_ONE
          ? await readEach(api, ours, context)
          : await readListing(api, ours, context);
      for (const [key, lookup] of found) answers.set(key, lookup);
      return answers;
    },
  };
}

function split(refs: readonly InstanceRef[]) {
  const isForeign = ({ providerID }: InstanceRef) =>
    providerID !== undefined && !providerID.startsWith(SCHEME);
  return { ours: refs.filter((ref) => !isForeign(ref)), foreign: refs.filter(isForeign) };
}

async function readEach(
  api: Api,
  refs: readonly InstanceRef[],
  context: CallContext,
): Promise<Map<string, Lookup>> {
  const answers = await Promise.all(
    refs.map(async (ref) => [instanceKey(ref), await readOne(api, ref, context)] as const),
  );
  return new Map(answers);
}

async function readOne(api: Api, ref: InstanceRef, context: CallContext): Promise<Lookup> {
  try {
    const body =
      ref.providerID === undefined ? { name: ref.nodeName } : { providerID: ref.providerID };
    const { instance } = oneSchema.parse(await api.call("instances.get", body, context));
    return { kind: "found", facts: factsOf(instance) };
  } catch (error) {
    const failure = asProviderError(error, "instances.get");
    if (failure.code !== "NotFound") return { kind: "failed", error: failure };
    return proveAbsence(api, ref, context);
  }
}

async function proveAbsence(api: Api, ref: InstanceRef, context: CallContext): Promise<Lookup> {
  try {
    const page = pageSchema.parse(await api.call("instances.list", {}, context));
    const cloudShowsOthers = (page.instances ?? []).length > 0;
    const by = ref.providerID === undefined ? "name" : "providerID";
    return { kind: "absent", proof: { by, cloudShowsOthers, at: Date.now() } };
  } catch (error) {
    return { kind: "failed", error: asProviderError(error, "instances.list") };
  }
}

async function readListing(
  api: Api,
  refs: readonly InstanceRef[],
  context: CallContext,
): Promise<Map<string, Lookup>> {
  const answers = new Map<string, Lookup>();
  try {
    for (const facts of await listAll(api, context)) {
      const lookup: Lookup = { kind: "found", facts };
      // Nodes that register in the next seconds find their facts here too.
      answers.set(`name:${facts.name}`, lookup);
      if (facts.providerID !== undefined) answers.set(`id:${facts.providerID}`, lookup);
    }
    for (const ref of refs)
      if (!answers.has(instanceKey(ref))) answers.set(instanceKey(ref), { kind: "notListed" });
  } catch (error) {
    const failure = asProviderError(error, "instances.list");
    for (const ref of refs) answers.set(instanceKey(ref), { kind: "failed", error: failure });
  }
  return answers;
}

async function listAll(api: Api, context: CallContext): Promise<InstanceFacts[]> {
  const all: InstanceFacts[] = [];
  let page: string | undefined;
  do {
    const answer = await readPage(api, page, context);
    all.push(...(answer.instances ?? []).map(factsOf));
    page = answer.nextPage;
  } while (page !== undefined && page !== "");
  return all;
}

/** A page that is refused for now is asked for again when its turn comes; those before it need not be. */
async function readPage(
  api: Api,
  page: string | undefined,
  context: CallContext,
): Promise<z.infer<typeof pageSchema>> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      const body = page === undefined ? {} : { page };
      return pageSchema.parse(await api.call("instances.list", body, context));
    } catch (error) {
      const isRefusal = asProviderError(error, "instances.list").code === "Throttled";
      if (!isRefusal || refusals >= MOST_REFUSALS_OF_A_PAGE) throw error;
    }
  }
}

function factsOf(instance: Instance): InstanceFacts {
  const addresses: NodeAddress[] = [
    ...(instance.internalIPs ?? []).map((address) => ({ type: "InternalIP" as const, address })),
    ...(instance.externalIPs ?? []).map((address) => ({ type: "ExternalIP" as const, address })),
  ];
  return {
    providerID: instance.providerID,
    name: instance.name,
    type: instance.type,
    zone: instance.zone,
    region: instance.region,
    addresses,
    additionalLabels: {},
    power: instance.state === "running" ? "running" : "stopped",
    asOf: Date.now(),
  };
}
