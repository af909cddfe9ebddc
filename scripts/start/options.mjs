import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { PlainError } from "../lib/project.mjs";

export const HELP = `Starts Cloudwright: PostgreSQL, a sandbox cloud and cluster, the controller and the dashboard.

Usage: npm start [-- options]

  --data DIR             where everything is kept (default .cloudwright)
  --port N               port of the dashboard (default 3000)
  --host ADDRESS         address that the dashboard listens on (default 127.0.0.1)
  --public-url URL       address that people open, when it is another than http://HOST:PORT
  --demo                 make things happen in the sandbox: nodes come and go, one stops, lookups fail
  --nodes N              nodes of each sandbox cluster (default 12)
  --clusters N           sandbox clusters, each with its own cloud and controller, on one
                         database and dashboard (1 to 10, default 1)
  --database-url URL     a PostgreSQL of your own (default DATABASE_URL, else an embedded one)

Users can sign in at an OpenID provider: set CLOUDWRIGHT_OIDC_ISSUER, CLOUDWRIGHT_OIDC_CLIENT_ID,
CLOUDWRIGHT_OIDC_CLIENT_SECRET and CLOUDWRIGHT_OIDC_ROLES (docs/sign-in.md).

With a real cluster and cloud instead of the sandbox:
  --kubeconfig FILE --cloud-provider NAME [--cloud-config FILE]
With a real cluster and the sandbox cloud, whose machines you make yourself:
  --kubeconfig FILE
`;

/** The maximum of `--nodes`. */
export const MOST_NODES = 5_000;

/** The maximum of `--clusters`: each takes four processes. */
const MOST_CLUSTERS = 10;

/** Parses and checks the options of `npm start`. Throws PlainError. */
export function startOptions(args) {
  const values = parse(args);
  const host = values.host;
  const port = wholeNumber(values.port, { name: "--port", min: 1, max: 65_535 });
  return {
    help: values.help,
    data: resolve(values.data),
    host,
    port,
    publicUrl: publicUrl(values["public-url"], host, port),
    demo: demo(values),
    nodes: wholeNumber(values.nodes, { name: "--nodes", min: 0, max: MOST_NODES }),
    clusters: clusterCount(values),
    databaseUrl: values["database-url"] ?? process.env.DATABASE_URL,
    real: realCluster(values),
  };
}

function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        help: { type: "boolean", short: "h", default: false },
        data: { type: "string", default: ".cloudwright" },
        port: { type: "string", default: "3000" },
        host: { type: "string", default: "127.0.0.1" },
        nodes: { type: "string", default: "12" },
        clusters: { type: "string", default: "1" },
        demo: { type: "boolean", default: false },
        "public-url": { type: "string" },
        "database-url": { type: "string" },
        kubeconfig: { type: "string" },
        "cloud-provider": { type: "string" },
        "cloud-config": { type: "string" },
      },
    }).values;
  } catch (error) {
    // Node.js ends only some of its messages with a full stop, and some have several lines.
    const sentence = error.message.replaceAll("\n", " ").replace(/\.?$/, ".");
    throw new PlainError(`${sentence} See npm start -- --help.`);
  }
}

function demo(values) {
  if (values.demo && (values.kubeconfig ?? values["cloud-provider"]) !== undefined) {
    throw new PlainError("--demo is for the sandbox: remove it with a real cluster or cloud.");
  }
  return values.demo;
}

function clusterCount(values) {
  const count = wholeNumber(values.clusters, { name: "--clusters", min: 1, max: MOST_CLUSTERS });
  if (count > 1 && (values.kubeconfig ?? values["cloud-provider"]) !== undefined) {
    throw new PlainError("--clusters is for the sandbox: remove it with a real cluster or cloud.");
  }
  return count;
}

function wholeNumber(text, { name, min, max }) {
  const number = Number(text);
  if (Number.isInteger(number) && text.trim() !== "" && number >= min && number <= max)
    return number;
  throw new PlainError(`${name} is "${text}": it must be a whole number from ${min} to ${max}.`);
}

function publicUrl(text, host, port) {
  if (text === undefined) {
    const name = host.includes(":") ? `[${host}]` : host;
    return `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : name}:${port}`;
  }
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    return text.replace(/\/$/, "");
  throw new PlainError(`--public-url is "${text}": it must be an http or https address.`);
}

function realCluster(values) {
  const { kubeconfig, "cloud-provider": provider, "cloud-config": config } = values;
  if (kubeconfig === undefined && provider === undefined && config === undefined) return undefined;
  if (kubeconfig === undefined) {
    throw new PlainError(
      "--cloud-provider and --cloud-config need --kubeconfig: give it for a real cluster, or none of them for the sandbox.",
    );
  }
  if (provider === undefined && config !== undefined) {
    throw new PlainError("--cloud-config needs --cloud-provider: name the cloud that it is for.");
  }
  const name = provider ?? "sandbox";
  const sandboxCloud = name === "sandbox" && config === undefined;
  const path = config === undefined ? undefined : resolve(config);
  return { kubeconfig: resolve(kubeconfig), config: path, provider: name, sandboxCloud };
}
