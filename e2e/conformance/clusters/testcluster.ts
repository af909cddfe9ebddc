import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endedWithSuite } from "../../harness/endings.ts";
import { Kube } from "../../harness/kube.ts";
import { PROJECT_ROOT, run } from "../../harness/processes.ts";
import { SERVICES } from "../../harness/service.ts";
import { demand, eventually } from "../../harness/wait.ts";
import { ACCOUNTS_NAMESPACE, accountUser } from "./accounts.ts";
import type { OpenedCluster, SeenWrite } from "./cluster-under-test.ts";
import { realCluster } from "./real.ts";
import { isShippedUser, SHIPPED_ACCOUNTS } from "./shipped-roles.ts";

/** Returns the folder of the real kube-apiserver's harness, or undefined if there is none. */
export function testclusterFolder(): string | undefined {
  const folder = process.env.CLOUDWRIGHT_TESTCLUSTER ?? join(PROJECT_ROOT, "../shared/testcluster");
  return existsSync(join(folder, "up")) ? folder : undefined;
}

const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
    userGroups: ["system:serviceaccounts:${ACCOUNTS_NAMESPACE}", "system:serviceaccounts:${SHIPPED_ACCOUNTS}"]
  - level: Metadata
    verbs: [create, update, patch, delete]
    resources: [{ group: "", resources: [nodes, nodes/status, persistentvolumes] }]
  - level: Request
    verbs: [update, patch]
    resources: [{ group: "", resources: [services, services/status] }]
  - level: Metadata
    userGroups: ["system:serviceaccounts:kube-system"]
  - level: None
`;

let built: Promise<string> | undefined;

/** Builds it once: lanes that start together would each start a first build, which takes minutes. */
function ensureBuilt(folder: string): Promise<string> {
  built ??= run(join(folder, "build"), []);
  return built;
}

/** Starts our own kube-apiserver and etcd. */
export async function testCluster(workDir: string): Promise<OpenedCluster> {
  const folder = testclusterFolder();
  if (folder === undefined)
    throw new Error("testcluster is not here: set CLOUDWRIGHT_TESTCLUSTER to its folder");
  await ensureBuilt(folder);
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-testcluster-"));
  const auditLog = join(dir, "audit.log");
  const policy = join(workDir, "audit-policy.yaml");
  writeFileSync(policy, AUDIT_POLICY);
  const flags = [`--audit-policy-file=${policy}`, `--audit-log-path=${auditLog}`];
  const close = endedWithSuite(async () => {
    await run(join(folder, "down"), [dir, "--purge"]);
    rmSync(dir, { recursive: true, force: true });
  });
  const up = await run(join(folder, "up"), [
    ...[dir, "--controllers", "none", "--respawn"],
    ...["--service-cluster-ip-range", "10.96.0.0/16,fd00:96::/108"],
    ...flags.flatMap((flag) => ["--apiserver-arg", flag]),
  ]);
  const kubeconfig = up.trim();
  const cluster = realCluster({ kind: "testcluster", kubeconfig, close });
  const restarts: { readonly from: number; readonly to: number }[] = [];
  const restart = async () => {
    const from = Date.now();
    await restartApiServer(dir, kubeconfig);
    restarts.push({ from, to: Date.now() });
  };
  // Until it is ready, an API server does not know all roles yet, and refuses what they grant.
  const isStarting = (at: number) => restarts.some(({ from, to }) => from <= at && at <= to);
  const audit = new AuditLog(auditLog);
  return {
    ...cluster,
    writes: async (resource, name) => {
      const entries = await audit.read();
      const prefix = `/api/v1/${resource}/${name}`;
      return entries.filter(({ path }) => isBelow(path, prefix)).length;
    },
    serviceWrites: async (name) => {
      const entries = await audit.read();
      return entries.filter(({ path }) => isBelow(path, `${SERVICES}/${name}`));
    },
    requestsOf: async (account, namespace) => {
      const user = accountUser(account, namespace);
      return (await audit.read()).filter((entry) => entry.user === user);
    },
    refusals: async () =>
      (await audit.read()).filter(
        ({ user, at, isForbidden }) => isForbidden && isShippedUser(user) && !isStarting(at),
      ),
    restart,
    // Its watch cache only contains what exists when it starts.
    forgetVersions: restart,
  };
}

interface State {
  readonly pids: { readonly "kube-apiserver": number };
}

async function restartApiServer(dir: string, kubeconfig: string): Promise<void> {
  const pid = () =>
    (JSON.parse(readFileSync(join(dir, "state.json"), "utf8")) as State).pids["kube-apiserver"];
  const before = pid();
  process.kill(before, "SIGKILL");
  const kube = new Kube(kubeconfig);
  try {
    await eventually(async () => {
      demand(pid() !== before, "the API server was not started again yet");
      demand((await kube.raw("/readyz")) === "ok", "the API server is not ready yet");
    });
  } finally {
    await kube.close();
  }
}

function isBelow(path: string, prefix: string): boolean {
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  return rest !== undefined && (rest === "" || rest.startsWith("/") || rest.startsWith("?"));
}

export interface AuditEntry extends SeenWrite {
  readonly user: string;
  /** Whether the authoriser refused it: admission may also return 403. */
  readonly isForbidden: boolean;
}

interface AuditEvent {
  auditID: string;
  requestURI: string;
  verb: string;
  user: { username: string };
  requestReceivedTimestamp: string;
  responseStatus?: { code?: number };
  requestObject?: unknown;
  annotations?: Record<string, string>;
}

/** Follows the audit log file of a kube-apiserver. */
class AuditLog {
  readonly #path: string;
  /** A request has one entry, but a watch has another one when it ends. */
  readonly #entries = new Map<string, AuditEntry>();
  #position = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns all entries so far, in the order in which they first appeared. */
  async read(): Promise<readonly AuditEntry[]> {
    this.#reading = this.#reading.then(() => this.#readOn());
    await this.#reading;
    return [...this.#entries.values()];
  }

  async #readOn(): Promise<void> {
    const file = await open(this.#path).catch(() => undefined);
    if (file === undefined) return;
    try {
      const { size } = await file.stat();
      // The file was started over.
      if (size < this.#position) this.#position = 0;
      const { buffer } = await file.read(Buffer.alloc(size - this.#position), {
        position: this.#position,
      });
      // The last line may be incomplete.
      const end = buffer.lastIndexOf("\n") + 1;
      this.#position += end;
      this.#take(buffer.subarray(0, end).toString("utf8"));
    } finally {
      await file.close();
    }
  }

  #take(text: string): void {
    for (const line of text.split("\n").filter((each) => each.endsWith("}"))) {
      const event = JSON.parse(line) as AuditEvent;
      this.#entries.set(event.auditID, entryOf(event));
    }
  }
}

function entryOf(event: AuditEvent): AuditEntry {
  return {
    at: Date.parse(event.requestReceivedTimestamp),
    verb: event.verb,
    path: event.requestURI,
    code: event.responseStatus?.code ?? 0,
    user: event.user.username,
    body: event.requestObject,
    isForbidden: event.annotations?.["authorization.k8s.io/decision"] === "forbid",
  };
}
