import {
  type CallContext,
  type CloudChange,
  type LoadBalancerAbilities,
  type LoadBalancerCandidate,
  type LoadBalancerNext,
  type LoadBalancerObservation,
  type LoadBalancerOwner,
  type LoadBalancerPlan,
  type LoadBalancerPlanInput,
  type LoadBalancerSpec,
  type LoadBalancerStatus,
  type LoadBalancers,
  type OwnedLoadBalancer,
  ProviderError,
} from "@cloudwright/provider-api";

/** What a Service has in the scripted cloud: a load balancer, and a rule that may outlive it. */
export interface InCloud {
  readonly id: string;
  readonly owner: LoadBalancerOwner;
  readonly spec: Pick<LoadBalancerSpec, "listeners" | "sourceRanges" | "annotations">;
  readonly members: readonly string[];
  readonly state: "active" | "busy";
  readonly hasLoadBalancer: boolean;
  readonly hasRule: boolean;
}

/** A cloud of load balancers in memory, which fails as the test demands. */
export class ScriptedLoadBalancers implements LoadBalancers<InCloud | undefined> {
  readonly abilities: LoadBalancerAbilities = {
    protocols: ["TCP", "UDP"],
    mixedProtocols: true,
    families: ["IPv4", "IPv6"],
    affinity: true,
    sourceRanges: true,
    requestedAddress: true,
    annotationPrefixes: ["p.example/"],
    ignoredFields: ["colour"],
  };
  /** By the Service's UID. */
  readonly cloud = new Map<string, InCloud>();
  readonly calls: string[] = [];
  /** Called before a call does its work, which it can delay or fail; may be replaced. */
  onCall: (operation: string, name: string) => Promise<void> = () => Promise.resolve();
  status: (owner: LoadBalancerOwner) => LoadBalancerStatus | undefined = () => ({
    ingress: [{ ip: "9.9.9.9" }],
  });
  /** Overrides the plan's `next` for the Service of this name. */
  readonly says = new Map<string, LoadBalancerNext>();
  /** What exists in the cloud without the mark of the Service of this name, but may be the Service's. */
  readonly stands = new Map<string, LoadBalancerCandidate>();
  /** The health of members in the cloud's words, by provider ID; others have none. */
  readonly health = new Map<string, string>();
  /** What every plan has in addition. */
  beside: Partial<Pick<LoadBalancerPlan, "notices" | "annotations" | "next" | "status">> = {};
  /** Whether a creation takes until the test ends it. */
  isSlow: boolean = false;
  #ids = 0;

  async observe(
    owners: readonly LoadBalancerOwner[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, LoadBalancerObservation<InCloud | undefined>>> {
    const answers = new Map<string, LoadBalancerObservation<InCloud | undefined>>();
    for (const owner of owners) answers.set(owner.objectUid, await this.#observe(owner, context));
    return answers;
  }

  async #observe(
    owner: LoadBalancerOwner,
    context: CallContext,
  ): Promise<LoadBalancerObservation<InCloud | undefined>> {
    const read = { context, operation: "GET", owner };
    try {
      return {
        kind: "known",
        observed: await this.#call(read, () => this.cloud.get(owner.objectUid)),
      };
    } catch (error) {
      if (error instanceof ProviderError) return { kind: "failed", error };
      throw error;
    }
  }

  plan(input: LoadBalancerPlanInput<InCloud | undefined>): LoadBalancerPlan {
    const { owner, spec, observed, consent } = input;
    const known = this.says.get(owner.name);
    const isAdopted =
      known?.kind === "unowned" && known.id === consent && known.others === undefined;
    const said = isAdopted ? undefined : known;
    const next = said ?? nextOf(observed);
    const isPlain = said === undefined && next.kind === "settled";
    return {
      changes: isPlain ? changesOf(input) : [],
      next,
      status: isPlain && observed?.hasLoadBalancer === true ? this.status(owner) : undefined,
      actual: observed?.hasLoadBalancer === true ? factsOf(observed) : undefined,
      aspects: spec === undefined ? [] : aspectsOf(spec, observed),
      members: Object.fromEntries((observed?.members ?? []).map((id) => [id, this.#healthOf(id)])),
      candidates: this.#standing(owner),
      ...this.beside,
    };
  }

  #healthOf(id: string): { readonly health?: string } {
    const health = this.health.get(id);
    return health === undefined ? {} : { health };
  }

  async apply(change: CloudChange, context: CallContext): Promise<InCloud | undefined> {
    const request = change.request as unknown as Request;
    const { owner } = request;
    return this.#call({ context, operation: OPERATIONS[change.action], owner }, () => {
      const after = this.#made(change, request);
      if (after === undefined) this.cloud.delete(owner.objectUid);
      else this.cloud.set(owner.objectUid, after);
      return after ?? EMPTY;
    });
  }

  async owned(_clusterUid: string, context: CallContext): Promise<readonly OwnedLoadBalancer[]> {
    const nobody = { name: "", objectUid: "" } as LoadBalancerOwner;
    return this.#call({ context, operation: "LIST", owner: nobody }, () =>
      [...this.cloud.values()].map((one) => ({
        owner: one.owner,
        service: `${one.owner.namespace}/${one.owner.name}`,
        facts: factsOf(one),
      })),
    );
  }

  #standing({ name }: LoadBalancerOwner): readonly LoadBalancerCandidate[] {
    const stands = this.stands.get(name);
    return stands === undefined ? [] : [stands];
  }

  #made(change: CloudChange, request: Request): InCloud | undefined {
    const { owner, spec, observed } = request;
    if (spec === undefined) return leftAfter(change, observed);
    const members = spec.members.map(({ providerID }) => providerID);
    const known = this.cloud.get(owner.objectUid);
    if (change.action === "members" && known !== undefined) return { ...known, members };
    this.#ids += 1;
    const { listeners, sourceRanges, annotations } = spec;
    return {
      id: known?.id ?? `lb-${this.#ids}`,
      owner,
      spec: { listeners, sourceRanges, annotations },
      members,
      state: this.isSlow ? "busy" : "active",
      hasLoadBalancer: true,
      hasRule: !sourceRanges.includes("0.0.0.0/0"),
    };
  }

  async #call<T>({ context, operation, owner }: Call, work: () => T): Promise<T> {
    const { name } = owner;
    const mutates = operation !== "GET" && operation !== "LIST";
    return context.call({ operation, target: name, mutates }, async () => {
      this.calls.push(`${operation} ${name}`.trim());
      await this.onCall(operation, name);
      return { value: work(), status: 200 };
    });
  }
}

interface Call {
  readonly context: CallContext;
  readonly operation: string;
  readonly owner: LoadBalancerOwner;
}

type Request = LoadBalancerPlanInput<InCloud | undefined>;

/** The rule of a deleted load balancer stays until it is deleted, too. */
function leftAfter({ what }: CloudChange, observed: InCloud | undefined): InCloud | undefined {
  const isLoadBalancer = what === "load balancer";
  if (observed === undefined || !isLoadBalancer || !observed.hasRule) return undefined;
  return { ...observed, hasLoadBalancer: false };
}

const OPERATIONS: Record<CloudChange["action"], string> = {
  create: "POST",
  adopt: "PATCH",
  update: "PATCH",
  members: "MEMBERS",
  delete: "DELETE",
};

/** The answer when nothing exists, as undefined is not an answer. */
const EMPTY: InCloud = {
  id: "",
  owner: { clusterUid: "", objectUid: "", namespace: "", name: "", clusterName: "" },
  spec: { listeners: [], sourceRanges: [], annotations: {} },
  members: [],
  state: "active",
  hasLoadBalancer: false,
  hasRule: false,
};

function nextOf(observed: InCloud | undefined): LoadBalancerNext {
  if (observed?.state !== "busy") return { kind: "settled" };
  return { kind: "inProgress", dueMs: 2_000, what: "it is being made" };
}

function changesOf(input: LoadBalancerPlanInput<InCloud | undefined>): readonly CloudChange[] {
  const { spec, observed, everything } = input;
  const change = (action: CloudChange["action"], what = "load balancer"): CloudChange => ({
    action,
    what,
    target: observed?.id ?? `a${input.owner.objectUid}`,
    before: observed === undefined ? null : { members: [...observed.members] },
    after:
      spec === undefined ? null : { members: spec.members.map(({ providerID }) => providerID) },
    request: input as never,
  });
  if (spec === undefined) {
    const gone = observed?.hasLoadBalancer === true ? [change("delete")] : [];
    return observed?.hasRule === true ? [...gone, change("delete", "firewall rule")] : gone;
  }
  if (observed?.hasLoadBalancer !== true) return [change("create")];
  if (!isAlike(spec, observed) || everything === true) return [change("update")];
  const wanted = new Set(spec.members.map(({ providerID }) => providerID));
  const isSameSet = wanted.size === observed.members.length;
  return isSameSet && observed.members.every((id) => wanted.has(id)) ? [] : [change("members")];
}

function isAlike(spec: LoadBalancerSpec, observed: InCloud): boolean {
  const isOfClass = spec.owner.loadBalancerClass === observed.owner.loadBalancerClass;
  return isOfClass && JSON.stringify(pick(spec)) === JSON.stringify(pick(observed.spec));
}

function pick({ listeners, sourceRanges, annotations }: InCloud["spec"]) {
  return { listeners, sourceRanges, annotations };
}

function factsOf({ id, state, owner: { loadBalancerClass } }: InCloud) {
  const reported = loadBalancerClass === undefined ? {} : { loadBalancerClass };
  return { id, name: id, type: "network", addresses: ["9.9.9.9"], state, ...reported, parts: [] };
}

function aspectsOf(spec: LoadBalancerSpec, observed: InCloud | undefined) {
  const text = (one: InCloud["spec"]) =>
    one.listeners.map(({ port, protocol }) => `${port}/${protocol}`).join(", ");
  return [
    {
      name: "listeners",
      desired: text(spec),
      ...(observed?.hasLoadBalancer === true ? { actual: text(observed.spec) } : {}),
    },
  ];
}
