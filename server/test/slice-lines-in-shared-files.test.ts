import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The files that all slices share. */
const SHARED = ['server/api.ts', 'server/boot', 'server/platform', 'web/app', 'web/lib', 'contract/errors.ts']
/** The slices that others build on: identity, the account with the app's first screens, and the world around a sample bank. */
const FOUNDATIONS = new Set(['platform', 'identity', 'accounts', 'sample'])
const MAX_LINES = 5

const slices = readdirSync('server').filter((name) => existsSync(`server/${name}/slice.ts`) && !FOUNDATIONS.has(name))

function sharedFiles(): string[] {
  return SHARED.flatMap((path) =>
    path.endsWith('.ts')
      ? [path]
      : readdirSync(path, { recursive: true, encoding: 'utf8' })
          .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
          .map((name) => `${path}/${name}`),
  )
}

/** Returns a slice's name in code, such as cardScheme for server/card-scheme. */
const nameOf = (slice: string): string => slice.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())

/** Returns the lines of shared files that mention a slice: imports from its folders, and its entry in the list of slices. */
function linesAbout(slice: string): string[] {
  const pattern = new RegExp(`#(server|web)/${slice}/|^  ${nameOf(slice)},$`)
  return sharedFiles().flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
}

test('the slices to check are found', () => {
  expect(slices).toEqual(expect.arrayContaining(['payments', 'savings']))
})

test.each(slices)('%s is named in shared files on at most five lines, plus one for each further screen', (slice) => {
  const lines = linesAbout(slice)
  // A line that imports a screen counts per screen; two routes that show one screen share a constant.
  const screens = lines.filter((line) => line.includes("-screen.tsx')")).length
  expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(MAX_LINES + Math.max(0, screens - 1))
  expect(lines).toContain(`server/api.ts: ${nameOf(slice)},`)
})
