const MAX_PATHS = 6

let paths: readonly string[] = []

/** Records a visited screen until the page is closed. */
export function recordVisit(path: string): void {
  paths = [path, ...paths.filter((other) => other !== path)].slice(0, MAX_PATHS)
}

/** Deletes the visited screens, so that the next customer on this device does not see them. */
export function forgetVisits(): void {
  paths = []
}

/** Returns the last visited paths, the newest first. */
export const readRecentVisits = () => paths
