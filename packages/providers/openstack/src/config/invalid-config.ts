import { ProviderError } from "@cloudwright/provider-api";

/** Scheme of provider IDs and prefix of messages. */
export const PROVIDER = "openstack";

/** The refusal of a configuration, in one sentence. Values are never in it, as any of them may be a secret. */
export function invalidConfig(message: string, field?: string): ProviderError {
  return new ProviderError("Invalid", message, {
    provider: PROVIDER,
    operation: "read the config",
    ...(field === undefined ? {} : { field }),
  });
}
