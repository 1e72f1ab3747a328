const KEPT = 6

let paths: readonly string[] = []

/** Remembers until the page is closed where the customer was. */
export function noteVisit(path: string): void {
  paths = [path, ...paths.filter((other) => other !== path)].slice(0, KEPT)
}

/** The next customer on this device is shown none of it. */
export function forgetVisits(): void {
  paths = []
}

/** The paths visited last, newest first. */
export const recentVisits = () => paths
