import { boot, type CallParts, postStatus, renewLease } from "./kubelet-calls.ts";
import type { Machine } from "./machine.ts";

export interface FleetOptions extends CallParts {
  readonly leaseIntervalMs: number;
  readonly statusIntervalMs: number;
  /** How many machines exist from the start. */
  readonly count: number;
  /** Time over which those without a Node boot, as the machines of a new cluster come up one by one. */
  readonly bootSpreadMs: number;
  /** How many kubelets may talk to the API server at once. */
  readonly concurrency: number;
  readonly log: (message: string) => void;
  /** Ends all work. */
  readonly signal: AbortSignal;
}

interface Kubelet {
  machine: Machine;
  running: boolean;
  /** How often its machine was started or stopped. */
  turns: number;
  /** Whether it has registered since its machine last started. */
  booted: boolean;
  /** Nothing is due before this time. */
  nextAt: number;
  statusAt: number;
  /** Whether it was silenced and must report that it is healthy again. */
  resuming: boolean;
  busy: boolean;
  failures: number;
  /** How many kubelets existed before it. */
  readonly order: number;
  /** Its offset in the interval, which spreads all heartbeats evenly. */
  readonly phaseMs: number;
}

const GOLDEN = 0.618_033_988_75;
const LONGEST_BACKOFF_MS = 30_000;
const LOG_EVERY_MS = 10_000;

/** The kubelets of all machines: each is silent while its machine is stopped. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #kubelets = new Map<string, Kubelet>();
  readonly #queue: Kubelet[] = [];
  #working = 0;
  #made = 0;
  #loggedAt = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Adds or updates a machine. Only a change of power starts or silences its kubelet. */
  put(machine: Machine): void {
    const running = machine.state === "running";
    const kubelet = this.#kubelets.get(machine.id) ?? this.#add(machine);
    kubelet.machine = machine;
    if (running !== kubelet.running) {
      kubelet.running = running;
      kubelet.turns += 1;
      kubelet.booted = false;
      kubelet.failures = 0;
      kubelet.nextAt = this.#bootAt(kubelet);
    }
  }

  #bootAt({ machine, turns, order }: Kubelet): number {
    const { count, bootSpreadMs, nodes } = this.#options;
    const isNew = turns === 1 && order < count && nodes.get(machine.name) === undefined;
    return isNew ? Date.now() + (bootSpreadMs * order) / count : 0;
  }

  delete(id: string): void {
    const kubelet = this.#kubelets.get(id);
    if (kubelet !== undefined) {
      kubelet.running = false;
      this.#kubelets.delete(id);
    }
  }

  /** Starts everything that is due; call it often. */
  tick(): void {
    const now = Date.now();
    for (const kubelet of this.#kubelets.values()) {
      if (kubelet.running && !kubelet.busy && kubelet.nextAt <= now) {
        kubelet.busy = true;
        this.#queue.push(kubelet);
      }
    }
    while (this.#working < this.#options.concurrency && this.#queue.length > 0) {
      this.#working += 1;
      void this.#drain();
    }
  }

  #add(machine: Machine): Kubelet {
    const order = this.#made;
    this.#made += 1;
    const kubelet = {
      order,
      machine,
      running: false,
      turns: 0,
      booted: false,
      nextAt: 0,
      statusAt: 0,
      resuming: false,
      busy: false,
      failures: 0,
      phaseMs: ((this.#made * GOLDEN) % 1) * this.#options.leaseIntervalMs,
    };
    this.#kubelets.set(machine.id, kubelet);
    return kubelet;
  }

  async #drain(): Promise<void> {
    for (let kubelet = this.#queue.shift(); kubelet; kubelet = this.#queue.shift()) {
      await this.#work(kubelet);
      kubelet.busy = false;
    }
    this.#working -= 1;
  }

  async #work(kubelet: Kubelet): Promise<void> {
    if (!kubelet.running || this.#options.signal.aborted) {
      return;
    }
    const { turns } = kubelet;
    try {
      await (kubelet.booted ? this.#beat(kubelet) : this.#boot(kubelet));
      this.#done(kubelet, turns);
    } catch (error) {
      this.#failed(kubelet, error);
    }
  }

  async #boot(kubelet: Kubelet): Promise<void> {
    const { machine, turns } = kubelet;
    await boot(machine, this.#options);
    kubelet.booted = kubelet.turns === turns;
    kubelet.statusAt = Date.now();
    kubelet.resuming = this.#options.nodes.get(machine.name)?.silenced ?? false;
  }

  /** A deleted Node stays deleted: a kubelet registers when it starts and never again. */
  async #beat(kubelet: Kubelet): Promise<void> {
    const { nodes, api, statusIntervalMs } = this.#options;
    const node = nodes.get(kubelet.machine.name);
    if (node === undefined) {
      return;
    }
    if (node.silenced) {
      kubelet.resuming = true;
      return;
    }
    await renewLease(kubelet.machine.name, { api, node });
    const due = kubelet.statusAt + statusIntervalMs <= Date.now();
    if (due || kubelet.resuming || node.readyIsStale) {
      await postStatus(kubelet.machine, { ...this.#options, node });
      kubelet.statusAt = Date.now();
      kubelet.resuming = false;
    }
  }

  /** A machine that was stopped or started meanwhile is due at once. */
  #done(kubelet: Kubelet, turns: number): void {
    const { leaseIntervalMs } = this.#options;
    const now = Date.now();
    const passed = (now - kubelet.phaseMs) % leaseIntervalMs;
    kubelet.nextAt = kubelet.turns === turns ? now + leaseIntervalMs - passed : 0;
    kubelet.failures = 0;
  }

  #failed(kubelet: Kubelet, error: unknown): void {
    const { log, signal } = this.#options;
    const now = Date.now();
    kubelet.nextAt = now + Math.min(LONGEST_BACKOFF_MS, 1_000 * 2 ** kubelet.failures);
    kubelet.failures += 1;
    // Five thousand kubelets fail for the same reason: one of them is logged from time to time.
    if (!signal.aborted && now - this.#loggedAt > LOG_EVERY_MS) {
      this.#loggedAt = now;
      log(`The kubelet of ${kubelet.machine.name} goes on trying: ${String(error)}`);
    }
  }
}
