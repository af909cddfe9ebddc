/** The path of the HTTP API; another version would have a path of its own. */
export const BASE = "/api/v1";
