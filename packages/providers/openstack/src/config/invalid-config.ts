import { ProviderError } from "@cloudwright/provider-api";

/** Scheme of provider IDs, and prefix of messages. */
export const PROVIDER = "openstack";

/** Creates the error for an invalid configuration, in one sentence. It never contains values, as any of them may be a secret. */
export function invalidConfig(message: string, field?: string): ProviderError {
  return new ProviderError("Invalid", message, {
    provider: PROVIDER,
    operation: "read the config",
    ...(field === undefined ? {} : { field }),
  });
}
