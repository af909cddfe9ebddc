import { create, type DescMethodUnary, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ProviderError, type ProviderErrorCode } from "@cloudwright/provider-api";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type { CallOptions, Connection } from "../../src/connection.ts";
import { Provider } from "../../src/generated/cloudwright/provider/v1/provider_pb.js";
import { Health } from "../../src/generated/grpc/health/v1/health_pb.js";
import type { Connect } from "../../src/process/connect-within.ts";

/** As little of a connection as it takes to start, check and end a process: these tests are about the process. */
export const plainConnect: Connect = async (socket, { userAgent, signal }) => {
  const client = new Client(`unix:${socket}`, credentials.createInsecure());
  const call: Connection["call"] = (method, request, options) =>
    send(client, method, {
      bytes: toBinary(method.input, create(method.input, request)),
      options,
    }).then((bytes) => fromBinary(method.output, bytes));
  try {
    const hello = { protocol: 1, userAgent, connectionId: "test" };
    const { protocol, ...info } = await call(Provider.method.handshake, hello, {
      signal,
      timeoutMs: 1_000,
    });
    if (protocol !== 1)
      throw failure("Unsupported", `it speaks version ${protocol} of the contract, and this is 1.`);
    return {
      info,
      call,
      health: async (options) => {
        const { status: answer } = await call(Health.method.check, {}, options);
        return answer === 1 ? "serving" : "notServing";
      },
      onClosed: (listener) => watch(client, listener),
      close: () => client.close(),
    };
  } catch (error) {
    client.close();
    throw error;
  }
};

interface Sent {
  readonly bytes: Uint8Array;
  readonly options: CallOptions;
}

function send(
  client: Client,
  method: DescMethodUnary,
  { bytes, options }: Sent,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest<Buffer, Buffer>(
      `/${method.parent.typeName}/${method.name}`,
      (each) => each,
      (each) => each,
      Buffer.from(bytes),
      new Metadata(),
      { deadline: Date.now() + options.timeoutMs },
      (error, answer) => {
        if (error !== null) reject(errorOf(error));
        else resolve(answer ?? new Uint8Array());
      },
    );
    options.signal.addEventListener("abort", () => call.cancel(), { once: true });
  });
}

function errorOf({ code, details }: ServiceError): ProviderError {
  return failure(code === status.DEADLINE_EXCEEDED ? "TimedOut" : "Unavailable", details);
}

function failure(code: ProviderErrorCode, message: string): ProviderError {
  return new ProviderError(code, message, { provider: "fixture", operation: "call" });
}

/** Once it has been connected, the first other state is the end. */
function watch(client: Client, listener: (why: string) => void): void {
  const channel = client.getChannel();
  const before = channel.getConnectivityState(false);
  channel.watchConnectivityState(before, Number.POSITIVE_INFINITY, (error) => {
    if (error === undefined) listener("the other side closed it.");
  });
}
