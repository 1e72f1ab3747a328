import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A JSON file of the build in `root`, which its caller knows the shape of. Null without a build. */
export function readJson(root: string, name: string): unknown {
  const file = join(root, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
