import { IncomingMessage } from "node:http";

/** Undefined as soon as the body is longer than `most` bytes. Rejects when the client leaves before its end. */
export function gatherBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const take = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= most) pieces.push(piece);
      else end(undefined);
    };
    const end = (body: Buffer | undefined) => {
      request.off("data", take);
      resolve(body);
    };
    request.on("data", take);
    request.once("end", () => end(Buffer.concat(pieces)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("The client has left.")));
  });
}

/** The same request with its body already there, for whoever reads it next. */
export function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const again = new IncomingMessage(request.socket);
  again.method = request.method;
  again.url = request.url;
  again.headers = request.headers;
  again.rawHeaders = request.rawHeaders;
  again.httpVersion = request.httpVersion;
  again.httpVersionMajor = request.httpVersionMajor;
  again.httpVersionMinor = request.httpVersionMinor;
  again.complete = true;
  again.push(body);
  again.push(null);
  return again;
}

/** What a request says of its body's length: 0 for none, undefined for one that is sent in chunks. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  if (headers["transfer-encoding"] !== undefined) return undefined;
  return Number(headers["content-length"] ?? 0);
}
