import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What every slice shares: whatever knows all of them, and nothing that belongs to one. */
const SHARED = ['server/api.ts', 'server/boot', 'server/platform', 'web/app', 'web/lib', 'contract/errors.ts']
/** What the others stand on: who asks, the account with the app's first screens, the world around a sample bank. */
const FOUNDATIONS = new Set(['platform', 'identity', 'accounts', 'sample'])
const MOST_LINES = 5

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

/** What a slice is called in code: that of server/card-scheme is cardScheme. */
const nameOf = (slice: string): string => slice.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())

/** The lines by which shared files know a slice: imports from its folders, and its place in the list of slices. */
function linesAbout(slice: string): string[] {
  const about = new RegExp(`#(server|web)/${slice}/|^  ${nameOf(slice)},$`)
  return sharedFiles().flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => about.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
}

test('there are slices to look at', () => {
  expect(slices).toEqual(expect.arrayContaining(['payments', 'savings']))
})

test.each(slices)('%s is known to shared files by at most five lines, and one for each further screen', (slice) => {
  const lines = linesAbout(slice)
  // A screen is known by the line that loads it, which is a constant where two routes show it.
  const screens = lines.filter((line) => line.includes("-screen.tsx')")).length
  expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(MOST_LINES + Math.max(0, screens - 1))
  expect(lines).toContain(`server/api.ts: ${nameOf(slice)},`)
})
