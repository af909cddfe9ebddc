import { answerDiscovery } from "../discovery/discovery.ts";
import { answerOpenApi } from "../discovery/open-api.ts";
import type { Call } from "./call.ts";
import { jsonReply, type Reply } from "./reply.ts";

/** The Kubernetes version that the sandbox imitates. */
const VERSION = {
  major: "1",
  minor: "37",
  gitVersion: "v1.37.1+cloudwright-sandbox",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "none",
  platform: "sandbox",
};

const HEALTH_PATH = /^\/(healthz|livez|readyz)(\/ping|\/etcd|\/log)?$/;

/** Answers every path that is not a resource: version, health, discovery, OpenAPI. */
export function answerPlainPath(call: Call): Reply {
  const { pathname, searchParams } = call.url;
  const health = HEALTH_PATH.exec(pathname);
  if (health !== null) return text(200, healthText(health[1] ?? "", searchParams.has("verbose")));
  if (pathname === "/version" || pathname === "/version/") return jsonReply(200, VERSION);
  if (pathname === "/") return jsonReply(200, { paths: PATHS });
  return answerDiscovery(call) ?? answerOpenApi(call) ?? text(404, "404 page not found\n");
}

const PATHS = [
  "/api",
  "/api/v1",
  "/apis",
  "/healthz",
  "/livez",
  "/openapi/v3",
  "/readyz",
  "/version",
];

function healthText(name: string, isVerbose: boolean): string {
  return isVerbose ? `[+]ping ok\n[+]etcd ok\n${name} check passed\n` : "ok";
}

function text(status: number, body: string): Reply {
  return { status, contentType: "text/plain; charset=utf-8", body };
}
