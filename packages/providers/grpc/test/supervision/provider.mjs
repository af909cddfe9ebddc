// A provider in another process, written from the contract alone: JavaScript, gRPC and the .proto, without any of our code. Its
// cloud has a machine for every Node whose name does not begin with "gone". FIXTURE selects how it misbehaves; see HABITS.
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const PROTO = fileURLToPath(new URL("../../proto", import.meta.url));
const FILES = ["cloudwright/provider/v1/provider.proto", "grpc/health/v1/health.proto"];
const socket = process.env.CLOUDWRIGHT_PROVIDER_SOCKET;
const habits = new Set((process.env.FIXTURE ?? "").split(","));
const instance = randomUUID();

/** How the process may misbehave, each before it serves. */
const HABITS = {
  "crash-at-start": () => {
    throw new Error("no credentials");
  },
  hang: () => new Promise(() => setInterval(() => {}, 1_000)),
  chatter: () => {
    for (let line = 0; line < 5_000; line += 1) process.stdout.write(`line ${line}\n`);
  },
  "ignore-term": () => process.on("SIGTERM", () => say("SIGTERM ignored")),
};

for (const [habit, indulge] of Object.entries(HABITS)) if (habits.has(habit)) await indulge();

const contract = grpc.loadPackageDefinition(
  protoLoader.loadSync(FILES, {
    includeDirs: [PROTO],
    defaults: true,
    longs: Number,
    enums: String,
  }),
);
const server = new grpc.Server();
server.addService(contract.cloudwright.provider.v1.Provider.service, {
  handshake: answer(({ userAgent }) => {
    say(`Handshake with ${userAgent}`);
    const protocol = habits.has("other-version") ? 2 : 1;
    return { protocol, providerName: "fixture", version: "1.2.3", instance };
  }),
  initialize: answer(({ cloudConfig }) => {
    note("initialize");
    if (cloudConfig === "refuse") {
      throw Object.assign(new Error("the region is missing"), {
        code: grpc.status.INVALID_ARGUMENT,
      });
    }
    return { capabilities: { hasClusterId: true, instances: { byName: true } }, warnings: [] };
  }),
  syncObjects: answer(() => ({})),
  describeInstances: answer(({ refs }) => {
    note(`describe ${refs.map(({ nodeName }) => nodeName).join(" ")}`);
    if (habits.has("crash-on-call")) process.exit(7);
    return { lookups: refs.map(lookUp), calls: [] };
  }),
  shutdown: answer(() => {
    note("shutdown");
    if (!habits.has("ignore-term")) setImmediate(end);
    return {};
  }),
});
server.addService(contract.grpc.health.v1.Health.service, {
  check: answer(() => ({ status: habits.has("not-serving") ? "NOT_SERVING" : "SERVING" })),
});
await new Promise((resolve, reject) => {
  const credentials = grpc.ServerCredentials.createInsecure();
  server.bindAsync(`unix:${socket}`, credentials, (error) => (error ? reject(error) : resolve()));
});
say(`Listening with verbosity ${process.env.CLOUDWRIGHT_PROVIDER_VERBOSITY}`);
if (!habits.has("ignore-term")) {
  process.on("SIGTERM", end);
  process.stdin.on("end", end).resume();
}

function answer(method) {
  return (call, callback) => {
    try {
      callback(null, method(call.request));
    } catch (error) {
      callback({ code: error.code ?? grpc.status.UNKNOWN, details: error.message });
    }
  };
}

function lookUp({ nodeName }) {
  if (nodeName.startsWith("gone"))
    return {
      absent: {
        proof: {
          by: "ABSENCE_SUBJECT_PROVIDER_ID",
          cloudShowsOthers: "CERTAINTY_YES",
          atMs: Date.now(),
        },
      },
    };
  return {
    found: {
      providerId: `fixture://${nodeName}`,
      ...{ name: nodeName, instanceType: "small", zone: "zone-a", region: "region-1" },
      addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
      ...{ power: "POWER_STATE_RUNNING", asOfMs: Date.now() },
    },
  };
}

function end() {
  note("end");
  server.forceShutdown();
  process.exit(0);
}

function say(msg) {
  process.stderr.write(`${JSON.stringify({ level: "info", msg, process: process.pid })}\n`);
}

/** Writes a note for the test, if that gives a folder. */
function note(what) {
  const { FIXTURE_FOLDER: folder } = process.env;
  if (folder !== undefined) appendFileSync(join(folder, "notes"), `${process.pid} ${what}\n`);
}
