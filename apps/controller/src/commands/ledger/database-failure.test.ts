import { connect } from "@cloudwright/store/database/database";
import { describe, expect, it } from "vitest";
import { askDatabase } from "./database-failure.ts";

function failure(message: string, code?: string, name = "Error"): Error {
  return Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) });
}

describe("a failure caused by the database is reported in one sentence", () => {
  it.each<[string, Error, RegExp]>([
    [
      "nobody listens",
      failure("connect ECONNREFUSED ::1:1", "ECONNREFUSED"),
      /does not answer \(connect ECONNREFUSED ::1:1, ECONNREFUSED\)/,
    ],
    [
      "a name with several addresses",
      Object.assign(new AggregateError([failure("connect ECONNREFUSED ::1:1")]), {
        code: "ECONNREFUSED",
      }),
      /does not answer \(Error: connect ECONNREFUSED ::1:1, /,
    ],
    [
      "it is silent",
      failure("timeout exceeded when trying to connect"),
      /does not answer \(timeout/,
    ],
    ["it starts", failure("the database system is starting up", "57P03"), /does not answer/],
    [
      "Prisma's way to say so",
      failure(
        "\nInvalid `prisma.x()` invocation:\n\n\nCan't reach database server at h",
        "P1001",
        "PrismaClientKnownRequestError",
      ),
      /^The database does not answer \(Can't reach database server at h, P1001\): check that it is running/,
    ],
    [
      "the password is wrong",
      failure('password authentication failed for user "u"', "28P01"),
      /rejected the login/,
    ],
    [
      "there is no such database",
      failure('database "x" does not exist', "3D000"),
      /^There is no such database \(database "x" does not exist, 3D000\): create it, or correct its name in --database-url/,
    ],
    [
      "it was never migrated",
      failure('relation "runs" does not exist', "42P01"),
      /run cloudwright migrate\.$/,
    ],
    [
      "a right is missing, as Prisma says so",
      failure(
        "\nInvalid `x`:\n\nDatabase error. Code: `42501`. Message: `permission denied for table users`",
        "P2039",
        "PrismaClientKnownRequestError",
      ),
      /^The database rejected the login \(permission denied for table users, 42501\): check/,
    ],
    [
      "something else of Prisma's",
      failure("odd", "P9999", "PrismaClientUnknownRequestError"),
      /could not be queried \(odd, P9999\)\.$/,
    ],
  ])("%s", async (_, error, sentence) => {
    const asked = askDatabase(Promise.reject(error));
    await expect(asked).rejects.toMatchObject({ name: "PlainError", exitCode: 1 });
    await expect(asked).rejects.toThrow(sentence);
  });

  it("as PostgreSQL's own client fails", async () => {
    const db = connect("postgresql://u:hunter2@127.0.0.1:1/x");
    const asked = askDatabase(db.pool.query("SELECT 1"));
    await expect(asked).rejects.toThrow(
      /^The database does not answer \(.*\): check that it is running, .*\.$/,
    );
    await expect(asked).rejects.not.toThrow(/hunter2/);
    await db.close();
  });
});

it("bugs and PlainErrors are passed on unchanged", async () => {
  const bug = new TypeError("x is not a function");
  await expect(askDatabase(Promise.reject(bug))).rejects.toBe(bug);
  await expect(askDatabase(Promise.resolve(7))).resolves.toBe(7);
});
