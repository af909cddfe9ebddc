import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the connection strings of the embedded database's roles are kept; readable by its owner alone. */
export function roleUrlsPath(data) {
  return join(data, "database-roles.json");
}

/** The logins of controller and dashboard, as `cloudwright migrate --role-urls` keeps them. */
export function readRoleUrls(data) {
  return JSON.parse(readFileSync(roleUrlsPath(data), "utf8"));
}
