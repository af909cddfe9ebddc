import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { Client, ServiceError } from "@grpc/grpc-js";
import type { CallOptions } from "../connection.ts";
import { errorOfStatus } from "./failures.ts";

export interface UnaryOptions<Input extends DescMessage> extends CallOptions {
  readonly request: MessageInitShape<Input>;
  /** The provider's name for messages. */
  readonly provider: string;
}

/** Makes one call over a channel; it is cancelled when the signal aborts. Throws ProviderError, or the signal's reason. */
export function unaryCall<Input extends DescMessage, Output extends DescMessage>(
  client: Client,
  method: DescMethodUnary<Input, Output>,
  { request, provider, signal, timeoutMs }: UnaryOptions<Input>,
): Promise<MessageShape<Output>> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const failed = { provider, operation: method.name, timeoutMs };
    const ended = (error: ServiceError | null, answer?: MessageShape<Output>) => {
      signal.removeEventListener("abort", cancel);
      if (answer !== undefined) resolve(answer);
      else if (error !== null) reject(errorOfStatus(error, failed));
    };
    const sent = client.makeUnaryRequest(
      `/${method.parent.typeName}/${method.name}`,
      (message: MessageShape<Input>) => bytesOf(toBinary(method.input, message)),
      (bytes) => fromBinary(method.output, bytes),
      create(method.input, request),
      { deadline: Date.now() + timeoutMs },
      ended,
    );
    const cancel = () => {
      reject(signal.reason);
      sent.cancel();
    };
    signal.addEventListener("abort", cancel, { once: true });
  });
}

/** Shares the bytes with gRPC without copying them. */
function bytesOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
