import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { type SocketOwner, socketProblem } from "./check-socket.ts";

const NOBODY_ELSE: SocketOwner = { user: undefined, group: undefined };
let root: string;
let folder: string;
let socket: string;
let server: Server;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "cloudwright-socket-"));
  folder = join(root, "sockets");
  mkdirSync(folder);
  socket = join(folder, "aws.sock");
  server = createServer();
  await new Promise<void>((resolve) => server.listen(socket, resolve));
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(root, { recursive: true, force: true });
});

function problem({ folderMode = 0o755, mode = 0o600, owner = NOBODY_ELSE, at = socket } = {}) {
  chmodSync(folder, folderMode);
  chmodSync(socket, mode);
  return socketProblem({ socket: at, ...owner });
}

it("trusts our own socket if nobody else may write to it", () => {
  expect(problem()).toBeUndefined();
  expect(problem({ mode: 0o755 })).toBeUndefined();
  expect(problem({ mode: 0o660, folderMode: 0o770 })).toBeUndefined();
});

it("trusts neither a socket nor a folder that everybody may write to", () => {
  expect(problem({ mode: 0o666 })).toBe(
    `is not trusted: everybody may write to the socket ${socket}; take that right from others (chmod o-w)`,
  );
  expect(problem({ folderMode: 0o777 })).toBe(
    `is not trusted: everybody may write to the folder ${folder}; take that right from others (chmod o-w)`,
  );
});

it("reports what is missing, and what is not a socket", () => {
  const none = join(folder, "none.sock");
  expect(problem({ at: none })).toBe(`is not available yet: ${none} does not exist`);
  const nowhere = join(root, "nowhere", "aws.sock");
  expect(problem({ at: nowhere })).toBe(
    `is not available yet: ${join(root, "nowhere")} does not exist`,
  );
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(problem({ at: file })).toBe(`cannot be used: ${file} is not a socket`);
  const link = join(folder, "link");
  symlinkSync(socket, link);
  expect(problem({ at: link })).toBe(`cannot be used: ${link} is not a socket`);
});

/** Makes everything owned by another user, and returns which: root can change the owner, any other user pretends to be another. */
function ownedByAnother() {
  const [user = 0, group = 0] = [process.getuid?.(), process.getgid?.()];
  if (user === 0) {
    for (const each of [folder, socket]) chownSync(each, 4_711, 4_712);
    return { user: 4_711, group: 4_712 };
  }
  vi.spyOn(process, "getuid").mockReturnValue(user + 1);
  vi.spyOn(process, "getgid").mockReturnValue(group + 1);
  vi.spyOn(process, "getgroups").mockReturnValue([group + 1]);
  onTestFinished(() => void vi.restoreAllMocks());
  return { user, group };
}

it("trusts another user's socket only if that user is named", () => {
  const { user } = ownedByAnother();
  expect(problem()).toBe(
    `is not trusted: the folder ${folder} belongs to user ${user}; name that user with --cloud-provider-socket-owner if it is the provider's`,
  );
  expect(problem({ owner: { user, group: undefined } })).toBeUndefined();
});

it("trusts a group with write access only if it is ours or named", () => {
  const { user, group } = ownedByAnother();
  const open = { mode: 0o660, folderMode: 0o750 };
  expect(problem({ ...open, owner: { user, group: undefined } })).toBe(
    `is not trusted: group ${group} may write to the socket ${socket}; name that group with --cloud-provider-socket-owner if it is the provider's`,
  );
  expect(problem({ ...open, owner: { user, group } })).toBeUndefined();
});
