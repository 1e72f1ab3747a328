// @ts-check
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProgramFailure, ROOT, runNode, say } from './run.mjs'

/** The file with the commit to upgrade from if there is no tag. */
const RECORDED = join(ROOT, 'scripts', 'last-release.txt')

/**
 * `npm run test:upgrade [-- REF]`: tests an upgrade from the bank at another commit, by default the last release. The older
 * bank serves before this version, then beside it, and then after it on the tables of this version.
 * @param {string[]} args
 */
export async function testUpgrade([ref = lastRelease(), ...args]) {
  const folder = mkdtempSync(join(tmpdir(), 'alder-release-'))
  try {
    unpack(ref, folder)
    say(`Upgrading from ${ref}.`)
    const env = { ...process.env, ALDER_UPGRADE_FROM: folder }
    const suite = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'faults', 'server/faults/upgrade.test.ts']
    return await runNode([...suite, ...args], { env })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the last tag at or before this commit, or else the recorded commit. */
function lastRelease() {
  try {
    return git(['describe', '--tags', '--abbrev=0']).toString().trim()
  } catch {
    return readFileSync(RECORDED, 'utf8').trim()
  }
}

/**
 * Unpacks the files of a commit into a folder, and links this commit's packages.
 * @param {string} ref
 * @param {string} folder
 */
function unpack(ref, folder) {
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: git(['archive', '--format=tar', ref]) })
  } catch (error) {
    throw new ProgramFailure(`The commit ${ref} could not be unpacked: ${error instanceof Error ? error.message : ''}`)
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
}

/** @param {string[]} args */
const git = (args) => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] })
