import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The PostgreSQL that npm ships, as far as the official image's settings go that the chart uses. */
const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: database } = process.env;
const data = process.env.PGDATA ?? "/var/lib/postgresql/data/pgdata";
const program = (name) => `/app/native/bin/${name}`;

if (!existsSync(join(data, "PG_VERSION"))) create();
const server = spawn(program("postgres"), ["-D", data, "-c", "listen_addresses=*", "-k", "/tmp"], {
  stdio: "inherit",
});
// Its fast stop.
process.on("SIGTERM", () => server.kill("SIGINT"));
server.once("exit", (code) => process.exit(code ?? 1));

function create() {
  writeFileSync("/tmp/password", password, { mode: 0o600 });
  const access = ["--auth=scram-sha-256", "--pwfile=/tmp/password", "--username", user];
  run("initdb", ["-D", data, "--encoding=UTF8", "--locale=C", "--no-sync", ...access]);
  appendFileSync(join(data, "pg_hba.conf"), "host all all all scram-sha-256\n");
  run("postgres", ["--single", "-D", data, "postgres"], `CREATE DATABASE "${database}"\n`);
}

function run(name, args, input = "") {
  const { status } = spawnSync(program(name), args, {
    input,
    stdio: ["pipe", "inherit", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
}
