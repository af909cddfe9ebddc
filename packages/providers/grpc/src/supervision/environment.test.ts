import { expect, it } from "vitest";
import { childEnvironment } from "./environment.ts";

it("passes on what a provider may need, and nothing of ours", () => {
  const environment = {
    ...{ PATH: "/bin", HOME: "/root", KUBECONFIG: "/k", AWS_REGION: "eu", HTTPS_PROXY: "http://p" },
    CLOUDWRIGHT_PROVIDER_KUBECONFIG: "/own",
    CLOUDWRIGHT_PROVIDER_SOCKET: "/of another",
    ...{ DATABASE_URL: "postgres://u:p@h/d", PGPASSWORD: "p", PGHOST: "h" },
    ...{ CLOUDWRIGHT_SPOOL_OWNER: "x", OTEL_EXPORTER_OTLP_HEADERS: "authorization=x" },
    ...{ NODE_OPTIONS: "--max-old-space-size=64", NODE_CHANNEL_FD: "3", MALLOC_ARENA_MAX: "1" },
  };
  expect(childEnvironment({ environment, socket: "/s", verbosity: 4 })).toEqual({
    ...{ PATH: "/bin", HOME: "/root", KUBECONFIG: "/k", AWS_REGION: "eu", HTTPS_PROXY: "http://p" },
    CLOUDWRIGHT_PROVIDER_KUBECONFIG: "/own",
    CLOUDWRIGHT_PROVIDER_PROTOCOL: "1",
    CLOUDWRIGHT_PROVIDER_SOCKET: "/s",
    CLOUDWRIGHT_PROVIDER_VERBOSITY: "4",
  });
});
