import { isProviderError } from "@cloudwright/provider-api";

/** What the call answers; undefined when the cloud says that there is no such thing. */
export async function orNone<Value>(call: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isProviderError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}
