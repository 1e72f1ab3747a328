import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads a JSON file of the build in `root`. The caller checks its shape. Returns null without a build. */
export function readBuildFile(root: string, name: string): unknown {
  const file = join(root, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
