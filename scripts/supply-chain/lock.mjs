/**
 * Returns the problems of a lock file, one sentence for each entry: a package without a hash could be a different one at the next
 * install, and one with an address would be fetched from there, whatever registry the machine uses. Workspaces are links and have
 * neither.
 */
export function problemsOfLock({ packages }) {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    .flatMap(([path, entry]) => problemsOfEntry(path, entry));
}

function problemsOfEntry(path, { version, integrity, resolved }) {
  const name = `${nameAt(path)}@${version}`;
  const problems = [];
  if (!isHash(integrity)) {
    problems.push(
      `${name} has no sha512 hash in package-lock.json: take a version that the registry has for every platform, and npm install again.`,
    );
  }
  if (resolved !== undefined) {
    problems.push(
      `${name} has an address in package-lock.json: install with omit-lockfile-registry-resolved=true, as .npmrc has it.`,
    );
  }
  return problems;
}

/** 64 bytes in base64. */
function isHash(integrity = "") {
  return /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
}

export function nameAt(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
