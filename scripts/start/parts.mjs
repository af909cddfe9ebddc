import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "../lib/project.mjs";
import { numbered } from "./members.mjs";
import { MOST_NODES } from "./options.mjs";

const CLOUDWRIGHT = inProject("apps/controller/bin/cloudwright.mjs");
const WEB = inProject("apps/web/.next/standalone/apps/web/server.js");

/** The command line of one subcommand. */
export function cloudwright(...args) {
  return [CLOUDWRIGHT, ...args];
}

export function databasePart({ data }) {
  return {
    name: "database",
    args: cloudwright("sandbox", "database", "--data", join(data, "database")),
  };
}

/** A route for each of the nodes that may be asked for, and as many for those that are made by hand. */
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

/** The demo's imitation of kube-controller-manager is quick, so that a silent kubelet shows within seconds. */
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
      // A visitor has time to sign in and see nodes become initialised.
      ...["--boot-spread", "10s"],
      ...["--state", join(data, "kubelets.state")],
    ),
    env: { CLOUDWRIGHT_CLOUD_TOKEN: cloud.token, CLOUDWRIGHT_CLOUD_ADMIN: cloud.admin },
  };
}

/** What happens in the sandbox while a visitor looks on. */
export function demoPart({ ordinal }, cloud) {
  return {
    name: numbered("demo", ordinal),
    args: cloudwright("sandbox", "demo", "--cloud", cloud.endpoint),
    env: { CLOUDWRIGHT_CLOUD_TOKEN: cloud.token, CLOUDWRIGHT_CLOUD_ADMIN: cloud.admin },
  };
}

/** Pod ranges beside those of machines, load balancers and Services, for as many nodes as there may be. */
function sandboxFlags(name) {
  return [
    ...["--cluster-name", name],
    ...["--allocate-node-cidrs", "--cluster-cidr", "10.128.0.0/11"],
    "--watch-events",
  ];
}

/** The range of a real cluster's pods is its owner's to name, and so are routes. */
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
    // On a loaded machine a Lease may be lost, and the process that lost one is over; the rest need not be.
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
      // A receiver to try webhooks with is on this machine as well.
      CLOUDWRIGHT_WEBHOOKS_PRIVATE: "allow",
    },
  };
}

export function kubeconfigPath(data) {
  return join(data, "kubeconfig");
}

/** Written anew at each start, because the cloud's port may be another one. */
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

/** Kept, so that people stay signed in over a restart. */
function authSecret(data) {
  const path = join(data, "auth-secret");
  if (!existsSync(path)) {
    writeFileSync(path, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  }
  return readFileSync(path, "utf8").trim();
}
