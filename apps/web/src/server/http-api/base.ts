/** Where the HTTP API is; another version of it would be beside. */
export const BASE = "/api/v1";
