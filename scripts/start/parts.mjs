import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "../lib/project.mjs";
import { numbered } from "./members.mjs";
import { MOST_NODES } from "./options.mjs";

const CLOUDWRIGHT = inProject("apps/controller/bin/cloudwright.mjs");
const WEB = inProject("apps/web/.next/standalone/apps/web/server.js");

/** Returns the command line of a subcommand. */
export function cloudwright(...args) {
  return [CLOUDWRIGHT, ...args];
}

export function databasePart({ data }) {
  return {
    name: "database",
    args: cloudwright("sandbox", "database", "--data", join(data, "database")),
  };
}

/** A route for each node that may be requested, and as many for those created by hand. */
const ROUTES_OF_TABLE = 2 * MOST_NODES;

export function cloudPart({ data, ordinal }) {
  return {
    name: numbered("cloud", ordinal),
    args: cloudwright(
      ...["sandbox", "cloud", "--listen", "127.0.0.1:0"],
      ...["--state", join(data, "cloud.state"), "--routes", String(ROUTES_OF_TABLE)],
    ),
  };
}

/** The demo's imitation of kube-controller-manager is fast, so that an unresponsive kubelet shows within seconds. */
export function clusterPart({ data, ordinal }) {
  return {
    name: numbered("cluster", ordinal),
    args: cloudwright(
      ...["sandbox", "cluster", "--listen", "127.0.0.1:0"],
      ...["--state", join(data, "cluster"), "--kubeconfig", kubeconfigPath(data)],
      ...["--node-monitor-grace-period", "10s"],
    ),
  };
}

export function kubeletsPart({ data, nodes, ordinal }, cloud) {
  return {
    name: numbered("kubelets", ordinal),
    args: cloudwright(
      ...["sandbox", "kubelets", "--kubeconfig", kubeconfigPath(data), "--cloud", cloud.endpoint],
      ...["--count", String(nodes), "--zones", "3", "--lease-interval", "3s"],
      // Gives a visitor time to sign in and watch nodes being initialised.
      ...["--boot-spread", "10s"],
      ...["--state", join(data, "kubelets.state")],
    ),
    env: { CLOUDWRIGHT_CLOUD_TOKEN: cloud.token, CLOUDWRIGHT_CLOUD_ADMIN: cloud.admin },
  };
}

/** Plays events in the sandbox while a visitor watches. */
export function demoPart({ ordinal }, cloud) {
  return {
    name: numbered("demo", ordinal),
    args: cloudwright("sandbox", "demo", "--cloud", cloud.endpoint),
    env: { CLOUDWRIGHT_CLOUD_TOKEN: cloud.token, CLOUDWRIGHT_CLOUD_ADMIN: cloud.admin },
  };
}

/** Pod ranges that do not overlap those of machines, load balancers and Services, for the maximum number of nodes. */
function sandboxFlags(name) {
  return [
    ...["--cluster-name", name],
    ...["--allocate-node-cidrs", "--cluster-cidr", "10.128.0.0/11"],
    "--watch-events",
  ];
}

/** In a real cluster, the range of pods is the owner's decision, and so are routes. */
const REAL_FLAGS = ["--configure-cloud-routes=false"];

export function controllerPart({ data, real, name, ordinal }, { databaseUrl, securePort }) {
  const kubeconfig = real?.kubeconfig ?? kubeconfigPath(data);
  const ownCloud = real === undefined || real.sandboxCloud;
  const configPath = ownCloud ? cloudConfigPath(data) : real.config;
  const config = configPath === undefined ? [] : ["--cloud-config", configPath];
  const provider = real?.provider ?? "sandbox";
  const flags = real === undefined ? sandboxFlags(name) : REAL_FLAGS;
  return {
    name: numbered("controller", ordinal),
    args: cloudwright(
      ...["controller", "--kubeconfig", kubeconfig, "--cloud-provider", provider],
      ...config,
      ...flags,
      ...["--bind-address", "127.0.0.1", "--secure-port", String(securePort)],
      ...["--spool-dir", join(data, "spool")],
    ),
    env: { DATABASE_URL: databaseUrl },
    // On a loaded machine a Lease may be lost, which ends its process; the rest keeps running.
    startsAnewAfter: "leaseLost",
  };
}

export function webPart({ data, host, port, publicUrl }, { databaseUrl }) {
  return {
    name: "dashboard",
    args: [WEB],
    env: {
      NODE_ENV: "production",
      PORT: String(port),
      HOSTNAME: host,
      DATABASE_URL: databaseUrl,
      CLOUDWRIGHT_PUBLIC_URL: publicUrl,
      CLOUDWRIGHT_AUTH_SECRET: authSecret(data),
      // Allows webhooks to be tried with a receiver on this machine.
      CLOUDWRIGHT_WEBHOOKS_PRIVATE: "allow",
    },
  };
}

export function kubeconfigPath(data) {
  return join(data, "kubeconfig");
}

/** Written at each start, because the cloud's port may change. */
export function writeCloudConfig({ data, name }, cloud) {
  const text = [
    `endpoint: ${JSON.stringify(cloud.endpoint)}`,
    `token: ${JSON.stringify(cloud.token)}`,
    `clusterId: ${name}`,
    "",
  ].join("\n");
  writeFileSync(cloudConfigPath(data), text, { mode: 0o600 });
}

function cloudConfigPath(data) {
  return join(data, "cloud-config.yaml");
}

/** Kept across restarts, so that users stay signed in. */
function authSecret(data) {
  const path = join(data, "auth-secret");
  if (!existsSync(path)) {
    writeFileSync(path, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  }
  return readFileSync(path, "utf8").trim();
}
