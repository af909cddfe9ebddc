import type { Command } from "commander";
import { int } from "../flags/kinds.ts";
import { inOneSentence, PlainError } from "../plain-error.ts";
import { durationOption, option } from "./terminal/options.ts";

/** The parts of the sandbox as commands. Each is loaded only when it is asked for, and by no other file. */
export function addSandboxCommands(root: Command): void {
  const sandbox = root
    .command("sandbox")
    .description("stand-ins for a cloud, a cluster, its kubelets and a database on this machine");
  addCloud(sandbox);
  addCluster(sandbox);
  addKubelets(sandbox);
  addDemo(sandbox);
  addDatabase(sandbox);
}

function addCloud(sandbox: Command): void {
  sandbox
    .command("cloud")
    .description("an HTTP cloud with a memory and faults on demand")
    .option("--listen <address>", "HOST:PORT; port 0 takes a free one", "127.0.0.1:0")
    .requiredOption("--state <file>", "where the cloud is kept")
    .option(
      "--token <token>",
      "bearer token of /v1; else CLOUDWRIGHT_CLOUD_TOKEN, else made and kept",
    )
    .option("--routes <n>", "how many routes the table holds", option(int(0)), 1_000)
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
    .description("a Kubernetes API server that kubectl works with")
    .option(
      "--listen <address>",
      "HOST:PORT; port 0 takes the last one or a free one",
      "127.0.0.1:0",
    )
    .requiredOption("--state <dir>", "where the cluster is kept")
    .requiredOption("--kubeconfig <file>", "where to write the way in")
    .addOption(
      durationOption(
        "--node-monitor-grace-period <duration>",
        "silence after which a node counts as unreachable; 0 is never",
        40_000,
      ),
    )
    .option("--rbac", "ask for permissions, as a real cluster does", false)
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
    .description("kubelets that register the cloud's instances as nodes and keep them alive")
    .requiredOption("--kubeconfig <file>", "the cluster")
    .requiredOption("--cloud <url>", "base URL of the sandbox cloud")
    .option(
      "--cloud-admin <url>",
      "base URL of its /admin; else CLOUDWRIGHT_CLOUD_ADMIN, else --cloud",
    )
    .option("--token <token>", "bearer token of the cloud; else CLOUDWRIGHT_CLOUD_TOKEN")
    .option("--count <n>", "how many nodes", option(int(0)), 12)
    .option("--zones <n>", "over how many zones", option(int(1, 26)), 3)
    .addOption(durationOption("--lease-interval <duration>", "time between heartbeats", 10_000))
    .addOption(durationOption("--status-interval <duration>", "time between status posts", 300_000))
    .addOption(durationOption("--boot-spread <duration>", "time over which new nodes come up", 0))
    .option("--name-prefix <prefix>", "beginning of the nodes' names", "node-")
    .option("--state <file>", "which instances were made already")
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
    .description("life for a visitor: machines come and go, one stops, lookups of one fail")
    .requiredOption("--cloud <url>", "base URL of the sandbox cloud")
    .option(
      "--cloud-admin <url>",
      "base URL of its /admin; else CLOUDWRIGHT_CLOUD_ADMIN, else --cloud",
    )
    .option("--token <token>", "bearer token of the cloud; else CLOUDWRIGHT_CLOUD_TOKEN")
    .option("--name-prefix <prefix>", "beginning of the machines' names", "node-")
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
    .description("an embedded PostgreSQL on loopback")
    .requiredOption("--data <dir>", "where the database is kept")
    .option("--port <n>", "its port; 0 takes the last one or a free one", option(int(0, 65_535)))
    .action(async (given: { data: string; port?: number }) => {
      const { runDatabaseCommand } = await import("@cloudwright/sandbox/database/command");
      await inOneSentence(runDatabaseCommand({ dataDir: given.data, port: given.port }));
    });
}

function cloudToken(given: string | undefined): string {
  const token = given ?? fromEnvironment("CLOUDWRIGHT_CLOUD_TOKEN");
  if (token !== undefined) return token;
  throw new PlainError(
    "The cloud's token is not known: give --token or set CLOUDWRIGHT_CLOUD_TOKEN.",
  );
}

function fromEnvironment(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === "" ? undefined : value;
}
