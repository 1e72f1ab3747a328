import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './run.mjs'

const ROOMS = ['contract', 'server', 'web']
/** Tests and their fixtures may reach anywhere. */
const TEST = /\.test\.tsx?$|^server\/(test|faults)\//
const IMPORT = /^(?:import|export)\s+(type\s)?[^;'"]*?from\s+'#((?:contract|server|web)\/[^']+)'/gm

/** Every import between two folders of the project, with whether it is of types alone. */
function importsBetween() {
  const files = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true })
      .map((name) => `${room}/${String(name)}`)
      .filter((name) => /\.tsx?$/.test(name) && !TEST.test(name)),
  )
  return files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(([, type, to]) => ({
      file,
      to,
      typesOnly: type !== undefined,
    })),
  )
}

/** A folder right under server/ or web/: 'server/payments'. */
const sliceOf = (path) => path.split('/').slice(0, 2).join('/')

/** The circles among folders: each as the list of those that can all reach each other. */
function circles(imports, folderOf) {
  const targets = new Map()
  for (const { file, to } of imports) {
    const [from, target] = [folderOf(file), folderOf(to)]
    if (from !== target) targets.set(from, (targets.get(from) ?? new Set()).add(target))
  }
  const reachedFrom = (start) => {
    const reached = new Set()
    const waiting = [start]
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const next of targets.get(folder) ?? []) if (!reached.has(next) && reached.add(next)) waiting.push(next)
    }
    return reached
  }
  const reach = new Map([...targets.keys()].map((folder) => [folder, reachedFrom(folder)]))
  const inCircle = [...reach].filter(([folder, reached]) => reached.has(folder)).map(([folder]) => folder)
  const groups = inCircle.map((one) =>
    inCircle.filter((other) => one === other || (reach.get(one).has(other) && reach.get(other).has(one))),
  )
  return [...new Set(groups.map((group) => group.toSorted((a, b) => a.localeCompare(b)).join(' ')))]
}

/** What lies loose in server/ besides the one file that mounts the slices. */
function looseFiles() {
  return readdirSync(join(ROOT, 'server'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'api.ts')
    .map(({ name }) => `server/${name} lies loose: it belongs in a folder`)
}

/**
 * The arrows between folders, which the tool for arrows between files cannot see: no slice imports another in a circle,
 * not even for a type, and no folder within them does at run time. Answers like a tool: `{ code, output }`.
 */
export async function checkFolders() {
  const imports = importsBetween()
  const found = [
    ...circles(imports, sliceOf).map((circle) => `slices import each other in a circle: ${circle}`),
    ...circles(
      imports.filter(({ typesOnly }) => !typesOnly),
      dirname,
    ).map((circle) => `folders import each other in a circle: ${circle}`),
    ...looseFiles(),
  ]
  return { code: found.length === 0 ? 0 : 1, output: found.join('\n') }
}
