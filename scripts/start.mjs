import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { takeLock } from "./lib/lock.mjs";
import { PlainError, runMain, toolEnvironment } from "./lib/project.mjs";
import { setUp } from "./setup.mjs";
import { readRoleUrls, roleUrlsPath } from "./start/database-roles.mjs";
import { readEndpoints, removeEndpoints, writeEndpoints } from "./start/endpoints.mjs";
import { clusterMembers } from "./start/members.mjs";
import { freePort, requireFreePort, untilHealthy } from "./start/network.mjs";
import { HELP, startOptions } from "./start/options.mjs";
import {
  cloudPart,
  cloudwright,
  clusterPart,
  controllerPart,
  databasePart,
  demoPart,
  kubeconfigPath,
  kubeletsPart,
  webPart,
  writeCloudConfig,
} from "./start/parts.mjs";
import { createSupervisor } from "./start/supervisor.mjs";
import { untilSignal } from "./start/until-signal.mjs";
import { runTool, waitingFor } from "./start/waiting.mjs";

const MIGRATION_LIMIT_MS = 600_000;
const LINK_LIMIT_MS = 120_000;

async function main() {
  const options = startOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const lock = lockData(options.data);
  try {
    await requireFreePort(options);
    await setUp({ build: true });
    await serve(options);
  } finally {
    lock.release();
  }
}

function lockData(data) {
  try {
    mkdirSync(join(data, "logs"), { recursive: true });
  } catch ({ message }) {
    throw new PlainError(
      `--data ${data} cannot be used (${message}): name a folder that you may write to.`,
    );
  }
  const lock = takeLock(join(data, "start.lock"));
  if (lock.owner === undefined) return lock;
  const dashboard = readEndpoints(data)?.dashboard ?? "it is still starting";
  throw new PlainError(
    `Cloudwright already runs in ${data} (process ${lock.owner.pid}): ${dashboard}. End that one, or take another folder: npm start -- --data DIR.`,
  );
}

/** Runs until a signal (exit code 0), or until a part dies (prints its sentence, exit code 1). */
async function serve(options) {
  const supervisor = createSupervisor({ logs: join(options.data, "logs") });
  const signalled = untilSignal({
    onFirst: () => console.log("\nStopping …"),
    onSecond: () => {
      console.log("Ending the rest by force; only the database is still written out …");
      supervisor.hurry();
    },
  });
  const broken = supervisor.broken.then((sentence) => {
    throw new PlainError(sentence);
  });
  try {
    const early = await Promise.race([bringUp(options, supervisor), signalled, broken]);
    if (early !== "signalled") await Promise.race([signalled, broken]);
  } finally {
    removeEndpoints(options.data);
    await supervisor.stop();
    console.log("Stopped.");
  }
}

async function bringUp(options, supervisor) {
  const startedAt = Date.now();
  const base = await startBase(options, supervisor);
  const { databaseUrl, members } = base;
  const logins = await migrate(options, { databaseUrl, members, supervisor });
  const controllers = await Promise.all(
    members.map((member) => startController(member, { logins, supervisor })),
  );
  supervisor.start(webPart(options, { databaseUrl: logins.web }));
  await Promise.all([
    ...controllers.map(({ ready }) =>
      waitingFor("the controller to know the cluster's nodes", ready),
    ),
    waitingFor("the dashboard to answer", untilHealthy(healthUrl(options))),
  ]);
  const endpoints = await endpointsOf(options, base, supervisor.stopping);
  const file = writeEndpoints(options.data, endpoints);
  if (options.demo) {
    for (const member of members) supervisor.start(demoPart(member, member.cloud));
  }
  announce({ endpoints, file, options, startedAt });
}

/** Includes the kubelets of a sandbox cluster. */
async function startController(member, { logins, supervisor }) {
  if (member.real === undefined) supervisor.start(kubeletsPart(member, member.cloud));
  const securePort = await freePort();
  return supervisor.start(controllerPart(member, { databaseUrl: logins.controller, securePort }));
}

/**
 * Migrates the database and returns the logins for the parts: in our own database, with roles of their own; in a given database,
 * the given login, since its roles may belong to another installation.
 */
async function migrate({ data, databaseUrl: named }, { databaseUrl, members, supervisor }) {
  const tool = (title, ...args) =>
    runTool(title, {
      args: cloudwright(...args),
      env: toolEnvironment({ DATABASE_URL: databaseUrl }),
      limitMs: MIGRATION_LIMIT_MS,
      signal: supervisor.stopping,
    });
  const [first, ...others] = members.map(kubeconfigOf);
  const ours = ["--role-urls", roleUrlsPath(data), "--kubeconfig", first];
  const roles = named === undefined ? ours : [];
  await tool("The migration of the database", "migrate", ...roles);
  if (named !== undefined) return { controller: databaseUrl, web: databaseUrl };
  for (const kubeconfig of others) {
    await tool("The grant for a cluster", "database", "grant", "--kubeconfig", kubeconfig);
  }
  return readRoleUrls(data);
}

/** Starts what the rest depends on: the database, and the sandbox clouds and clusters that are not replaced by real ones. */
async function startBase(options, supervisor) {
  const database =
    options.databaseUrl === undefined ? supervisor.start(databasePart(options)) : undefined;
  const [databaseReady, members] = await Promise.all([
    waitingFor("the database to answer", database?.ready),
    Promise.all(clusterMembers(options).map((member) => startSandbox(member, supervisor))),
  ]);
  return { databaseUrl: databaseReady?.url ?? options.databaseUrl, members };
}

/** Returns the member with the address of its cloud, if that is ours. */
async function startSandbox(member, supervisor) {
  const sandbox = member.real === undefined;
  const ownCloud = sandbox || member.real.sandboxCloud;
  const cloud = ownCloud ? supervisor.start(cloudPart(member)) : undefined;
  const cluster = sandbox ? supervisor.start(clusterPart(member)) : undefined;
  const [cloudReady] = await Promise.all([
    waitingFor("the cloud to serve", cloud?.ready),
    waitingFor("the cluster to serve", cluster?.ready),
  ]);
  if (cloudReady !== undefined) writeCloudConfig(member, cloudReady);
  return { ...member, cloud: cloudReady };
}

function kubeconfigOf({ real, data }) {
  return real?.kubeconfig ?? kubeconfigPath(data);
}

async function endpointsOf(options, { databaseUrl, members }, signal) {
  const link = await runTool("The making of the sign-in link", {
    args: cloudwright("sign-in-link", "--base-url", options.publicUrl),
    env: toolEnvironment({ DATABASE_URL: databaseUrl }),
    limitMs: LINK_LIMIT_MS,
    signal,
  });
  const clusters = members.map((member) => ({
    name: member.name,
    kubeconfig: kubeconfigOf(member),
    cloud: cloudEndpoint(member.cloud),
  }));
  const [{ kubeconfig, cloud }] = clusters;
  return {
    dashboard: options.publicUrl,
    signInUrl: link.trim(),
    ...{ kubeconfig, cloud, databaseUrl },
    // A single cluster is already described above.
    ...(clusters.length === 1 ? {} : { clusters }),
  };
}

function cloudEndpoint(cloud) {
  return cloud === undefined
    ? null
    : { endpoint: cloud.endpoint, token: cloud.token, admin: cloud.admin };
}

function announce({ endpoints, file, options, startedAt }) {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  console.log(
    [
      `Cloudwright runs (${seconds} s).`,
      "",
      `  Dashboard      ${endpoints.signInUrl}`,
      "                 (signs you in once, within 15 minutes; another: npx cloudwright sign-in-link)",
      ...(endpoints.clusters ?? [endpoints]).flatMap(clusterLines),
      `  Addresses      ${file}`,
      `  Logs           ${join(options.data, "logs")}`,
      "",
      "Ctrl-C ends all of it; the next start goes on from here.",
    ].join("\n"),
  );
}

/** With several clusters, each line names its cluster. */
function clusterLines({ name, kubeconfig, cloud }) {
  const of = name === undefined ? "" : `  (${name})`;
  return [
    `  Cluster        export KUBECONFIG=${kubeconfig}${of}`,
    ...(cloud === null ? [] : [`  Cloud's admin  ${cloud.admin}${of}`]),
  ];
}

/** If the dashboard listens on 0.0.0.0, it can be reached on loopback. */
function healthUrl({ host, port }) {
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${everywhere ? "127.0.0.1" : name}:${port}/healthz`;
}

await runMain(main);
