/** The store's log: constant messages, variables as fields. */
export interface StoreLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Returns the fields with which a log line describes an error; never a connection string. */
export function errorFields(error: unknown): { readonly error: string; readonly code?: string } {
  if (!(error instanceof Error)) return { error: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const message = error.message === "" ? (code ?? error.name) : error.message;
  return code === undefined ? { error: message } : { error: message, code };
}
