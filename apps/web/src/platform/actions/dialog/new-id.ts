import { uuidV7 } from "@cloudwright/core/model/values/ids";

/** Not `crypto.randomUUID`: it is missing where the dashboard is reached by plain HTTP. */
export function newId(): string {
  return uuidV7(Date.now(), () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32);
}
