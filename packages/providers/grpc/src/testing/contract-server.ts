import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { isProviderError } from "@cloudwright/provider-api";
import {
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import {
  FailureSchema,
  Provider,
  UnknownObjectsSchema,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import {
  Health,
  HealthCheckResponse_ServingStatus,
} from "../generated/grpc/health/v1/health_pb.js";
import { failureMessage } from "./failure-message.ts";

type Methods = typeof Provider.method;

/** A process's handlers for the contract's methods; missing ones are UNIMPLEMENTED. */
export type Handlers = {
  [Name in keyof Methods]?: Handler<Methods[Name]["input"], Methods[Name]["output"]>;
};

type Handler<Input extends DescMessage, Output extends DescMessage> = (
  request: MessageShape<Input>,
  signal: AbortSignal,
) => Promise<MessageInitShape<Output>> | MessageInitShape<Output>;

/** Thrown by a handler that lacks these objects. */
export class NotSynced extends Error {
  readonly uids: readonly string[];

  constructor(uids: readonly string[]) {
    super("objects are not known");
    this.uids = uids;
  }
}

/** Thrown by a handler to fail with a bare gRPC status. */
export class BareStatus extends Error {
  readonly code: status;

  constructor(code: status, message = "it failed") {
    super(message);
    this.code = code;
  }
}

/** One start of a provider process, run inside this process: a gRPC server on a Unix socket. */
export interface ContractServer {
  readonly socketPath: string;
  readonly instance: string;
  /** The number of calls of each method. */
  readonly counts: ReadonlyMap<string, number>;
  isServing: boolean;
  /** Ends immediately, like a killed process: pending calls get no answer. */
  kill(): Promise<void>;
}

export interface ContractServerOptions {
  readonly handlers: Handlers;
  /** By default, one in a folder of its own. */
  readonly socketPath?: string;
  readonly providerName?: string;
  readonly protocol?: number;
}

let starts = 0;

export async function startContractServer(options: ContractServerOptions): Promise<ContractServer> {
  const { handlers, providerName = "memory", protocol = 1 } = options;
  const folder = mkdtempSync(join(tmpdir(), "cw-grpc-"));
  const socketPath = options.socketPath ?? join(folder, "provider.sock");
  starts += 1;
  const instance = `start-${starts}`;
  const counts = new Map<string, number>();
  const server = new Server({ "grpc.max_receive_message_length": -1 });
  const handshake = () => ({ protocol, providerName, version: "1.2.3", instance });
  add(server, { service: Provider, handlers: { handshake, ...handlers }, counts });
  const started: ContractServer = {
    ...{ socketPath, instance, counts },
    isServing: true,
    kill: async () => {
      server.forceShutdown();
      rmSync(socketPath, { force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus;
  const check = () => ({ status: started.isServing ? SERVING : NOT_SERVING });
  add(server, { service: Health, handlers: { check }, counts });
  await listen(server, socketPath);
  return started;
}

function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`unix:${socketPath}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
}

interface Serving {
  readonly service: DescService;
  readonly handlers: object;
  readonly counts: Map<string, number>;
}

function add(server: Server, { service, handlers, counts }: Serving): void {
  const definition: Record<string, ServiceDefinition[string]> = {};
  const implementation: UntypedServiceImplementation = {};
  for (const method of service.methods) {
    if (!isUnary(method)) continue;
    definition[method.localName] = definitionOf(service, method);
    const handler: unknown = Reflect.get(handlers, method.localName);
    implementation[method.localName] = unary(method, (request, signal) => {
      counts.set(method.localName, (counts.get(method.localName) ?? 0) + 1);
      if (typeof handler === "function") return handler(request, signal);
      throw new BareStatus(status.UNIMPLEMENTED);
    });
  }
  server.addService(definition, implementation);
}

function isUnary(method: DescMethod): method is DescMethodUnary & DescMethod {
  return method.methodKind === "unary";
}

function definitionOf(service: DescService, method: DescMethodUnary): ServiceDefinition[string] {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (message) => Buffer.from(toBinary(method.input, message)),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: (message) => Buffer.from(toBinary(method.output, message)),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}

type AnyHandler = Handler<DescMessage, DescMessage>;

function unary(
  method: DescMethodUnary,
  handler: AnyHandler,
): handleUnaryCall<MessageShape<DescMessage>, MessageShape<DescMessage>> {
  return (call, callback) => {
    const ended = new AbortController();
    call.on("cancelled", () => ended.abort(new Error("the call was cancelled")));
    const answer = async () => create(method.output, await handler(call.request, ended.signal));
    answer().then(
      (message) => callback(null, message),
      (error: unknown) => callback(statusOf(error)),
    );
  };
}

function statusOf(error: unknown) {
  const metadata = new Metadata();
  if (error instanceof BareStatus) return { code: error.code, details: error.message };
  if (error instanceof NotSynced) {
    const unknown = create(UnknownObjectsSchema, { refs: error.uids.map((uid) => ({ uid })) });
    const bytes = Buffer.from(toBinary(UnknownObjectsSchema, unknown));
    metadata.set("cloudwright-unknown-objects-bin", bytes);
    return { code: status.FAILED_PRECONDITION, details: error.message, metadata };
  }
  if (!isProviderError(error)) return { code: status.UNKNOWN, details: String(error) };
  const failure = create(FailureSchema, failureMessage(error));
  metadata.set("cloudwright-failure-bin", Buffer.from(toBinary(FailureSchema, failure)));
  return { code: status.UNAVAILABLE, details: error.message, metadata };
}
