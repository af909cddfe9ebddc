import type {
  CallContext,
  CloudChange,
  Json,
  LoadBalancerObservation,
  LoadBalancerOwner,
  LoadBalancerPlan,
  LoadBalancerPlanInput,
  LoadBalancerSpec,
  LoadBalancers,
} from "@cloudwright/provider-api";
import { z } from "zod";
import { type Api, asProviderError } from "./api.ts";

const loadBalancerSchema = z.object({
  name: z.string(),
  ip: z.string(),
  ports: z.array(z.string()).nullish(),
  targets: z.array(z.string()).nullish(),
});
const answerSchema = z.object({ loadBalancer: loadBalancerSchema });
type LoadBalancer = z.infer<typeof loadBalancerSchema>;

/** What the cloud has under the owner's name. */
interface Observed {
  readonly balancer: LoadBalancer | undefined;
}

/** As it travels: ports are `TCP/80/31234`, targets are names of nodes. */
interface Wanted {
  readonly name: string;
  readonly ports: readonly string[];
  readonly targets: readonly string[];
}

/**
 * The cloud has names and nothing else: they are made of the Service's UID, as upstream's default is, and stand for the mark. So
 * what upstream's manager made is taken over by its name alone, nothing is written for that, and the other way round. It lists
 * nothing, so that no orphan can be found.
 */
export function loadBalancers(api: Api): LoadBalancers<Observed> {
  return {
    abilities: {
      protocols: ["TCP", "UDP", "SCTP"],
      mixedProtocols: true,
      families: ["IPv4"],
      affinity: false,
      sourceRanges: false,
      requestedAddress: false,
      storesOwner: false,
      annotationPrefixes: [],
      ignoredFields: [],
    },
    observe: async (owners, context) => {
      const answers = owners.map(
        async (owner) => [owner.objectUid, await observeOne(api, owner, context)] as const,
      );
      return new Map(await Promise.all(answers));
    },
    plan,
    apply: (change, context) => apply(api, change, context),
    owned: async () => [],
  };
}

async function observeOne(
  api: Api,
  owner: LoadBalancerOwner,
  context: CallContext,
): Promise<LoadBalancerObservation<Observed>> {
  try {
    const answer = await api.call("lb.get", { name: nameOf(owner) }, context);
    return {
      kind: "known",
      observed: { balancer: answerSchema.parse(answer).loadBalancer },
    };
  } catch (error) {
    const failure = asProviderError(error, "lb.get");
    if (failure.code === "NotFound") return { kind: "known", observed: { balancer: undefined } };
    return { kind: "failed", error: failure };
  }
}

function plan({ owner, spec, observed }: LoadBalancerPlanInput<Observed>): LoadBalancerPlan {
  const { balancer: loadBalancer } = observed;
  const name = nameOf(owner);
  const options = spec && wanted(name, spec);
  const change =
    options === undefined ? removal(name, loadBalancer) : difference(options, loadBalancer);
  return {
    changes: change === undefined ? [] : [change],
    next: { kind: "settled" },
    status: loadBalancer && { ingress: [{ ip: loadBalancer.ip }] },
    actual: loadBalancer && {
      id: loadBalancer.name,
      name: loadBalancer.name,
      type: "network",
      addresses: [loadBalancer.ip],
      state: "active",
      parts: [],
    },
    aspects: options === undefined ? [] : aspectsOf(options, loadBalancer),
    members: membersOf(spec, loadBalancer),
  };
}

function removal(name: string, loadBalancer: LoadBalancer | undefined): CloudChange | undefined {
  if (loadBalancer === undefined) return undefined;
  return {
    action: "delete",
    what: "load balancer",
    target: name,
    before: { ports: loadBalancer.ports ?? [], targets: loadBalancer.targets?.length ?? 0 },
    after: null,
    request: { name },
  };
}

function difference(
  options: Wanted,
  loadBalancer: LoadBalancer | undefined,
): CloudChange | undefined {
  const common = { what: "load balancer", target: options.name, request: { ...options } as Json };
  const ports = loadBalancer?.ports ?? [];
  const targets = [...(loadBalancer?.targets ?? [])].sort(byText);
  const after = { ports: options.ports, count: options.targets.length };
  if (loadBalancer === undefined) return { ...common, action: "create", before: null, after };
  const samePorts = equal([...ports].sort(byText), options.ports);
  if (samePorts && equal(targets, options.targets)) return undefined;
  if (samePorts)
    return {
      ...common,
      action: "members",
      before: { count: targets.length },
      after: gains(targets, options.targets),
    };
  return { ...common, action: "update", before: { ports, count: targets.length }, after };
}

function gains(before: readonly string[], after: readonly string[]) {
  const [had, has] = [new Set(before), new Set(after)];
  return {
    added: after.filter((name) => !had.has(name)),
    removed: before.filter((name) => !has.has(name)),
    count: after.length,
  };
}

async function apply(
  api: Api,
  { action, request, target }: CloudChange,
  context: CallContext,
): Promise<Observed> {
  const operation = action === "members" ? "lb.update" : `lb.${action}`;
  try {
    const answer = await api.change({ operation, target }, request as object, context);
    return { balancer: action === "delete" ? undefined : answerSchema.parse(answer).loadBalancer };
  } catch (error) {
    const failure = asProviderError(error, operation);
    if (action === "delete" && failure.code === "NotFound") return { balancer: undefined };
    throw failure;
  }
}

function aspectsOf(options: Wanted, loadBalancer: LoadBalancer | undefined) {
  const desired = options.ports.join(", ");
  const actual = loadBalancer?.ports?.join(", ");
  return [{ name: "ports", desired, ...(actual === undefined ? {} : { actual }) }];
}

type Members = Readonly<Record<string, object>>;

/** By the members that are wanted and the targets that there are: nearly all load balancers have the same of both. */
const KNOWN = new WeakMap<LoadBalancerSpec["members"], { targets: string; members: Members }>();

function membersOf(
  spec: LoadBalancerSpec | undefined,
  loadBalancer: LoadBalancer | undefined,
): Members {
  const targets = loadBalancer?.targets ?? [];
  if (spec === undefined) return membersByName(targets, new Map());
  const text = targets.join();
  const known = KNOWN.get(spec.members);
  if (known?.targets === text) return known.members;
  const ids = new Map(spec.members.map(({ nodeName, providerID }) => [nodeName, providerID]));
  const members = membersByName(targets, ids);
  KNOWN.set(spec.members, { targets: text, members });
  return members;
}

function membersByName(
  targets: readonly string[],
  ids: ReadonlyMap<string, string | undefined>,
): Members {
  return Object.fromEntries(
    targets.map((name) => [ids.get(name) ?? `fakecloud://region-1/${name}`, {}]),
  );
}

function wanted(name: string, { listeners, members }: LoadBalancerSpec): Wanted {
  return {
    name,
    ports: listeners
      .map(({ protocol, port, nodePort }) => `${protocol}/${port}/${nodePort}`)
      .sort(byText),
    targets: members.map(({ nodeName }) => nodeName).sort(byText),
  };
}

/** spec/60 §4, the legacy default. */
function nameOf({ objectUid }: LoadBalancerOwner): string {
  return `a${objectUid.replaceAll("-", "")}`.slice(0, 32);
}

function equal(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one, index) => one === right[index]);
}

function byText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
