// @ts-check
import { checkCommitTitles } from './commit-titles.mjs'
import { captureNode, say } from './run.mjs'
import { checkWeights } from './bundle-size.mjs'

/**
 * Returns a check that runs a tool from node_modules.
 * @param {string} path
 * @param {string[]} args
 */
const tool = (path, ...args) => ({ run: () => captureNode([`node_modules/${path}`, ...args]) })

const DEPENDENCY_CRUISER = 'dependency-cruiser/bin/dependency-cruiser.mjs'
const FOLDERS = ['contract', 'locales', 'vite', 'server', 'web', 'e2e', 'bench', 'scripts']

/** The checks that do not need a running bank, each with its tool. */
const CHECKS = {
  // Parallel checkers would each infer the shared types again, which costs more time than it saves.
  types: tool('typescript/bin/tsc', '-p', '.', '--checkers', '1'),
  lint: tool('oxlint/bin/oxlint'),
  format: tool('oxfmt/bin/oxfmt', '--list-different'),
  imports: tool(DEPENDENCY_CRUISER, ...FOLDERS),
  folders: tool(DEPENDENCY_CRUISER, '--config', '.dependency-cruiser.folders.mjs', 'contract', 'server', 'web'),
  'texts in the catalogs': tool(
    '@lingui/cli/dist/lingui.js',
    'check',
    'sync',
    '--clean',
    '--overwrite',
    '--workers',
    '1',
    '--verbose',
  ),
  'texts in every language': tool('@lingui/cli/dist/lingui.js', 'check', 'missing', '--workers', '1', '--verbose'),
  'API document': { run: () => captureNode(['scripts/api-document.ts']) },
  'plain words': { run: () => captureNode(['scripts/plain-words.ts']) },
  'commit titles': { run: checkCommitTitles },
  weights: { run: checkWeights },
  'dead code': tool('knip/bin/knip.js'),
}

/** The number of checks that run in parallel. Most checks use one processor. */
const LANES = 2

/** Runs every check, prints the results, and returns the number of failed checks. */
export async function countFailedChecks() {
  const waitingChecks = Object.entries(CHECKS)
  let failedCount = 0
  const work = async () => {
    for (let next = waitingChecks.shift(); next; next = waitingChecks.shift()) {
      const [name, { run }] = next
      const startedAt = performance.now()
      const { code, output } = await run()
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      const detail = code === 0 ? '' : `\n${output.trim()}`
      say(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)${detail}`)
      if (code !== 0) failedCount += 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, work))
  return failedCount
}

export const check = async () => ((await countFailedChecks()) === 0 ? 0 : 1)
