import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Answer,
  ask,
  cloudConfig,
  type Flags,
  launchController,
  type RunningController,
  startCloud,
  startController,
} from "../../harness/controller.ts";
import type { CloudRelay } from "../../harness/relays/cloud-relay.ts";
import { Relay } from "../../harness/relays/relay.ts";
import { dropService } from "../../harness/service.ts";
import {
  accountKubeconfig,
  createNamespace,
  credentialOf,
  otherKubeconfig,
  serverPort,
} from "../clusters/accounts.ts";
import { type Grant, grantShipped, SHIPPED, SHIPPED_ACCOUNTS } from "../clusters/shipped-roles.ts";
import type { Environment, Scenario, SharedEnvironment } from "./scenario.ts";
import { DEFAULT_FLAGS, rows } from "./scenario.ts";
import { relayedWay } from "./shared.ts";

/** A row's own cloud, Lease and controllers, all of which are removed when the row ends. */
export interface IsolatedEnvironment extends Environment {
  /** The row's id in lower case, the prefix of the names of all its objects. */
  readonly name: string;
  /** Name of the Lease that its controllers compete for by default. */
  readonly lease: string;
  /** The config for the row's cloud. */
  readonly cloudConfig: string;
  /** Starts a controller, with election, and waits until it is ready. */
  start(wanted?: ReplicaOptions): Promise<Replica>;
  /** Does the same without waiting. */
  launch(wanted?: ReplicaOptions): Promise<Replica>;
  /** Opens a relay to the row's cloud that can be cut and counts bytes. */
  wayToCloud(name: string): Promise<Way>;
  /** Opens a relay to the row's cloud through which every request can be inspected. */
  relayedCloud(): Promise<RelayedWay>;
  /** Opens a relay to the API server that can be cut, for the account of all controllers. */
  wayToCluster(name: string): Promise<Way>;
  /**
   * Returns the kubeconfig of an account with this name in SHIPPED_ACCOUNTS that has the shipped roles until the row ends, for
   * rows that check its requests; `by` is a kubeconfig with another connection to the API server.
   */
  accountOfItsOwn(name: string, wanted?: AccountOptions): Promise<string>;
  /** Creates a namespace for the row's Lease and control record, and extends the roles of all controllers' account to it. */
  electIn(namespace: string): Promise<void>;
  /** Registers work to do when the row ends, however it ends; the last one runs first. */
  after(work: () => unknown): void;
}

export interface AccountOptions extends Pick<Grant, "parts" | "electionNamespace" | "controllers"> {
  readonly by?: string;
}

export interface ReplicaOptions {
  /** Identifies the replica; unique within a row. */
  readonly name?: string;
  readonly flags?: Flags;
  /** Another identity or connection than that of all controllers; never an administrator's. */
  readonly kubeconfig?: string;
  readonly cloudConfig?: string;
  /** Another ledger than the group's. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it has an IPC channel, as with a supervisor. */
  readonly ipc?: boolean;
}

export interface Replica extends RunningController {
  readonly name: string;
  ask(path: string, token?: string): Promise<Answer | undefined>;
}

export interface Way {
  readonly relay: Relay;
  /** The kubeconfig or cloud config that uses it. */
  readonly config: string;
}

export interface RelayedWay {
  readonly relay: CloudRelay;
  readonly config: string;
}

/** Returns the Leases that controllers of an isolated row may hold besides the default ones. */
export function leasesOf({ id }: Pick<Scenario, "id">): readonly string[] {
  return [leaseOf(id), secondLeaseOf(id)];
}

function leaseOf(id: string): string {
  return `conformance-${id.toLowerCase()}`;
}

/** Returns the name of a further Lease, for rows that need one. */
export function secondLeaseOf(id: string): string {
  return `${leaseOf(id)}-second`;
}

/** A row that starts its own controllers. */
export function isolatedRow(
  id: string,
  title: string,
  run: (env: IsolatedEnvironment) => Promise<void>,
): Scenario {
  return { id, title, run: (shared) => perform(id, shared, run) };
}

/** Creates several such rows, like `rows`. */
export function isolatedRows(
  runs: Readonly<Record<string, (env: IsolatedEnvironment) => Promise<void>>>,
): readonly Scenario[] {
  const performed = ([idAndTitle, run]: [string, (env: IsolatedEnvironment) => Promise<void>]) => [
    idAndTitle,
    (shared: SharedEnvironment) => perform(idAndTitle.split(" ")[0] ?? "", shared, run),
  ];
  return rows(Object.fromEntries(Object.entries(runs).map(performed)));
}

async function perform(
  id: string,
  shared: SharedEnvironment,
  run: (env: IsolatedEnvironment) => Promise<void>,
): Promise<void> {
  const endings: (() => unknown)[] = [];
  try {
    await run(await openIsolated(id, shared, (work) => endings.push(work)));
  } finally {
    for (const work of endings.reverse()) await work();
  }
}

async function openIsolated(
  id: string,
  shared: SharedEnvironment,
  after: IsolatedEnvironment["after"],
): Promise<IsolatedEnvironment> {
  const name = id.toLowerCase();
  const lease = leaseOf(id);
  const leases = leasesOf({ id });
  const dir = join(shared.dir, name);
  mkdirSync(dir, { recursive: true });
  after(() => clearLease(shared, lease));
  const own = await startCloud(dir);
  after(() => own.process.stop());
  after(() => own.cloud.close());
  after(() => clearNodes(shared, name));
  after(() => clearServices(shared, name));
  const options = (wanted: ReplicaOptions) => ({
    kubeconfig: controllersOwn(shared, wanted),
    cloudConfig: wanted.cloudConfig ?? own.config,
    dir: join(dir, wanted.name ?? "a"),
    flags: {
      ...DEFAULT_FLAGS,
      ...shared.servingPair,
      "--leader-elect": "true",
      "--leader-elect-resource-name": lease,
      ...wanted.flags,
    },
    databaseUrl: wanted.databaseUrl ?? shared.databaseUrl,
    env: wanted.env,
    ipc: wanted.ipc,
  });
  const enter = (wanted: ReplicaOptions, started: RunningController): Replica => {
    after(() => started.stop());
    return {
      ...started,
      name: wanted.name ?? "a",
      ask: (path, token) => ask(started.securePort, path, token),
    };
  };
  return {
    ...commonParts(shared),
    cloud: own.cloud,
    name,
    lease,
    dir,
    cloudConfig: own.config,
    start: async (wanted = {}) => enter(wanted, await startController(options(wanted))),
    launch: async (wanted = {}) => enter(wanted, await launchController(options(wanted))),
    wayToCloud: async (to) => {
      const { endpoint, token } = own.cloud.ready;
      const relay = await openRelay(Number(new URL(endpoint).port), after);
      const url = new URL(endpoint);
      url.port = String(relay.port);
      const config = join(dir, `cloud-for-${to}.yaml`);
      writeFileSync(config, cloudConfig(url.href, token), { mode: 0o600 });
      return { relay, config };
    },
    relayedCloud: async () => {
      const way = await relayedWay(own, dir);
      after(() => way.relay.close());
      return way;
    },
    wayToCluster: async (to) => {
      const { controllerKubeconfig: kubeconfig } = shared.cluster;
      const relay = await openRelay(serverPort(kubeconfig), after);
      return { relay, config: otherKubeconfig(kubeconfig, { dir, name: to, port: relay.port }) };
    },
    accountOfItsOwn: async (account, { by = shared.cluster.kubeconfig, ...grant } = {}) => {
      const own = { namespace: SHIPPED_ACCOUNTS, name: account };
      const path = await accountKubeconfig(shared.kube, own, { kubeconfig: by, dir });
      after(
        await grantShipped(shared.kube, { account: own, leases, ...shared.cluster.less, ...grant }),
      );
      return path;
    },
    electIn: async (namespace) => {
      await createNamespace(shared.kube, namespace);
      after(() => clearElection(shared, namespace));
      const parts = ["leader-election", "control-record"];
      const grant = { account: SHIPPED, parts, leases, electionNamespace: namespace };
      await grantShipped(shared.kube, { ...shared.cluster.less, ...grant });
    },
    after,
  };
}

/** Rows show that the shipped roles are sufficient, so none may accidentally run a controller as an administrator. */
function controllersOwn(
  { cluster }: SharedEnvironment,
  { kubeconfig, flags }: ReplicaOptions,
): string {
  const callers = ["--authentication-kubeconfig", "--authorization-kubeconfig"];
  const named = [kubeconfig, ...callers.map((flag) => flags?.[flag])];
  const administrator = credentialOf(cluster.kubeconfig);
  for (const each of named)
    if (cluster.kind !== "file" && each !== undefined && credentialOf(each) === administrator)
      throw new Error(`a controller is not to work as an administrator: ${each}`);
  return kubeconfig ?? cluster.controllerKubeconfig;
}

/** Leaves out the controller, which isolated rows do not have. */
function commonParts(shared: SharedEnvironment): Environment {
  const { cluster, kube, cloud, nodes, events, services, databaseUrl, dir, history } = shared;
  return { cluster, kube, cloud, nodes, events, services, databaseUrl, dir, history };
}

async function openRelay(target: number, after: IsolatedEnvironment["after"]): Promise<Relay> {
  const relay = await Relay.to(target);
  after(() => relay.cut());
  return relay;
}

/** Removes what a repetition of the row must not find. */
async function clearElection({ kube, cluster }: Environment, namespace: string): Promise<void> {
  const place = `/api/v1/namespaces/${namespace}`;
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const { items } = await kube.list(leases);
  const paths = items.map(({ metadata }) => `${leases}/${metadata.name}`);
  for (const path of [`${place}/configmaps/cloudwright-controls`, ...paths])
    await kube.delete(path).catch(() => undefined);
  // In these clusters nobody would finish its deletion, and nothing can be created in a namespace that is being deleted.
  if (cluster.kind !== "testcluster") await kube.delete(place).catch(() => undefined);
}

async function clearLease({ kube }: Environment, lease: string): Promise<void> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${lease}`;
  await kube.delete(path).catch(() => undefined);
}

/** Removes nodes immediately, since the controllers of other rows observe every node of the cluster. */
async function clearNodes({ kube, nodes }: Environment, row: string): Promise<void> {
  const ours = nodes.all().filter(({ metadata }) => metadata.name.startsWith(row));
  for (const { metadata } of ours)
    await kube.delete(`/api/v1/nodes/${metadata.name}`).catch(() => undefined);
}

/** Removes Services after the row's controllers have stopped, which would react to that. */
async function clearServices({ kube, services }: Environment, row: string): Promise<void> {
  const ours = services.all().filter(({ metadata }) => metadata.name.startsWith(row));
  for (const { metadata } of ours) await dropService(kube, metadata.name);
}
