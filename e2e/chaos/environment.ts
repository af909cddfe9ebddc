import { join } from "node:path";
import { otherKubeconfig, serverPort } from "../conformance/clusters/accounts.ts";
import type { ClusterUnderTest } from "../conformance/clusters/cluster-under-test.ts";
import type { Cloud } from "../harness/cloud.ts";
import {
  type Flags,
  hasEnded,
  type RunningController,
  startCloud,
  startController,
} from "../harness/controller.ts";
import { Kube } from "../harness/kube.ts";
import { Relay } from "../harness/relays/relay.ts";
import { type DatabaseServer, startDatabaseServer } from "./database-server.ts";
import { Fleet } from "./fleets/fleet.ts";
import { ledgerWhole } from "./ledger.ts";

/** A cloud, a database and a fleet of a fault's own; after it all of them are looked at and ended. */
export interface Environment extends Surroundings {
  readonly kube: Kube;
  readonly cloud: Cloud;
  readonly database: DatabaseServer;
  readonly fleet: Fleet;
  /** Starts a controller and waits until it is ready. One of the same name goes on with the spool of the one before. */
  start(options?: ControllerOptions): Promise<RunningController>;
  /** A kubeconfig whose connections can be cut. */
  wayToCluster(): Promise<Way>;
  /** The ledger cannot have it all: these nodes' stories may be missing, and it must say that something is. */
  expectGap(unrecorded: readonly string[]): void;
  /** Is done when the fault is over, however it ends; the last one first. */
  after(work: () => unknown): void;
}

export interface ControllerOptions {
  readonly name?: string;
  readonly flags?: Flags;
  readonly kubeconfig?: string;
  readonly cloudConfig?: string;
  readonly through?: readonly string[];
}

export interface Way {
  readonly relay: Relay;
  readonly config: string;
}

/** `play` is the fault; that the nodes and the ledger are right afterwards is looked at for all of them alike. */
export function fault(name: string, play: (env: Environment) => Promise<string>): Fault {
  return {
    name,
    run: async (surroundings) => {
      const endings: (() => unknown)[] = [];
      try {
        const { env, judge } = await openEnvironment(surroundings, (work) => endings.push(work));
        const found = await play(env);
        return `${found}; ${await judge()}`;
      } finally {
        for (const work of endings.reverse()) await work();
      }
    },
  };
}

const FLAGS: Flags = {
  "--leader-elect": "false",
  "--configure-cloud-routes": "false",
  "--node-monitor-period": "1s",
};

async function openEnvironment(surroundings: Surroundings, after: Environment["after"]) {
  const { dir, cluster } = surroundings;
  const kube = new Kube(cluster.kubeconfig);
  after(() => kube.close());
  const { cloud, process: cloudProcess, config } = await startCloud(dir);
  after(() => cloudProcess.stop());
  after(() => cloud.close());
  const database = await startDatabaseServer(dir);
  after(() => database.stop());
  const fleet = await Fleet.open({ kube, cloud });
  after(() => fleet.close());
  const controllers = keepControllers(surroundings, { config, database, after });
  const unrecorded = new Set<string>();
  let gap = false;
  const env: Environment = {
    ...surroundings,
    kube,
    cloud,
    database,
    fleet,
    after,
    start: controllers.start,
    wayToCluster: async () => {
      const { relay, name } = await openRelay(serverPort(cluster.kubeconfig), after);
      const to = { dir, name, port: relay.port };
      return { relay, config: otherKubeconfig(cluster.kubeconfig, to) };
    },
    expectGap: (names) => {
      gap = true;
      for (const name of names) unrecorded.add(name);
    },
  };
  const judge = async () => {
    await fleet.settled();
    await controllers.oneEach();
    const size = await ledgerWhole({
      url: database.url,
      kubeconfig: cluster.kubeconfig,
      fleet,
      gap,
      unrecorded,
    });
    return `${fleet.names.length} nodes right, ${fleet.lostNames.size} deleted, ${size}`;
  };
  return { env, judge };
}

interface ControllerContext {
  readonly config: string;
  readonly database: DatabaseServer;
  readonly after: Environment["after"];
}

function keepControllers(
  { dir, cluster }: Surroundings,
  { config, database, after }: ControllerContext,
) {
  const last = new Map<string, { options: ControllerOptions; running: RunningController }>();
  const start = async (options: ControllerOptions = {}): Promise<RunningController> => {
    const name = options.name ?? "a";
    const running = await startController({
      kubeconfig: options.kubeconfig ?? cluster.kubeconfig,
      cloudConfig: options.cloudConfig ?? config,
      dir: join(dir, name),
      flags: { ...FLAGS, ...options.flags },
      databaseUrl: database.controllerUrl,
      through: options.through,
    });
    after(() => running.stop());
    last.set(name, { options, running });
    return running;
  };
  return {
    start,
    /** What a dead one left in its spool is drained by the next one that has it. */
    oneEach: async () => {
      for (const { options, running } of [...last.values()])
        if (hasEnded(running)) await start(options);
    },
  };
}

async function openRelay(target: number, after: Environment["after"]) {
  const relay = await Relay.to(target);
  after(() => relay.cut());
  return { relay, name: `way-${relay.port}` };
}

/** What a fault gets: where it may write, its dice and how long it may take. */
export interface Surroundings {
  readonly dir: string;
  readonly cluster: ClusterUnderTest;
  readonly random: () => number;
  /** CI's form: fewer rounds, the same checks. */
  readonly short: boolean;
}

export interface Fault {
  readonly name: string;
  /** Why it cannot be played on this machine, as a sentence; absent where every machine will do. */
  obstacle?(): Promise<string | undefined>;
  /** Answers its figures; throws with what is wrong afterwards. */
  run(surroundings: Surroundings): Promise<string>;
}

/** Numbers in [0, 1) that depend on the seed alone (a 32-bit linear congruential generator's upper bits). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}
