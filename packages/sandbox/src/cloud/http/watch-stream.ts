import type { ServerResponse } from "node:http";
import type { Instance } from "../instances/instance.ts";
import type { InstanceStore } from "../instances/instance-store.ts";

/** One line of `GET /admin/watch`: every machine that is there, `synced`, then each change as it happens. */
export type WatchLine =
  | { readonly type: "put" | "delete"; readonly instance: Instance }
  | { readonly type: "synced" };

const BACKLOG_LIMIT = 64 * 1024 * 1024;

/** Streams lines of JSON until the client leaves; one that does not read is cut off and has to start again. */
export function streamInstances(store: InstanceStore, response: ServerResponse): void {
  const send = (line: WatchLine): void => {
    response.write(`${JSON.stringify(line)}\n`);
    if (response.writableLength > BACKLOG_LIMIT) {
      response.destroy();
    }
  };
  response.setHeader("Content-Type", "application/x-ndjson");
  response.statusCode = 200;
  response.once("close", store.subscribe(send));
  for (const { instance } of store.all()) {
    send({ type: "put", instance });
  }
  send({ type: "synced" });
}
