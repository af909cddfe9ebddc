/**
 * Returns which packages of the lock file the programs can load at run time, as a set of `name@version`: the dependencies of
 * these folders, and theirs, resolved as Node does; without what is only used for building or testing, or is for other platforms.
 * `isLeftOut` takes a package's name.
 */
export function shippedPackages(packages, { folders, ...rest }) {
  const place = { platform: process.platform, arch: process.arch, isLeftOut: () => false, ...rest };
  const paths = new Set(folders);
  // Paths that are added on the way are visited as well.
  for (const path of paths) for (const at of placesNeededBy(path, packages, place)) paths.add(at);
  return new Set(
    [...paths].flatMap((path) => {
      const name = nameOf(path);
      return name === undefined ? [] : [`${name}@${packages[path].version}`];
    }),
  );
}

function placesNeededBy(path, packages, { isLeftOut, ...place }) {
  return neededBy(packages[path])
    .filter(({ wanted }) => !isLeftOut(wanted))
    .map((need) => placeOf(need, path, packages))
    .filter((at) => at !== undefined && isFor(packages[at], place));
}

/** Peers do not count: a package that depends on it also depends on those peers that it uses. */
function neededBy({ dependencies, optionalDependencies }) {
  return [
    ...Object.keys(dependencies ?? {}).map((wanted) => ({ wanted })),
    ...Object.keys(optionalDependencies ?? {}).map((wanted) => ({ wanted, isOptional: true })),
  ];
}

/**
 * Returns the folder of the package that Node resolves from there; for one of our own packages, the folder that its link points
 * to. Returns undefined for an optional package that is on no platform of the lock file.
 */
function placeOf({ wanted, isOptional }, from, packages) {
  const at = foldersFrom(from)
    .map((folder) => `${folder}node_modules/${wanted}`)
    .find((path) => packages[path] !== undefined);
  if (at !== undefined) return packages[at].link ? packages[at].resolved : at;
  if (isOptional) return undefined;
  throw new Error(`${from} needs ${wanted}, which is not in the lock file.`);
}

/** Returns this folder and its parents, each with a trailing slash; the last is the project's, which is empty. */
function foldersFrom(folder) {
  const at = folder.lastIndexOf("/node_modules/");
  return [`${folder}/`, ...(at === -1 ? [""] : foldersFrom(folder.slice(0, at)))];
}

/** Folders of the project are not third-party packages. */
function nameOf(path) {
  const at = path.lastIndexOf("node_modules/");
  return at === -1 ? undefined : path.slice(at + "node_modules/".length);
}

function isFor({ os, cpu }, { platform, arch }) {
  return isAmong(os, platform) && isAmong(cpu, arch);
}

function isAmong(names, name) {
  if (names === undefined) return true;
  const refused = names.filter((each) => each.startsWith("!")).map((each) => each.slice(1));
  return refused.length > 0 ? !refused.includes(name) : names.includes(name);
}
