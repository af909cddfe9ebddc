/** `unknown`: there is no such provider. `incompatible`: it violates the contract. `failed`: it threw. */
export type ProviderLoadErrorKind = "unknown" | "incompatible" | "failed";

/** Why a provider could not be loaded, as one sentence for the operator. */
export class ProviderLoadError extends Error {
  override readonly name = "ProviderLoadError";
  readonly kind: ProviderLoadErrorKind;

  constructor(kind: ProviderLoadErrorKind, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
