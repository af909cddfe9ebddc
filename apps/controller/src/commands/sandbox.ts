import type { Command } from "commander";
import { int } from "../flags/kinds.ts";
import { inOneSentence, PlainError } from "../plain-error.ts";
import { durationOption, option } from "./terminal/options.ts";

/** Adds the parts of the sandbox as commands. Each is loaded only when it is called, and only from here. */
export function addSandboxCommands(root: Command): void {
  const sandbox = root
    .command("sandbox")
    .description("run a simulated cloud, cluster, kubelets and database on this machine");
  addCloud(sandbox);
  addCluster(sandbox);
  addKubelets(sandbox);
  addDemo(sandbox);
  addDatabase(sandbox);
}

function addCloud(sandbox: Command): void {
  sandbox
    .command("cloud")
    .description("run a simulated cloud with an HTTP API, persistent state and injectable faults")
    .option("--listen <address>", "HOST:PORT; port 0 means any free one", "127.0.0.1:0")
    .requiredOption("--state <file>", "the file in which the cloud's state is kept")
    .option(
      "--token <token>",
      "bearer token of /v1; if not given, CLOUDWRIGHT_CLOUD_TOKEN is used, or a token is generated and kept",
    )
    .option("--routes <n>", "how many routes the route table can hold", option(int(0)), 1_000)
    .action(async (given: CloudFlags) => {
      const { runCloudCommand } = await import("@cloudwright/sandbox/cloud/start-cloud");
      await inOneSentence(
        runCloudCommand({
          listen: given.listen,
          stateFile: given.state,
          token: given.token ?? fromEnvironment("CLOUDWRIGHT_CLOUD_TOKEN"),
          routes: given.routes,
        }),
      );
    });
}

interface CloudFlags {
  readonly listen: string;
  readonly state: string;
  readonly token?: string;
  readonly routes: number;
}

function addCluster(sandbox: Command): void {
  sandbox
    .command("cluster")
    .description("run a simulated Kubernetes API server that works with kubectl")
    .option(
      "--listen <address>",
      "HOST:PORT; port 0 uses the last port, or a free one",
      "127.0.0.1:0",
    )
    .requiredOption("--state <dir>", "the directory in which the cluster's state is kept")
    .requiredOption("--kubeconfig <file>", "the file to which the kubeconfig is written")
    .addOption(
      durationOption(
        "--node-monitor-grace-period <duration>",
        "how long a node may be silent before it counts as unreachable; 0 means forever",
        40_000,
      ),
    )
    .option("--rbac", "enforce RBAC, as a real cluster does", false)
    .action(async (given: ClusterFlags) => {
      const { runClusterCommand } = await import("@cloudwright/sandbox/cluster/start");
      await inOneSentence(
        runClusterCommand({
          listen: given.listen,
          stateDir: given.state,
          kubeconfigFile: given.kubeconfig,
          nodeMonitorGraceMs: given.nodeMonitorGracePeriod,
          rbac: given.rbac,
        }),
      );
    });
}

interface ClusterFlags {
  readonly listen: string;
  readonly state: string;
  readonly kubeconfig: string;
  readonly nodeMonitorGracePeriod: number;
  readonly rbac: boolean;
}

function addKubelets(sandbox: Command): void {
  sandbox
    .command("kubelets")
    .description(
      "run simulated kubelets that register the cloud's instances as nodes and keep them alive",
    )
    .requiredOption("--kubeconfig <file>", "the cluster")
    .requiredOption("--cloud <url>", "base URL of the sandbox cloud")
    .option(
      "--cloud-admin <url>",
      "base URL of its /admin; if not given, CLOUDWRIGHT_CLOUD_ADMIN or --cloud is used",
    )
    .option(
      "--token <token>",
      "bearer token of the cloud; if not given, CLOUDWRIGHT_CLOUD_TOKEN is used",
    )
    .option("--count <n>", "how many nodes", option(int(0)), 12)
    .option("--zones <n>", "how many zones to spread them over", option(int(1, 26)), 3)
    .addOption(durationOption("--lease-interval <duration>", "time between heartbeats", 10_000))
    .addOption(
      durationOption("--status-interval <duration>", "time between status updates", 300_000),
    )
    .addOption(durationOption("--boot-spread <duration>", "time over which new nodes come up", 0))
    .option("--name-prefix <prefix>", "prefix of the nodes' names", "node-")
    .option("--state <file>", "the file that records which instances were already created")
    .action(async (given: KubeletFlags) => {
      const { runKubeletsCommand } = await import("@cloudwright/sandbox/kubelets/start-kubelets");
      await inOneSentence(
        runKubeletsCommand({
          kubeconfig: given.kubeconfig,
          cloudEndpoint: given.cloud,
          cloudAdmin: given.cloudAdmin ?? fromEnvironment("CLOUDWRIGHT_CLOUD_ADMIN") ?? given.cloud,
          token: cloudToken(given.token),
          count: given.count,
          zones: given.zones,
          leaseIntervalMs: given.leaseInterval,
          statusIntervalMs: given.statusInterval,
          bootSpreadMs: given.bootSpread,
          namePrefix: given.namePrefix,
          stateFile: given.state,
        }),
      );
    });
}

interface KubeletFlags {
  readonly kubeconfig: string;
  readonly cloud: string;
  readonly cloudAdmin?: string;
  readonly token?: string;
  readonly count: number;
  readonly zones: number;
  readonly leaseInterval: number;
  readonly statusInterval: number;
  bootSpread: number;
  readonly namePrefix: string;
  readonly state?: string;
}

function addDemo(sandbox: Command): void {
  sandbox
    .command("demo")
    .description(
      "play a demonstration: machines come and go, one stops, and lookups of another fail",
    )
    .requiredOption("--cloud <url>", "base URL of the sandbox cloud")
    .option(
      "--cloud-admin <url>",
      "base URL of its /admin; if not given, CLOUDWRIGHT_CLOUD_ADMIN or --cloud is used",
    )
    .option(
      "--token <token>",
      "bearer token of the cloud; if not given, CLOUDWRIGHT_CLOUD_TOKEN is used",
    )
    .option("--name-prefix <prefix>", "prefix of the machines' names", "node-")
    .action(
      async (given: { cloud: string; cloudAdmin?: string; token?: string; namePrefix: string }) => {
        const { runDemoCommand } = await import("@cloudwright/sandbox/demo/play-demo");
        const { cloud: endpoint, namePrefix } = given;
        const admin = given.cloudAdmin ?? fromEnvironment("CLOUDWRIGHT_CLOUD_ADMIN") ?? endpoint;
        const cloud = { endpoint, admin, token: cloudToken(given.token) };
        await inOneSentence(runDemoCommand({ cloud, namePrefix }));
      },
    );
}

function addDatabase(sandbox: Command): void {
  sandbox
    .command("database")
    .description("run an embedded PostgreSQL on the loopback interface")
    .requiredOption("--data <dir>", "the directory in which the database is kept")
    .option("--port <n>", "its port; 0 uses the last port, or a free one", option(int(0, 65_535)))
    .action(async (given: { data: string; port?: number }) => {
      const { runDatabaseCommand } = await import("@cloudwright/sandbox/database/command");
      await inOneSentence(runDatabaseCommand({ dataDir: given.data, port: given.port }));
    });
}

function cloudToken(given: string | undefined): string {
  const token = given ?? fromEnvironment("CLOUDWRIGHT_CLOUD_TOKEN");
  if (token !== undefined) return token;
  throw new PlainError(
    "The cloud's token is missing: give --token or set CLOUDWRIGHT_CLOUD_TOKEN.",
  );
}

function fromEnvironment(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === "" ? undefined : value;
}
