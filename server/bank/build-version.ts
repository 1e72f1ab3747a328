import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version and commit of this build. */
export type Build = { version: string; commit: string }

const ROOT = join(import.meta.dirname, '..', '..')
const COMMIT = /^[0-9a-f]{7,64}$/

/**
 * Reads the version and the commit of this build. The commit of a release is in release.json, and the commit of a clone is in
 * the repository. Without both, the commit is 'unknown'.
 */
export function readBuild(root = ROOT): Build {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const commit = released(join(root, 'release.json')) ?? checkedOut(join(root, '.git')) ?? ''
  return { version, commit: COMMIT.test(commit) ? commit.slice(0, 12) : 'unknown' }
}

function released(path: string): string | null {
  const text = textOf(path)
  return text === null ? null : (JSON.parse(text) as { commit: string }).commit
}

/** Returns the current commit of a repository without using the git program; null if it is unknown. */
function checkedOut(git: string): string | null {
  const head = textOf(join(git, 'HEAD'))
  const name = head?.match(/^ref: (.+)$/)?.[1]
  if (name === undefined) return head
  const packed = textOf(join(git, 'packed-refs'))?.split('\n')
  return textOf(join(git, name)) ?? packed?.find((line) => line.endsWith(` ${name}`))?.split(' ')[0] ?? null
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
