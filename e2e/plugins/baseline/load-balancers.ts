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

const balancerSchema = z.object({
  name: z.string(),
  ip: z.string(),
  ports: z.array(z.string()).nullish(),
  targets: z.array(z.string()).nullish(),
});
const answerSchema = z.object({ loadBalancer: balancerSchema });
type Balancer = z.infer<typeof balancerSchema>;

/** What the cloud has under the owner's name. */
interface Observed {
  readonly balancer: Balancer | undefined;
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
  const { balancer } = observed;
  const name = nameOf(owner);
  const wish = spec && wanted(name, spec);
  const change = wish === undefined ? removal(name, balancer) : difference(wish, balancer);
  return {
    changes: change === undefined ? [] : [change],
    next: { kind: "settled" },
    status: balancer && { ingress: [{ ip: balancer.ip }] },
    actual: balancer && {
      id: balancer.name,
      name: balancer.name,
      type: "network",
      addresses: [balancer.ip],
      state: "active",
      parts: [],
    },
    aspects: wish === undefined ? [] : aspectsOf(wish, balancer),
    members: membersOf(spec, balancer),
  };
}

function removal(name: string, balancer: Balancer | undefined): CloudChange | undefined {
  if (balancer === undefined) return undefined;
  return {
    action: "delete",
    what: "load balancer",
    target: name,
    before: { ports: balancer.ports ?? [], targets: balancer.targets?.length ?? 0 },
    after: null,
    request: { name },
  };
}

function difference(wish: Wanted, balancer: Balancer | undefined): CloudChange | undefined {
  const common = { what: "load balancer", target: wish.name, request: { ...wish } as Json };
  const ports = balancer?.ports ?? [];
  const targets = [...(balancer?.targets ?? [])].sort(byText);
  const after = { ports: wish.ports, count: wish.targets.length };
  if (balancer === undefined) return { ...common, action: "create", before: null, after };
  const samePorts = equal([...ports].sort(byText), wish.ports);
  if (samePorts && equal(targets, wish.targets)) return undefined;
  if (samePorts)
    return {
      ...common,
      action: "members",
      before: { count: targets.length },
      after: gains(targets, wish.targets),
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

function aspectsOf(wish: Wanted, balancer: Balancer | undefined) {
  const desired = wish.ports.join(", ");
  const actual = balancer?.ports?.join(", ");
  return [{ name: "ports", desired, ...(actual === undefined ? {} : { actual }) }];
}

type Members = Readonly<Record<string, object>>;

/** By the members that are wanted and the targets that there are: nearly all balancers have the same of both. */
const KNOWN = new WeakMap<LoadBalancerSpec["members"], { targets: string; members: Members }>();

function membersOf(spec: LoadBalancerSpec | undefined, balancer: Balancer | undefined): Members {
  const targets = balancer?.targets ?? [];
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
