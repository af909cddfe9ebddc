/** A value that survives JSON unchanged: what a change says of before, after and its request. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}
