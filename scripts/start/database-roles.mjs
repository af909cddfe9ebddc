import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the path of the file with the connection strings of the embedded database's roles, readable only by its owner. */
export function roleUrlsPath(data) {
  return join(data, "database-roles.json");
}

/** Returns the logins of controller and dashboard, as stored by `cloudwright migrate --role-urls`. */
export function readRoleUrls(data) {
  return JSON.parse(readFileSync(roleUrlsPath(data), "utf8"));
}
